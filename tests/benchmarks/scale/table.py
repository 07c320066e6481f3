"""The table in Markdown: a row for each thing measured, a column for each size of the catalogue."""

from collections.abc import Iterator, Mapping, Sequence

from tests.benchmarks.scale.aims import AIMS, Aim
from tests.benchmarks.scale.measured import Measured

MISS = "✗"
NOTHING = "–"

Results = Mapping[int, Sequence[Measured]]


def table(results: Results) -> str:
    """The table of these results by size, then the remarks made at the largest; what misses its aim is marked with ✗.

    The baselines of a row stand below it, with how many times the row's own first figure theirs is.
    """
    sizes = sorted(results)
    lines = [
        "| what | to reach | " + " | ".join(f"{size:,}" for size in sizes) + " |",
        "| --- " * (2 + len(sizes)) + "|",
    ]
    for row in _rows(results):
        lines.append(_line(row, AIMS[row].words if row in AIMS else "", [_cell(results[size], row) for size in sizes]))
        lines += [
            _line(f"↳ {baseline}", "", [_baseline_cell(results[size], baseline, row) for size in sizes])
            for baseline in _names(results, beside=row)
        ]
    return "\n".join(
        [*lines, "", f"{MISS} misses what is to be reached.", "", *_remarks(results[sizes[-1]], sizes[-1])]
    )


def cell(measured: Measured, aim: Aim | None = None, of: Measured | None = None) -> str:
    """The figures in words: `p50 0.41, p99 1.2 ✗ ms`; with `of`, how many times its first figure this first one is."""
    missed = aim.missed(measured.figures) if aim else []
    single = len(measured.figures) == 1
    said = ", ".join(
        ("" if single else f"{name} ") + number(value) + (f" {MISS}" if name in missed else "")
        for name, value in measured.figures.items()
    )
    said += f" {measured.unit}" if measured.unit else ""
    if of is not None and (own := next(iter(of.figures.values()), 0.0)) > 0 and measured.figures:
        said += f" ({number(next(iter(measured.figures.values())) / own)} ×)"
    return said


def number(value: float) -> str:
    """Two significant digits below a hundred, whole numbers with commas above."""
    if round(value) >= 100:
        return f"{value:,.0f}"
    short = f"{value:.2g}"
    return short if "e" not in short else f"{value:.6f}"


def _cell(measured: Sequence[Measured], row: str) -> str:
    found = _find(measured, row, None)
    return NOTHING if found is None else cell(found, AIMS.get(row))


def _baseline_cell(measured: Sequence[Measured], baseline: str, row: str) -> str:
    found = _find(measured, baseline, row)
    return NOTHING if found is None else cell(found, of=_find(measured, row, None))


def _line(row: str, aim: str, cells: Sequence[str]) -> str:
    return f"| {row} | {aim} | {' | '.join(cells)} |"


def _find(measured: Sequence[Measured], row: str, beside: str | None) -> Measured | None:
    return next((one for one in measured if (one.row, one.beside) == (row, beside)), None)


def _rows(results: Results) -> list[str]:
    """The known rows in the order of the aims, then whatever else was measured."""
    there = _names(results, beside=None)
    return [row for row in AIMS if row in there] + [row for row in there if row not in AIMS]


def _names(results: Results, *, beside: str | None) -> list[str]:
    return list(dict.fromkeys(one.row for size in sorted(results) for one in results[size] if one.beside == beside))


def _remarks(measured: Sequence[Measured], size: int) -> Iterator[str]:
    if any(one.remarks for one in measured):
        yield f"At {size:,} records:\n"
    for one in measured:
        for remark in one.remarks:
            yield f"- {one.beside or one.row}{f', {one.row}' if one.beside else ''}: {remark}"
