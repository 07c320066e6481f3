"""What groups questions: the same for two pastes of one error, and no way back to either."""

import hashlib
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2

from bot.triage.masks import mask, read_lines, shipped_list, shipped_masks

# A message is longer than this only where values were printed into it.
_LONGEST_LINE = 400
_NEXT_LINE = "+1"
_NEVER = "never"


@dataclass(frozen=True, slots=True)
class Sign:
    """What a line looks like that says what went wrong; with `and_next` the message stands on the line after it."""

    name: str
    regex: Any  # google-re2 ships no types
    and_next: bool

    def told_by(self, line: str) -> str | None:
        """What the line says by this sign: the regex's group, or else all of it; None where it does not match."""
        found = self.regex.search(line)
        if found is None:
            return None
        return str(found.group(1)) if self.regex.groups else line


def fingerprint(text: str) -> str:
    """16 hex digits, the same for pastes whose telling line differs only in paths, numbers, addresses and the like."""
    return hashlib.sha256(telling_line(text).encode("utf-8", "replace")).hexdigest()[:16]


def telling_line(text: str) -> str:
    """The masked line that says what went wrong; of a text without one, the whole of it, masked."""
    plain = unicodedata.normalize("NFKC", text)
    lines = [short for line in plain.splitlines() if (short := line.strip()[:_LONGEST_LINE])]
    any_sign, never, signs = shipped_signs()
    # One look at each line with all signs at once: a log of 5 MB has tens of thousands of lines that say nothing.
    telling = [number for number, line in enumerate(lines) if any_sign.search(line)]
    telling = [number for number in reversed(telling) if not any(sign.regex.search(lines[number]) for sign in never)]
    for sign in signs:
        for number in telling:
            told = sign.told_by(lines[number])
            if told is not None:
                return _masked(lines[number + 1] if sign.and_next and number + 1 < len(lines) else told)
    return _masked(" ".join(lines)[: 4 * _LONGEST_LINE])


@cache
def shipped_signs() -> tuple[Any, tuple[Sign, ...], tuple[Sign, ...]]:
    """The signs of noise/signs.txt: all in one regex; those of lines never looked at; the others, the surest first."""
    signs = [
        Sign(name.removesuffix(_NEXT_LINE), regex, name.endswith(_NEXT_LINE))
        for _, name, regex in read_lines("signs.txt", shipped_list("signs.txt"))
    ]
    never = tuple(sign for sign in signs if sign.name == _NEVER)
    others = tuple(sign for sign in signs if sign.name != _NEVER)
    return re2.compile("|".join(f"(?:{sign.regex.pattern})" for sign in others)), never, others


def _masked(text: str) -> str:
    return " ".join(mask(text, shipped_masks()).split()).casefold()


if __name__ == "__main__":
    told = telling_line(sys.stdin.read())
    sys.stdout.write(f"{told}\n")
