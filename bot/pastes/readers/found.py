"""What a reader finds: the errors of a text in order, with everything they say about themselves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Role(StrEnum):
    """What an error is in the story the text tells."""

    ROOT_CAUSE = "root cause"  # the deepest link of a chain
    WRAPPER = "wrapper"  # an error that names another as its cause
    FINAL = "final"  # what ended the program, or the only error there is
    EARLIER = "earlier"  # the program went on after it, or it was being handled when another came


@dataclass(frozen=True, slots=True)
class Span:
    """Where it stands: original lines, 0-based, both ends counted."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a stack, as far as it is told. `line` is 1-based."""

    file: str | None = None
    line: int | None = None
    function: str | None = None
    package: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class FoundError:
    """One error. `message` is as printed, without label, colours and prefixes; its lines are joined by a line feed.

    `reader` names who found it; `frames` are outermost first, whatever order the tool prints them in.
    """

    reader: str
    role: Role
    message: str
    span: Span
    error_class: str | None = None
    code: str | None = None
    http_status: int | None = None
    sqlstate: str | None = None
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class CleanLine:
    """A line without colours, container names, timestamps and levels; `number` is its original line, 0-based.

    `indent` counts the columns before its first word, after the prefix was taken off; `level` is the level the prefix
    named, in upper case.
    """

    text: str
    number: int
    indent: int
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Begins:
    """What tells the lines at which an error of a reader may begin: rather too many of them than one too few.

    lines: patterns in RE2's syntax, searched for in the text of a line. below: the same, in the line behind it.
    levels: every line at one of these levels. notes: patterns of lines the reader has to know of, though no error
    begins there.
    """

    lines: tuple[str, ...]
    below: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    levels: frozenset[str] = frozenset()


class Reader(Protocol):
    """Reads the errors of one family of tools. A line that `begins` does not tell of is no beginning."""

    name: str
    begins: Begins

    def read(self, lines: Sequence[CleanLine]) -> Iterable[FoundError]:
        """The errors of this family in these lines, in their order; time linear in the text, whatever it holds."""
        ...
