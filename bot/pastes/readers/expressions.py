"""Regular expressions over hostile text: RE2 beneath, so the time is linear in the line, whatever it holds."""

from typing import Protocol

import re2


class Match(Protocol):
    """What a reader asks of a match."""

    def group(self, name: str, /) -> str | None: ...

    def start(self, name: str | int = 0, /) -> int: ...

    def end(self, name: str | int = 0, /) -> int: ...


class Expression:
    """One expression. Half a surrogate pair, which RE2 cannot read, is read as a question mark."""

    __slots__ = ("_compiled",)

    def __init__(self, pattern: str) -> None:
        self._compiled = re2.compile(pattern)

    def match(self, text: str) -> Match | None:
        """The match that begins where the text begins."""
        found: Match | None = self._compiled.match(_readable(text))
        return found

    def search(self, text: str) -> Match | None:
        """The leftmost match."""
        found: Match | None = self._compiled.search(_readable(text))
        return found


def _readable(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
