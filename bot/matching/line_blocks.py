"""A text of lines in blocks, as the engines read it, and where in it a line begins."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

# An engine tells of each expression once a block: small blocks find later occurrences, large ones cost fewer calls.
BLOCK_BYTES = 2_048
# A message of several lines may begin in one block and end in the next.
OVERLAP_LINES = 8


class LineText:
    """Lines without line feeds, as one text with a line feed between them; what is asked for is worked out once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.text = "\n".join(lines)

    @cached_property
    def starts(self) -> list[int]:
        """Where in `text` each line begins, and last where one more would."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    @cached_property
    def data(self) -> bytes:
        """The text in UTF-8, which the engines rely on: half a surrogate pair is none, and replaced."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def byte_starts(self) -> list[int]:
        """Where in `data` each line begins, and last where one more would."""
        if len(self.data) == len(self.text):
            return self.starts
        return [0, *accumulate(len(line.encode("utf-8", "replace")) + 1 for line in self.lines)]

    def next_with(self, literal: str, first: int, end: int) -> int | None:
        """The first line with this literal in it, from line `first` on and before line `end`; None where there is none.

        The literal has no line feed.
        """
        position = self.text.find(literal, self.starts[first], self.starts[end])
        return bisect_right(self.starts, position) - 1 if position >= 0 else None


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring lines in UTF-8: `first` is the index of the first, `end` that behind the last."""

    data: bytes
    first: int
    end: int


def blocks(text: LineText) -> Iterator[Block]:
    """The lines in blocks of about BLOCK_BYTES, each beginning with the last OVERLAP_LINES of the one before."""
    lines = len(text.lines)
    if not lines:
        return
    starts = text.byte_starts
    first, fresh = 0, 0  # the block's first line, and the first that was in none before
    while fresh < lines:
        end = min(bisect_left(starts, starts[fresh] + BLOCK_BYTES, fresh + 1), lines)
        yield Block(text.data[starts[first] : starts[end] - 1], first, end)
        first, fresh = end - _overlap(starts, first, end), end


def _overlap(starts: Sequence[int], first: int, end: int) -> int:
    """How many of the last lines go into the next block: as long as they do not make up a block of their own."""
    kept = 0
    while kept < min(OVERLAP_LINES, end - first) and starts[end] - starts[end - kept - 1] <= BLOCK_BYTES // 2:
        kept += 1
    return kept
