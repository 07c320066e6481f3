"""How much a pattern says: whether finding it means anything (A3)."""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from unicodedata import east_asian_width

from bot.matching.expressions import Expression
from bot.pastes.normalise import fold, normalise_line

_WORD = re.compile(r"[^\W_]+(?:[_.'][^\W_]+)*")
# Of a regex: escapes, classes, the heads of groups (`(?i)`, `(?:`, `(?P<name>`) and operators.
_NO_WORDS = re.compile(r"\\.|\[[^\]]*\]|\(\?(?:P?<\w+>|[a-zA-Z-]*[:)])|[(){}.*+?^$|\d]")
# Chosen on the development pastes and 104,000 lines of chat: below either, most hits were by chance.
FEWEST_LETTERS = 12
FEWEST_COMMON_LETTERS = 25
_COMMON, _UNCOMMON, _IDENTIFIER = 1.0, 2.5, 3.5


@dataclass(frozen=True, slots=True)
class Specificity:
    """`letters`: letters and digits in the fixed parts. `weight`: a common word counts 1, another 2.5, a name 3.5.

    `rare_words`: how many are not common. `of_runtime`: whether it says no more than runtimes print of any program.
    """

    letters: int
    weight: float
    rare_words: int
    of_runtime: bool = False

    @property
    def weak(self) -> str | None:
        """Why the pattern alone is no reason to speak, or None when it is one."""
        if self.letters < FEWEST_LETTERS:
            return f"only {self.letters} fixed letters, at least {FEWEST_LETTERS} are needed"
        if self.letters < FEWEST_COMMON_LETTERS and not self.rare_words:
            return "its few fixed words are all common in ordinary talk"
        if self.of_runtime:
            return "a language or a system prints the same of any program"
        return None


@functools.lru_cache(maxsize=65_536)
def specificity(expression: Expression) -> Specificity:
    """Measured on the fixed words; a regex written by hand counts with its letters outside of classes and groups."""
    literals = expression.literals or (_NO_WORDS.sub(" ", expression.regex),)
    words = [word for literal in literals for word in _WORD.findall(literal)]
    letters = sum(map(_letters, literals))
    weights = [_weight(word) for word in words]
    rare = sum(weight > _COMMON for weight in weights)
    return Specificity(letters, sum(weights), rare, of_runtime=_spaced(words) in _runtime_messages())


def _letters(text: str) -> int:
    """How many letters of an alphabet it is worth: a Chinese or Korean one says as much as two."""
    if text.isascii():
        return letters_in(text)
    return sum(letter.isalnum() * (2 if east_asian_width(letter) in "WF" else 1) for letter in text)


def letters_in(text: str) -> int:
    """How many letters and digits it has, of any script."""
    return len(text.encode().translate(None, _NO_LETTERS)) if text.isascii() else sum(map(str.isalnum, text))


_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())


def is_common(word: str) -> bool:
    """Whether a word in lower case tells little."""
    return word in _common_words() or len(word) == 1 or word.isdigit()


def _weight(word: str) -> float:
    if is_common(word):
        return _COMMON
    parts = re.split(r"[_.]", word)
    if len(parts) > 1 or any(letter.isdigit() for letter in word):
        return _IDENTIFIER
    return _UNCOMMON


def _spaced(words: Iterable[str]) -> str:
    return f" {' '.join(words)} "


@functools.cache
def _runtime_messages() -> str:
    """The words of each message, a line each; what says no more than one of them is found in it."""
    text = resources.files("bot.matching").joinpath("runtime_messages.txt").read_text(encoding="utf-8")
    messages = [line for line in text.split("\n") if line and not line.startswith("#")]
    return "\n".join(_spaced(_WORD.findall(fold(normalise_line(message)))) for message in messages)


@functools.cache
def _common_words() -> frozenset[str]:
    text = resources.files("bot.matching").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))
