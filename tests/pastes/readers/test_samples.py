"""Every reader against samples of what its tools print: tests/samples/<format>/<name>.txt, and beside it what it says."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.pastes.readers.found import FoundError
from bot.pastes.readers.reading import read_errors
from tests.shared_data import REPOSITORY

_SAMPLES = REPOSITORY / "tests" / "samples"


def _last_frame(error: FoundError) -> dict[str, Any] | None:
    if not error.frames:
        return None
    frame = error.frames[-1]
    return {"file": frame.file, "line": frame.line}


_FIELDS: dict[str, Callable[[FoundError], Any]] = {
    "message": lambda error: error.message,
    "class": lambda error: error.error_class,
    "code": lambda error: error.code,
    "status": lambda error: error.http_status,
    "sqlstate": lambda error: error.sqlstate,
    "role": lambda error: error.role.value,
    "frames": lambda error: len(error.frames),
    "last_frame": _last_frame,
}
_COLUMNS = ("message", "class", "code", "frames")


def _texts() -> list[Path]:
    """Samples are texts with a description beside them; other folders of tests/samples hold what others need."""
    return sorted(path for path in _SAMPLES.glob("*/*.txt") if path.with_suffix(".json").exists())


def _wrong(path: Path) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) of a sample; nothing where all is right."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["errors"]
    found = read_errors(path.read_text(encoding="utf-8"))
    if len(found) != len(expected):
        told = "".join(f"\n    {error.reader}: {error.error_class}: {error.message!r}" for error in found)
        yield "errors", f"{len(found)} errors, not {len(expected)}{told}"
    for index, (error, wanted) in enumerate(zip(found, expected, strict=False)):
        unknown = set(wanted) - set(_FIELDS)
        if unknown:
            yield "errors", f"the sample names {sorted(unknown)}, which nobody checks"
        for field in _FIELDS.keys() & wanted.keys():
            value = _FIELDS[field](error)
            if value != wanted[field]:
                yield field, f"error {index}: {field} is {value!r}, not {wanted[field]!r}"


@pytest.mark.parametrize("path", _texts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_read_as_it_is_meant(path: Path) -> None:
    """Every error with its message, class, code, role and frames, in order, and nothing else."""
    wrong = [what for _, what in _wrong(path)]

    assert not wrong, "\n" + "\n".join(wrong)


def test_every_format_has_samples(capsys: pytest.CaptureFixture[str]) -> None:
    """At least six a format; one row a format says whether message, class, code and frames were all right."""
    rows: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for path in _texts():
        row = rows[path.parent.name]
        row["samples"] += 1
        fields = {field for field, _ in _wrong(path)}
        for column in _COLUMNS:
            row[column] += column not in fields and "errors" not in fields

    with capsys.disabled():
        print(f"\n{'format':<20}{'samples':>8}" + "".join(f"{column:>9}" for column in _COLUMNS))
        for name, row in sorted(rows.items()):
            print(f"{name:<20}{row['samples']:>8}" + "".join(f"{row[column]:>9}" for column in _COLUMNS))
        print(f"{len(rows)} formats, {sum(row['samples'] for row in rows.values())} samples")
    assert rows
    assert not {name: row["samples"] for name, row in rows.items() if row["samples"] < 6}


def test_every_text_is_described() -> None:
    """A text without a description beside it, or the reverse, is checked by nobody."""
    described = set(_SAMPLES.glob("*/*.json"))
    texts = set(_SAMPLES.glob("*/*.txt"))

    assert {path.with_suffix(".txt") for path in described} == texts
