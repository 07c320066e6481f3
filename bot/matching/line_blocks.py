"""A text in blocks of whole lines, as the engines read it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# An engine tells of each expression once a block: small blocks find later occurrences, large ones cost fewer calls.
BLOCK_BYTES = 2_048
# A message of several lines may begin in one block and end in the next.
OVERLAP_LINES = 8


@dataclass(frozen=True, slots=True)
class Block:
    """`data` is UTF-8, one line feed between lines; `first` is the index of its first line."""

    data: bytes
    first: int

    def line_at(self, offset: int) -> int:
        """The index of the line that holds the byte before `offset`."""
        return self.first + self.data.count(b"\n", 0, max(offset - 1, 0))


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    """The lines in blocks of about BLOCK_BYTES, each beginning with the last OVERLAP_LINES of the one before."""
    start = 0
    pending: list[bytes] = []
    fresh = 0
    for number, line in enumerate(lines):
        encoded = line.encode("utf-8", "replace")  # half a surrogate pair is no UTF-8, which the engine relies on
        pending.append(encoded)
        fresh += len(encoded) + 1
        if fresh >= BLOCK_BYTES:
            yield Block(b"\n".join(pending), start)
            kept = _overlap(pending)
            start, pending, fresh = number + 1 - len(kept), kept, 0
    if fresh:
        yield Block(b"\n".join(pending), start)


def _overlap(pending: list[bytes]) -> list[bytes]:
    """The last lines, as long as they do not make up a block of their own."""
    kept: list[bytes] = []
    size = 0
    for line in reversed(pending[-OVERLAP_LINES:]):
        size += len(line) + 1
        if size > BLOCK_BYTES // 2:
            break
        kept.insert(0, line)
    return kept
