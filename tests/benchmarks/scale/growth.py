"""How much slower ten times the records are."""

from collections.abc import Mapping, Sequence

from tests.benchmarks.scale.aims import ANSWER_EXACT, ANSWER_NEAREST, GROWTH, PATTERNS_4K, PATTERNS_64K, PATTERNS_200
from tests.benchmarks.scale.measured import Measured

COMPARED: Mapping[str, str] = {
    "patterns 200 B": PATTERNS_200,
    "patterns 4 KB": PATTERNS_4K,
    "patterns 64 KB": PATTERNS_64K,
    "exact": ANSWER_EXACT,
    "nearest": ANSWER_NEAREST,
}


def growth(few: Sequence[Measured], many: Sequence[Measured], few_records: int) -> list[Measured]:
    """The p50 of each row with all records, as a multiple of that with few; nothing where no row was measured twice."""
    factors = {
        name: after / before
        for name, row in COMPARED.items()
        if (before := _p50(few, row)) and (after := _p50(many, row)) is not None
    }
    remark = (
        f"p50, as a multiple of that with {few_records:,} records; of nearest answers what comes on top of the encoder"
    )
    return [Measured(GROWTH, factors, unit="×", remarks=(remark,))] if factors else []


def _p50(measured: Sequence[Measured], row: str) -> float | None:
    return next((one.figures.get("p50") for one in measured if one.row == row and one.beside is None), None)
