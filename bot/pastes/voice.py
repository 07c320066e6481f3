"""Does a text ask or tell? The patterns and their manual are in voice.txt."""

import functools
from collections import Counter
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
    patterns, kinds = _patterns()
    counts = Counter(kinds[number] for number in patterns.Match(text[:_READ].lower()) or ())
    return Voice(min(counts["asks"], 4) / 4, min(counts["tells"], 4) / 4, counts["trouble"] > 0)


@functools.cache
def _patterns() -> tuple["re2.Set", list[str]]:
    """All patterns in one set, so that they take one walk over the text, and the kind of each by its number."""
    patterns = re2.Set.SearchSet()
    kinds: list[str] = []
    text = resources.files("bot.pastes").joinpath("voice.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, pattern = line.partition("\t")
            patterns.Add(pattern)
            kinds.append(kind)
    patterns.Compile()
    return patterns, kinds
