"""What a line is before anybody has read it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.readers import suspicion
from bot.pastes.readers.cleaning import clean_lines
from bot.pastes.readers.reading import read_errors, shared_gate
from bot.pastes.readers.suspicion import Suspicion
from tests.pastes.readers.log_noise import noise
from tests.shared_data import REPOSITORY

_SAMPLES = sorted(
    path for path in (REPOSITORY / "tests" / "samples").glob("*/*.txt") if path.with_suffix(".json").exists()
)
_LINES = sorted({line for path in _SAMPLES for line in path.read_text(encoding="utf-8").splitlines()})


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-30T10:00:00Z ERROR the oven is cold",
        "web-1  | panic: no pears",
        "KeyError: 'pears'",
        '{"level":"error","msg":"no pears"}',
        "main.go:3:4: declared and not used: pears",
        "api exited with code 0",  # as another time it may exit with 1
        "    at take (/srv/a.js:1:2)",  # the line above it may be a head
    ],
)
def test_an_error_may_begin_here(line: str) -> None:
    """Behind any prefix, in any format."""
    (suspect,) = Suspicion().of([line])

    assert suspect.may_begin


def test_nothing_begins_in_a_quiet_log() -> None:
    """No line of it is suspected."""
    assert not any(suspect.may_begin for suspect in Suspicion().of(noise(500)))


@pytest.mark.parametrize("path", _SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_first_error_is_suspected(path: Path) -> None:
    """Of every sample: without it no excerpt would hold the error. Its causes follow it."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    suspects = Suspicion().of(lines)
    spans = [error.span for error in read_errors(text)[:1]]

    assert all(any(suspect.may_begin for suspect in suspects[span.first : span.last + 1]) for span in spans)


@pytest.mark.parametrize(
    "line",
    ["", "   ", "  indented", "\tat a.B.c(B.java:1)", "Caused by: a.B: c", 'File "a.py", line 1', "| x", "... 3 more"],
)
def test_it_goes_on_with_what_stands_above(line: str) -> None:
    """Blank and indented lines, frames and links of chains."""
    (suspect,) = Suspicion().of([line])

    assert suspect.goes_on


def test_lines_that_differ_in_numbers_have_one_shape() -> None:
    """Counters, times and identifiers; words make another shape."""
    same = Suspicion().of(["took 17 ms, id 3fa9c1", "took 1234 ms, id 0b77de"])
    (other,) = Suspicion().of(["took 17 days, id 3fa9c1"])

    assert len({suspect.shape for suspect in same}) == 1
    assert other.shape != same[0].shape


@given(
    st.lists(
        st.one_of(st.sampled_from(_LINES), st.text(max_size=30)).map(lambda line: " ".join(line.splitlines())),
        max_size=30,
    )
)
def test_what_was_seen_before_changes_nothing_for_the_line_itself(lines: list[str]) -> None:
    """A line at which a reader would begin is suspected, in whatever company."""
    gate = shared_gate()

    suspects = Suspicion().of(lines)

    for line, suspect in zip(lines, suspects, strict=True):
        if any(gate.readers_of(each) for each in clean_lines(line)) and not any(letter.isdigit() for letter in line):
            assert suspect.may_begin


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of which no two lines are alike fills no memory, and is judged as well."""
    monkeypatch.setattr(suspicion, "_MOST_SHAPES", 10)
    letters = [chr(number) for number in range(0x4E00, 0x4E00 + 200)]
    judge = Suspicion()

    suspects = judge.of([f"ERROR {letter}" for letter in letters])

    assert all(suspect.says_so for suspect in suspects)
    assert len(judge._known) <= 12
