"""Lines of a stream, whatever its pieces are."""

import io
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes import line_stream
from bot.pastes.line_stream import LONGEST_LINE, lines_of

_TEXTS = st.lists(st.sampled_from(["a", "ö", "\r", "\n", "\r\n", "\x85", "\u2028", "\x1c", "bc", "🧨"])).map("".join)


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    stream = io.BytesIO(data)
    while piece := stream.read(size):
        yield piece


@given(_TEXTS, st.integers(1, 7), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le"]))
def test_lines_are_those_of_the_whole_text(text: str, size: int, encoding: str) -> None:
    """Wherever a piece ends, in a letter or between the two halves of a line end, the lines are the same."""
    pieces = _pieces(text.encode(encoding), size)

    assert list(chain.from_iterable(lines_of(pieces, encoding))) == text.splitlines()


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_mark_at_the_beginning_is_no_letter(size: int) -> None:
    """The bytes that tell the encoding are left out, also where they come one by one (B2)."""
    pieces = _pieces("größer\nx".encode("utf-8-sig"), size)

    assert list(chain.from_iterable(lines_of(pieces, "utf-8", 3))) == ["größer", "x"]


def test_broken_bytes_are_replaced() -> None:
    """Never an exception (B2)."""
    assert list(chain.from_iterable(lines_of([b"a\xff", b"b\n"], "utf-8"))) == ["a\ufffdb"]


@pytest.mark.parametrize("size", [1, 3, 10, 1_000])
def test_a_long_line_keeps_its_ends(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it came in one piece or in many, of a line too long the same beginning and end are kept."""
    monkeypatch.setattr(line_stream, "LONGEST_LINE", 8)

    lines = list(chain.from_iterable(lines_of(_pieces(b"first" + b"." * 500 + b"last\nnext", size), "utf-8")))

    assert lines == ["firs … last", "next"]


def test_a_file_without_line_ends_is_bounded() -> None:
    """Forty megabytes without a line end are one line of at most LONGEST_LINE characters."""
    (lines,) = lines_of((b"x" * 2**20 for _ in range(40)), "utf-8")

    assert [len(line) for line in lines] == [LONGEST_LINE + 3]
