"""Which of many expressions occur in a text? The protocol, and what its two engines share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.matching.expressions import Expression


@dataclass(frozen=True, slots=True, order=True)
class Key:
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


@dataclass(frozen=True, slots=True)
class Refused:
    """An expression no engine takes: it is left out of the pattern tier and reported."""

    record_id: str
    regex: str
    why: str


class Scanner(Protocol):
    """Finds candidates in one pass, in time linear in the text, however many expressions there are.

    A candidate may turn out not to match when its regex is applied to the line; an expression that matches is always
    among the candidates.
    """

    def candidates(self, lines: Sequence[str]) -> Iterator[tuple[Key, int]]:
        """Keys with the index of the line on which a match ends, each pair once, in no order to be relied on."""
        ...
