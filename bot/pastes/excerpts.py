"""The part of a log that matters, whatever its length, found in one pass and in memory that its length does not change.

Kept are the first and the last lines, everything that may be an error with the lines around it, and the first line of
each shape, since a message need not look like an error to be one. Of errors that differ in numbers alone the first and
the last are kept; where there is no room for all that differ in more, the newest.
"""

import itertools
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.pastes.readers.suspicion import Suspect, Suspicion

# In characters. An encoder, a card and a person look at far less; all tiers together take a second for so much.
MOST_TEXT = 1_000_000
# Shares of it: what looks like an error, what only may be one, first lines of a shape. The rest is for both ends.
_SURE, _UNSURE, _NEW = 0.55, 0.15, 0.15
_END = 0.05
_END_LINES = 200
# Readers look at most eight lines back, for a headline; and some dozen ahead, for what an error says besides its name.
ABOVE, BELOW = 12, 40
# A stack of ten thousand frames is the same in its first and last few hundred.
HEAD_LINES, TAIL_LINES = 600, 300
# Behind a new link of a chain stand its first frames.
_LINK_LINES = 4
_HEAD_TEXT, _TAIL_TEXT, _AROUND_TEXT = 120_000, 40_000, 20_000
# An uninterrupted run of errors is cut into pieces of at least so many lines, so that each may be known again.
_PIECE_LINES = 60

Numbered = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a log joined by line feeds. `numbers`: for each of them its original line, 0-based.

    Where lines were left out between two that were kept stands an empty one, with the number of the first left out;
    not inside a single error, whose middle is left out silently. `whole` tells that nothing was left out at all.
    """

    text: str
    numbers: tuple[int, ...]
    whole: bool


def excerpt(chunks: Iterable[Sequence[str]], most_text: int = MOST_TEXT) -> Excerpt:
    """Return what matters of the lines of a log, at most about `most_text` characters of them.

    chunks: the lines in their order, without their ends, any number at a time. Time is linear in their length.
    """
    maker = _Maker(most_text)
    for lines in chunks:
        maker.take(lines)
    return maker.excerpt()


class _Queue:
    """Lines up to a size and a number; beyond either the earliest are dropped."""

    def __init__(self, most_text: int, most_lines: int) -> None:
        self._most_text, self._most_lines = most_text, most_lines
        self._size = 0
        self.lines: deque[Numbered] = deque()

    def add(self, line: Numbered) -> None:
        self.lines.append(line)
        self._size += len(line[1]) + 1
        while len(self.lines) > 1 and (self._size > self._most_text or len(self.lines) > self._most_lines):
            self._size -= len(self.lines.popleft()[1]) + 1


@dataclass(slots=True)
class _Block:
    """An error, perhaps several behind each other, with the lines around."""

    above: tuple[Numbered, ...]
    head: list[Numbered] = field(default_factory=list)
    links: _Queue = field(default_factory=lambda: _Queue(_TAIL_TEXT, TAIL_LINES))
    tail: _Queue = field(default_factory=lambda: _Queue(_TAIL_TEXT, TAIL_LINES))
    below: list[Numbered] = field(default_factory=list)
    shapes: dict[int, None] = field(default_factory=dict)
    sure: bool = False
    size: int = 0
    below_room: int = _AROUND_TEXT
    link_room: int = 0

    def add(self, line: Numbered, suspect: Suspect) -> None:
        """Take a line that belongs to the error, and with it what seemed to stand below."""
        for each in (*self.below, line):
            if len(self.head) < HEAD_LINES and self.size < _HEAD_TEXT:
                self.head.append(each)
                self.size += len(each[1]) + 1
            else:
                self._go_on(each, suspect)
        self.below, self.below_room = [], _AROUND_TEXT
        if suspect.may_begin and len(self.shapes) < HEAD_LINES:
            self.shapes[suspect.shape] = None
        self.sure = self.sure or suspect.says_so

    def _go_on(self, line: Numbered, suspect: Suspect) -> None:
        """Keep of a long error what is new in its middle, such as the next link of a chain, and its end."""
        if suspect.says_so and suspect.shape not in self.shapes:
            self.link_room = _LINK_LINES
            for last in list(self.tail.lines)[-1:]:  # where the link before it ends
                self.links.add(last)
        if self.link_room:
            self.links.add(line)
            self.link_room -= 1
        self.tail.add(line)

    def lines(self) -> Iterator[Numbered]:
        return itertools.chain(self.above, self.head, self.links.lines, self.tail.lines, self.below)

    def gaps(self) -> Iterator[tuple[int, int]]:
        """The numbers of the lines between which something of this error was left out."""
        numbers = sorted({number for number, _ in (*self.head[-1:], *self.links.lines, *self.tail.lines)})
        return ((before, after) for before, after in itertools.pairwise(numbers) if after > before + 1)


class _Kept:
    """Blocks by what they tell, the first and the last of each; beyond a size the ones seen longest ago are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._blocks: OrderedDict[int, list[tuple[_Block, int]]] = OrderedDict()

    def add(self, block: _Block) -> None:
        key = hash(tuple(block.shapes))
        same = self._blocks.setdefault(key, [])
        self._blocks.move_to_end(key)
        if len(same) == 2:
            self._size -= same.pop()[1]
        size = sum(len(text) + 1 for _, text in block.lines())
        same.append((block, size))
        self._size += size
        while self._size > self._most and (len(self._blocks) > 1 or len(same) > 1):
            oldest, blocks = next(iter(self._blocks.items()))
            self._size -= blocks.pop(0)[1]
            if not blocks:
                del self._blocks[oldest]

    def __iter__(self) -> Iterator[_Block]:
        return (block for same in self._blocks.values() for block, _ in same)


