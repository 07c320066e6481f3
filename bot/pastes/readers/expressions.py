"""Regular expressions over hostile text: RE2 beneath, so the time is linear in the line, whatever it holds."""

from collections.abc import Iterator
from typing import Any, Protocol

import re2


class Match(Protocol):
    """What a reader asks of a match. A group is None where it took no part; which can, only its pattern tells."""

    lastindex: int | None

    def group(self, which: str | int = 0, /) -> Any: ...

    def __getitem__(self, which: str | int, /) -> Any: ...

    def groups(self) -> tuple[Any, ...]: ...

    def groupdict(self) -> dict[str, Any]: ...

    def start(self, which: str | int = 0, /) -> int: ...

    def end(self, which: str | int = 0, /) -> int: ...


class Expression:
    """One expression. Half a surrogate pair, which RE2 cannot read, is read as a question mark."""

    __slots__ = ("_compiled", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled = re2.compile(pattern)

    def match(self, text: str) -> Match | None:
        """The match that begins where the text begins."""
        found: Match | None = self._compiled.match(readable_by_re2(text))
        return found

    def fullmatch(self, text: str) -> Match | None:
        """The match that is the whole text."""
        found: Match | None = self._compiled.fullmatch(readable_by_re2(text))
        return found

    def search(self, text: str) -> Match | None:
        """The leftmost match."""
        found: Match | None = self._compiled.search(readable_by_re2(text))
        return found

    def finditer(self, text: str) -> Iterator[Match]:
        """All matches from left to right, none overlapping another."""
        found: Iterator[Match] = self._compiled.finditer(readable_by_re2(text))
        return found

    def sub(self, replacement: str, text: str) -> str:
        """The text with every match replaced."""
        replaced: str = self._compiled.sub(replacement, readable_by_re2(text))
        return replaced


def readable_by_re2(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair; places in it stay the same."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
