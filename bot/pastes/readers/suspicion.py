"""What single lines of a log are to the readers, before any of them has read it: for logs too long to be read whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.pastes.readers.cleaning import clean_lines
from bot.pastes.readers.generic import GenericReader
from bot.pastes.readers.reading import shared_gate

# Lines that go on with what stands above them, though they are not indented: frames, links of chains, ends of a stack.
_GOES_ON = re.compile(
    r"""at\ |File\ "|from\ |in\ |\#\d+\s|\d+:\s|[|+│╰├]|\.\.\.\ |goroutine\ \d|created\ by\ |Caused\ by:?|Suppressed:|
    Wrapped\ by:|During\ handling\ of|The\ above\ exception|Traceback\ \(|stack\ backtrace|Stack\ trace|note:\ |help:\ |
    -->|[~^}\])]|E\ |DETAIL:|HINT:|LINE\ \d|-{3,}""",
    re.VERBOSE,
)
_ALL_ZERO = bytes.maketrans(b"123456789", b"000000000")
_ALL_FOUR = str.maketrans("0123456789", "4444444444")
# Names that each line of a log may make up anew: identifiers in hexadecimal, and long words with a digit in them.
_MADE_UP = re.compile(r"\b[0-9a-fA-F]*[0-9][0-9a-fA-F]*(?:-[0-9a-fA-F]+)*\b|\b(?=\w*[0-9])\w{12,}\b")
# A log of more shapes repeats itself so little that remembering them is of no use.
_MOST_SHAPES = 40_000
_LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line's `shape` is that of all lines that differ from it in numbers alone.

    may_begin: an error may begin here. says_so: the line itself says that something failed. goes_on: it is blank,
    indented, a frame or the like, and so belongs to what stands above it.
    """

    shape: int
    may_begin: bool
    says_so: bool
    goes_on: bool


class Suspicion:
    """Tells the lines of one log apart. Lines of one shape are looked at once: a hundred of a log's, and no more."""

    def __init__(self) -> None:
        self._gate = shared_gate()
        self._known: dict[int, Suspect] = {}

    def of(self, lines: Sequence[str]) -> list[Suspect]:
        """What each line is. A line holds no line feed."""
        if not lines:
            return []
        known = self._known
        suspects = []
        # Bytes, since they are translated a hundred times faster than text that is not English.
        zeroed_lines = "\n".join(lines).encode(errors="replace").translate(_ALL_ZERO).split(b"\n")
        for line, zeroed in zip(lines, zeroed_lines, strict=True):
            suspect = known.get(hash(zeroed))
            suspects.append(suspect if suspect is not None else self._new(line, hash(zeroed)))
        return suspects

    def _new(self, line: str, zeroed: int) -> Suspect:
        shape = hash(_MADE_UP.sub("0", line[:_LONGEST]))
        suspect = self._known.get(shape)
        if suspect is None:
            suspect = self._judged(line, shape)
            if len(self._known) >= _MOST_SHAPES:
                self._known.clear()
            self._known[shape] = suspect
        self._known[zeroed] = suspect
        return suspect

    def _judged(self, line: str, shape: int) -> Suspect:
        cleaned = clean_lines(line[: 8 * _LONGEST])
        readers = [self._gate.readers_of(each) for each in cleaned]
        if not any(readers):
            # "code 0" is nothing where "code 1" is an error, so a shape is judged by its worst numbers too.
            worst = [replace(each, text=each.text.translate(_ALL_FOUR)) for each in cleaned]
            readers = [self._gate.readers_of(each) for each in worst]
        return Suspect(
            shape,
            may_begin=any(readers),
            says_so=any(GenericReader.name in names for names in readers),
            goes_on=all(not each.text or each.indent > 0 or bool(_GOES_ON.match(each.text)) for each in cleaned),
        )
