"""Does a text ask or tell? The patterns and their manual are in voice.txt."""

import functools
from dataclasses import dataclass
from importlib import resources

import re2

# Who asks says so at once; a log behind it says nothing of the voice.
_READ = 2_000


@dataclass(frozen=True, slots=True)
class Voice:
    """How many of the patterns that ask and tell occur, as a share of four: more make no difference.

    `trouble`: whether anything is said to go wrong.
    """

    asks: float
    tells: float
    trouble: bool


def voice(text: str) -> Voice:
    """The voice of a normalised text."""
    lowered = text[:_READ].lower()
    counts = {kind: sum(1 for pattern in patterns if pattern.search(lowered)) for kind, patterns in _patterns().items()}
    return Voice(min(counts["asks"], 4) / 4, min(counts["tells"], 4) / 4, counts["trouble"] > 0)


@functools.cache
def _patterns() -> dict[str, list["re2._Regexp"]]:
    found: dict[str, list[re2._Regexp]] = {"asks": [], "tells": [], "trouble": []}
    text = resources.files("bot.pastes").joinpath("voice.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, pattern = line.partition("\t")
            found[kind].append(re2.compile(pattern))
    return found