class _Maker:
    """One pass over the lines of a log."""

    def __init__(self, most_text: int) -> None:
        self._suspicion = Suspicion()
        self._sure, self._unsure = _Kept(int(_SURE * most_text)), _Kept(int(_UNSURE * most_text))
        self._new = _Queue(int(_NEW * most_text), most_text)
        self._last = _Queue(int(_END * most_text), _END_LINES)
        self._first: list[Numbered] = []
        self._room = int(_END * most_text)
        self._seen: set[int] = set()
        self._recent: deque[Numbered] = deque(maxlen=ABOVE)
        self._block: _Block | None = None
        self._count = 0

    def take(self, lines: Sequence[str]) -> None:
        """Look at the next lines."""
        suspects = self._suspicion.of(lines)
        for number, (text, suspect) in enumerate(zip(lines, suspects, strict=True), start=self._count):
            line = (number, text)
            if suspect.may_begin or self._block is not None:
                self._follow(line, suspect)
            elif suspect.shape not in self._seen:
                self._note(line, suspect)
            self._recent.append(line)
        self._take_ends(lines)
        self._count += len(lines)

    def _take_ends(self, lines: Sequence[str]) -> None:
        if self._room > 0 and len(self._first) < _END_LINES:
            for number, text in enumerate(lines[: _END_LINES - len(self._first)], start=self._count):
                self._first.append((number, text))
                self._room -= len(text) + 1
                if self._room <= 0:
                    break
        for number, text in list(enumerate(lines, start=self._count))[-_END_LINES:]:
            self._last.add((number, text))

    def _note(self, line: Numbered, suspect: Suspect) -> None:
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        self._seen.add(suspect.shape)
        self._new.add(line)

    def _follow(self, line: Numbered, suspect: Suspect) -> None:
        """Take a line into the block that is open, or open one for it."""
        block = self._block
        if block is not None:
            if suspect.goes_on and not block.below:
                block.add(line, suspect)
                return
            if not suspect.may_begin:
                block.below_room -= len(line[1]) + 1
                if block.below_room >= 0:
                    block.below.append(line)
                if block.below_room < 0 or len(block.below) == BELOW:
                    self._close()
                return
            if len(block.head) < _PIECE_LINES:
                block.add(line, suspect)
                return
            self._close()
        self._block = block = _Block(_nearest(self._recent))
        block.add(line, suspect)

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is not None:
            (self._sure if block.sure else self._unsure).add(block)

    def excerpt(self) -> Excerpt:
        """What was kept of all lines so far."""
        self._close()
        kept = dict([*self._first, *self._last.lines, *self._new.lines])
        gaps: set[tuple[int, int]] = set()
        for block in (*self._unsure, *self._sure):
            kept.update(block.lines())
            gaps.update(block.gaps())
        texts: list[str] = []
        numbers: list[int] = []
        before = -1
        for number in sorted(kept):
            if number != before + 1 and (before, number) not in gaps:
                texts.append("")
                numbers.append(before + 1)
            texts.append(kept[number])
            numbers.append(number)
            before = number
        return Excerpt("\n".join(texts), tuple(numbers), whole=len(kept) == self._count)


def _nearest(lines: Sequence[Numbered]) -> tuple[Numbered, ...]:
    """The last of these lines, as many as are not too long."""
    room = _AROUND_TEXT
    nearest: list[Numbered] = []
    for line in reversed(lines):
        room -= len(line[1]) + 1
        if room < 0:
            break
        nearest.append(line)
    return tuple(reversed(nearest))


# So many shapes are remembered to be known again.
_MOST_SEEN = 100_000
