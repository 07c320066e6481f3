"""Which of many expressions occur in a text? The protocol, and what its two engines share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from bot.matching.expressions import Expression
from bot.matching.line_blocks import LineText


class Key(NamedTuple):
    """Which expression of which record: `ordinal` counts the record's own from 0, its related errors from RELATED."""

    record_id: str
    ordinal: int

    @property
    def related(self) -> bool:
        return self.ordinal >= RELATED


# No record has nearly as many patterns of its own.
RELATED = 1000


@dataclass(frozen=True, slots=True)
class Keyed:
    """An expression with its key."""

    key: Key
    expression: Expression


class Sought(NamedTuple):
    """What a multi-pattern engine has to find for an expression: a regex, and whether it is literals with holes."""

    regex: str
    simple: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """An expression no engine takes: it is left out of the pattern tier and reported."""

    record_id: str
    regex: str
    why: str


class Spot(NamedTuple):
    """Where what some expressions need was seen: their number with this scanner, and the indexes of lines.

    It stands on `line`. Whether it stands again on a later line before `end`, the scanner does not tell.
    """

    number: int
    line: int
    end: int


class Scanner(Protocol):
    """Finds candidates in one pass, in time linear in the text, however many expressions there are.

    A candidate may turn out not to match when its regex is applied to the line. Of an expression that matches, every
    line with a match lies within a spot, from its line up to its end; only of one that runs over several lines fewer
    may be told, at least one of those a match ends on in each block of the text.
    """

    def spots(self, text: LineText) -> Iterable[Spot]:
        """What may match where, in no order to be relied on."""
        ...

    def keys(self, number: int) -> Sequence[Key]:
        """The expressions that a spot of this number may be of: those of copied records share one."""
        ...
