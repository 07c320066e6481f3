"""What one row of the table is made of, and how it travels from the process that measured it to the one that prints it."""

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured:
    """A row's figures at one size of the catalogue, by name (`p50`, `ready` …), all in `unit`.

    `beside` is the row whose baseline this is. `remarks` are sentences that belong below the table: what was
    extrapolated, and from what; where the time goes.
    """

    row: str
    figures: Mapping[str, float]
    unit: str = "ms"
    beside: str | None = None
    remarks: tuple[str, ...] = field(default=())


def to_json(measured: Sequence[Measured]) -> str:
    """One line, for `from_json`."""
    return json.dumps([asdict(one) for one in measured])


def from_json(text: str) -> list[Measured]:
    """What `to_json` was given."""
    return [Measured(**{**row, "remarks": tuple(row["remarks"])}) for row in json.loads(text)]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that `share` (0 to 1) of them do not exceed; `values` is not empty."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * round(share * 1000) // 1000) - 1)]


def spread(rounds: Sequence[Sequence[float]]) -> dict[str, float]:
    """p50 and p99 of each round's samples; of these the median over the rounds, so that one disturbed round is none."""
    return {
        "p50": statistics.median(percentile(one, 0.5) for one in rounds),
        "p99": statistics.median(percentile(one, 0.99) for one in rounds),
    }


def timed_ms(run: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds the call took, and what it returned."""
    began = time.perf_counter()
    result = run()
    return (time.perf_counter() - began) * 1000, result
