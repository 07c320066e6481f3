"""What was read from a picture, as lines of text, and how sure of them one can be.

An engine finds pieces of text with their places; here they become the lines a person would see. What it is not sure of
is left out, because a pattern that matches something nobody printed gives a wrong answer.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from bot.pastes.paste import Part, Skipped

# From the second table of `python -m tests.benchmarks pictures`, 399 lines: at SURE and above 3 letters of 1,000 are
# wrong, and 9 lines of 10 are without a fault; from there down to READABLE 3 letters of 100 are wrong, below it half.
SURE = 0.97
READABLE = 0.80
# A picture most of whose letters cannot be read is a photo of a screen, or no text at all; the few lines of it that
# seem well read are as likely to be made up.
_READABLE_SHARE = 0.5
# Text that needs so many spaces at its left is in another column, not indented.
_WIDEST_GAP = 60
# A quoted word the engine has put onto the next one: its spaces beside quotes are the faintest.
_GLUED = re.compile(r"(?<![\w'\"`])(?P<word>(?P<mark>['\"`])[^\s'\"`]+(?P=mark))(?=\w)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text in a picture. Places are pixels from the picture's upper left corner; confidence is 0 to 1."""

    text: str
    confidence: float
    left: float
    top: float
    right: float
    bottom: float


def part_of(pieces: Iterable[Piece], name: str) -> Part | Skipped:
    """Return the text of a picture, line by line with how sure each is, or why there is none.

    EMPTY where no text was found, UNSURE where most of it could not be read.
    """
    found = [piece for piece in pieces if piece.text.strip()]
    if not found:
        return Skipped.EMPTY
    lines = _lines(found)
    kept = [(text, confidence) for text, confidence in lines if confidence >= READABLE]
    if sum(len(text) for text, _ in kept) < _READABLE_SHARE * sum(len(text) for text, _ in lines):
        return Skipped.UNSURE
    return Part("\n".join(text for text, _ in kept), name, confidences=tuple(confidence for _, confidence in kept))


def _lines(pieces: Sequence[Piece]) -> list[tuple[str, float]]:
    """Lines from top to bottom; each is as sure as its least sure piece."""
    cell = _cell(pieces)
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.top + piece.bottom):
        if rows and _is_beside(piece, rows[-1][0]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    margin = min(piece.left for piece in pieces)
    return [_line(sorted(row, key=lambda piece: piece.left), margin, cell) for row in rows]


def _cell(pieces: Sequence[Piece]) -> float:
    """How wide a letter is, in pixels."""
    return max(1.0, median((piece.right - piece.left) / len(piece.text) for piece in pieces))


def _is_beside(piece: Piece, other: Piece) -> bool:
    """Whether two pieces stand on one line: their middles are nearer than half the height of the lower one."""
    apart = abs((piece.top + piece.bottom) - (other.top + other.bottom)) / 2
    return apart < min(piece.bottom - piece.top, other.bottom - other.top) / 2


def _line(row: Sequence[Piece], margin: float, cell: float) -> tuple[str, float]:
    """The pieces of a row with the spaces between them, the first indented as it is in the picture."""
    text, end = "", margin
    for piece in row:
        gap = round((piece.left - end) / cell)
        # Two pieces were two because there is a gap; at the margin half a letter is none.
        text += " " * min(max(gap, 1 if text else 0), _WIDEST_GAP) + " ".join(piece.text.split())
        end = piece.right
    return _GLUED.sub(r"\g<word> ", text), min(piece.confidence for piece in row)
