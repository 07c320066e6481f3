"""The lines of a file of any size, a few thousand at a time, in memory that its size does not change."""

import codecs
from collections.abc import Iterable, Iterator

# So many bytes tell what a file is written in.
HEAD_BYTES = 64 * 1024
# Of a longer line its beginning and its end are kept, each half of this: a blob, or a file without line ends.
LONGEST_LINE = 64 * 1024
_BETWEEN = " … "


def lines_of(pieces: Iterable[bytes], encoding: str, mark: int = 0) -> Iterator[list[str]]:
    """Give the lines of all pieces together, without their ends, as `str.splitlines` would of the whole.

    encoding, mark: as `encoding_of` tells them of the first HEAD_BYTES. Bytes that fit nothing become U+FFFD. A line of
    more than LONGEST_LINE characters is cut in its middle.
    """
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    line = _OpenLine()
    for piece in pieces:
        text = decoder.decode(piece[mark:] if mark else piece)
        mark = max(0, mark - len(piece))
        yield from line.split(text)
    yield from line.split(decoder.decode(b"", final=True))
    yield from line.rest()


class _OpenLine:
    """What was read of a line whose end is still to come."""

    def __init__(self) -> None:
        self._begun: list[str] = []  # its first half, in pieces
        self._length = 0
        self._tail = ""  # what of it may be its end, once it is too long

    def split(self, text: str) -> Iterator[list[str]]:
        """The lines that end in this text, together with what was kept of the first one."""
        if not text:
            return
        lines = text.splitlines(keepends=True)
        # Behind a carriage return at the very end a line feed may follow that belongs to it.
        last = lines.pop() if not _ended(lines[-1]) or lines[-1].endswith("\r") else ""
        if lines:
            # A return kept from before is an end of its own unless a line feed follows it.
            first = self._taken() + lines[0]
            whole = [_cut(each) for line in (first, *lines[1:]) for each in line.splitlines()]
            yield whole
        self._keep(last)

    def rest(self) -> Iterator[list[str]]:
        """The last line, where it has no end."""
        if lines := self._taken().splitlines():
            yield [_cut(line) for line in lines]

    def _keep(self, text: str) -> None:
        if self._length <= LONGEST_LINE:
            self._begun.append(text)
            self._length += len(text)
        else:
            self._tail = (self._tail + text)[-LONGEST_LINE:]

    def _taken(self) -> str:
        kept = "".join(self._begun)
        if self._tail:
            kept = kept[: LONGEST_LINE // 2] + _BETWEEN + (kept + self._tail)[-LONGEST_LINE // 2 :]
        self._begun, self._length, self._tail = [], 0, ""
        return kept


def _ended(line: str) -> bool:
    return len(line.splitlines()[0]) < len(line)


def _cut(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    return line[: LONGEST_LINE // 2] + _BETWEEN + line[-(LONGEST_LINE // 2) :]
