"""What holds for every text, whatever it is."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pastes.readers.found import FoundError, Role
from bot.pastes.readers.reading import read_errors
from tests.shared_data import REPOSITORY

_SAMPLES = sorted((REPOSITORY / "tests" / "samples").glob("*/*.txt"))
# Pieces of what tools print, so that made-up texts get behind the first word of a reader.
_PIECES = sorted({line for path in _SAMPLES for line in path.read_text(encoding="utf-8").splitlines()})
_TEXTS = st.one_of(
    st.text(max_size=400),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "L", "P"]), max_size=80),
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=40)), max_size=30).map("\n".join),
    st.lists(
        st.sampled_from([*"\\n\"'{}[]()|+>-:/.E ", "\r", "\x1b[", "Error: ", "at ", "Caused by: "]), max_size=80
    ).map("".join),
)


@settings(max_examples=250, deadline=None)
@given(_TEXTS)
def test_every_text_is_read(text: str) -> None:
    """Nothing is raised; errors stand in order inside the text, say something, and at most one is the final one."""
    errors = read_errors(text)

    count = len(text.splitlines())
    assert [error.span.first for error in errors] == sorted(error.span.first for error in errors)
    for error in errors:
        assert 0 <= error.span.first <= error.span.last < count
        assert error.message.strip()
    assert sum(error.role is Role.FINAL for error in errors) <= 1


@settings(max_examples=100, deadline=None)
@given(_TEXTS)
def test_no_two_readers_tell_of_one_line(text: str) -> None:
    """A line belongs to the first reader that has read it."""
    owners: dict[int, str] = {}
    for error in read_errors(text):
        for number in range(error.span.first, error.span.last + 1):
            assert owners.setdefault(number, error.reader) == error.reader


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_lines_before_an_error_move_only_its_span(text: str) -> None:
    """The same traceback behind a line of anything else is the same error, a line lower."""
    traceback = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 7'
    quiet = "".join(letter for letter in text if letter.isalnum()) + " is here"

    (moved,) = [error for error in read_errors(f"{quiet}\n\n{traceback}") if error.reader == "python"]
    (plain,) = read_errors(traceback)

    assert _told(moved) == _told(plain)
    assert (moved.span.first, moved.span.last) == (2, 5)


def _told(error: FoundError) -> tuple[object, ...]:
    return error.message, error.error_class, error.role, error.frames


@pytest.mark.parametrize(
    "unit",
    [
        'File "a.py", line 1, in f\n',
        "Traceback (most recent call last):\n",
        "ERROR: x\n",
        "E   ValueError: x\n",
        "| ",
        "> ",
        "×\n│\n",
        '{"a":',
        "a=b ",
        "\\n at ",
        "Caused by: x\n",
        "error: ",
        "a.",
        "  at f (a.js:1:1)\n",
        "\x1b[",
        "&amp;",
        "[",
        "(",
        "____ a ____\n",
        "a: ",
        "During handling of the above exception, another exception occurred:\n",
        "goroutine 1 [running]:\n",
        "thread 'main' panicked at a.rs:1:1:\n",
        "error[E0308]: x\n --> a.rs:1:1\n",
    ],
    ids=repr,
)
def test_time_is_linear_in_the_text(unit: str) -> None:
    """Eight times the text takes about eight times as long; a quadratic reader would take 64 times (E2)."""
    small, large = (unit * (size // len(unit)) for size in (5_000, 40_000))
    read_errors(small)

    def seconds(text: str) -> float:
        start = time.process_time()
        read_errors(text)
        return time.process_time() - start

    assert seconds(large) < 28 * max(min(seconds(small) for _ in range(3)), 0.005)


def test_the_generic_reader_fills_what_nobody_else_reads() -> None:
    """A traceback is one error, not also its last line; the line beside it is another."""
    errors = read_errors(
        '[error] disk is slow\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 7\n'
    )

    assert [(error.reader, error.role) for error in errors] == [("generic", Role.EARLIER), ("python", Role.FINAL)]


@pytest.mark.parametrize("text", ["", "\n\n", "hello\n", "0 errors, 0 warnings\n"])
def test_where_nothing_failed_nothing_is_told(text: str) -> None:
    """Silence is an answer."""
    assert read_errors(text) == ()
