"""Where an error may begin: one look at each line, for all readers together, so that each is asked only there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import re2

from bot.pastes.readers.expressions import readable_by_re2
from bot.pastes.readers.found import CleanLine, Reader

# No tool says an error in more; what is longer is a minified file or a blob.
LONGEST_READ = 4_000
# The automaton of all readers grows with what it meets; beyond this RE2 begins it anew. Ordinary logs need 3 MiB.
_MEMORY = 48 << 20


class GatedLines(list[CleanLine]):
    """Lines with their texts, cut at LONGEST_READ characters, and the places at which each reader may find an error."""

    def __init__(self, lines: Iterable[CleanLine], gate: "Gate") -> None:
        super().__init__(lines)
        self.texts = [_text(line) for line in self]
        self.starts = gate.starts(self, self.texts)


class Starts:
    """The places at which one reader may find the beginning of an error, asked for from the first to the last."""

    __slots__ = ("_indices", "_passed", "_size")

    def __init__(self, indices: Sequence[int], size: int) -> None:
        self._indices = indices
        self._size = size
        self._passed = 0

    def from_(self, at: int) -> int:
        """The first place at or behind this index; the number of lines where there is none. `at` never goes back."""
        while self._passed < len(self._indices) and self._indices[self._passed] < at:
            self._passed += 1
        return self._indices[self._passed] if self._passed < len(self._indices) else self._size

    def __iter__(self) -> Iterator[int]:
        """All of them, whatever was asked for before."""
        return iter(self._indices)


class Gate:
    """All the beginnings that readers name, in two automatons: a line costs two microseconds, however many there are.

    One holds the patterns that stand at the beginning of a line, one those that stand anywhere. In a single one the
    states of both would multiply, and a text that is made up of everything would take twice as long.
    """

    def __init__(self, readers: Iterable[Reader]) -> None:
        options = re2.Options()
        options.max_mem = _MEMORY
        self._at_beginning, self._anywhere = re2.Set.MatchSet(options), re2.Set.SearchSet(options)
        # For each pattern of an automaton the reader that named it, how far above the line it begins, and if it does.
        self._owners_at_beginning: list[_Owner] = []
        self._owners_anywhere: list[_Owner] = []
        self._by_level: dict[str, list[str]] = {}
        self._names: list[str] = []
        for reader in readers:
            self._names.append(reader.name)
            for pattern in reader.begins.lines:
                self._add(pattern, _Owner(reader.name, 0, is_note=False))
            for pattern in reader.begins.below:
                self._add(pattern, _Owner(reader.name, 1, is_note=False))
            for pattern in reader.begins.notes:
                self._add(pattern, _Owner(reader.name, 0, is_note=True))
            for level in reader.begins.levels:
                self._by_level.setdefault(level, []).append(reader.name)
        self._at_beginning.Compile()
        self._anywhere.Compile()

    def _add(self, pattern: str, owner: "_Owner") -> None:
        anchored = pattern.startswith("^") and not _has_branches(pattern)
        (self._at_beginning if anchored else self._anywhere).Add(pattern)
        (self._owners_at_beginning if anchored else self._owners_anywhere).append(owner)

    def _owners_of(self, text: str) -> list["_Owner"]:
        """Whose patterns fit this text."""
        data = text.encode()
        owners = [self._owners_at_beginning[index] for index in self._at_beginning.Match(data) or ()]
        return owners + [self._owners_anywhere[index] for index in self._anywhere.Match(data) or ()]

    def readers_of(self, line: CleanLine) -> frozenset[str]:
        """The readers for whom an error may begin at this line or, where it looks like a frame, just above it."""
        owners = self._owners_of(_text(line)) if line.text else []
        names = {owner.reader for owner in owners if not owner.is_note}
        return frozenset(names.union(self._by_level.get(line.level or "", ())))

    def starts(self, lines: Sequence[CleanLine], texts: Sequence[str]) -> dict[str, list[int]]:
        """For each reader the indices of the lines at which an error may begin, in their order."""
        found: dict[str, set[int]] = {name: set() for name in self._names}
        for index, text in enumerate(texts):
            if not text:
                continue
            for owner in self._owners_of(text):
                found[owner.reader].add(index - owner.above)
            line = lines[index]
            for name in self._by_level.get(line.level or "", ()):
                found[name].add(index)
            if len(line.text) > LONGEST_READ:  # some readers look at the whole of it
                for owner in self._owners_of(readable_by_re2(line.text)):
                    found[owner.reader].add(index - owner.above)
        return {name: sorted(indices - {-1}) for name, indices in found.items()}


@dataclass(frozen=True, slots=True)
class _Owner:
    """The reader that named a pattern. `above`: how many lines above the one that fits it the error begins."""

    reader: str
    above: int
    is_note: bool


def _has_branches(pattern: str) -> bool:
    """Whether a `|` stands outside of all groups, so that a `^` at the beginning holds for the first branch alone."""
    depth = 0
    in_class = False
    bare = _ESCAPED.sub("", pattern)
    for place, letter in enumerate(bare):
        if in_class:
            # A bracket that stands first in a class is one of its letters.
            in_class = letter != "]" or bare[place - 1] == "[" or bare[place - 2 : place] == "[^"
        elif letter == "[":
            in_class = True
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "|" and depth == 0:
            return True
    return False


_ESCAPED = re.compile(r"\\.")


def stripped(lines: Sequence[CleanLine]) -> list[str]:
    """The text of each line, cut at LONGEST_READ characters; half a surrogate pair, unreadable to RE2, is a `?`."""
    return lines.texts if isinstance(lines, GatedLines) else [_text(line) for line in lines]


def starts_in(lines: Sequence[CleanLine], reader: str) -> Starts:
    """Where this reader may find an error in these lines: everywhere, where no gate has looked at them."""
    if isinstance(lines, GatedLines) and reader in lines.starts:
        return Starts(lines.starts[reader], len(lines))
    return Starts(range(len(lines)), len(lines))


def _text(line: CleanLine) -> str:
    return readable_by_re2(line.text[:LONGEST_READ].strip())
