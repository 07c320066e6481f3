"""Error messages as they stand in source code, taken apart, and the regex for what a program prints from them."""

import re
from dataclasses import dataclass

from bot.records.placeholders import Placeholder, placeholder_at, verb_at

__all__ = [
    "HOLE",
    "LAST_HOLE",
    "LONGEST_TEMPLATE",
    "Literal",
    "Piece",
    "Placeholder",
    "derive_pattern",
    "escape",
    "parse_template",
    "pattern_of",
]

# Real messages end at some 600 characters; beyond this many the rest of a template adds nothing to its recognition.
LONGEST_TEMPLATE = 8_192

# Middle: as little as possible, on one line. End of a line: all that is left of it, since a lazy group with nothing
# behind it would stop after one character.
# Both may be empty, unlike upstream's `(.+?)`, for programs do print `user '' not found`. Measured with 16,567 patterns
# of 8 or more literal characters: three more right hits and no wrong one in the 574 development pastes; 49 more hits in
# 104,000 lines of chat, all by one 8-character pattern that is weak either way.
HOLE, LAST_HOLE = "(.*?)", "(.*)"

# Upstream escapes what is special in JavaScript; RE2, Hyperscan and Python read the same escapes.
_SPECIAL_IN_REGEX = re.compile(r"[.*+?^${}()|\[\]\\]")


@dataclass(frozen=True, slots=True)
class Literal:
    """Text the program prints as it is, escapes such as `{{` and `%%` resolved."""

    text: str


Piece = Literal | Placeholder


def parse_template(message: str) -> tuple[Piece, ...]:
    """The pieces of a message in order; no two literals stand side by side, and none is empty.

    What lies beyond LONGEST_TEMPLATE characters is left out. Time grows with the length of the message.
    """
    pieces, braces_fit = _parse(message, doubled=_may_double_braces(message))
    return pieces if braces_fit else _parse(message, doubled=False)[0]


def derive_pattern(message: str) -> str:
    """An unanchored regex for what a program prints from this message; RE2, JavaScript, Hyperscan and Python read it.

    Each placeholder becomes one group, in order; white space around the message is left out. The value of a
    placeholder stands on one line. An empty message gives an empty pattern, which matches everything: the caller
    weighs how much a pattern says.
    """
    return pattern_of(parse_template(message.strip()))


def pattern_of(pieces: tuple[Piece, ...]) -> str:
    """The regex for these pieces, as `derive_pattern` describes it."""
    parts: list[str] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, Literal):
            parts.append(escape(piece.text))
            continue
        following = pieces[index + 1] if index + 1 < len(pieces) else None
        ends_line = following is None or (isinstance(following, Literal) and following.text[0] in "\r\n")
        parts.append(LAST_HOLE if ends_line else HOLE)
    return "".join(parts)


def escape(text: str) -> str:
    """A regex that matches just this text, escaped the way upstream does it."""
    # Hyperscan takes patterns as C strings, which end at a null.
    return _SPECIAL_IN_REGEX.sub(r"\\\g<0>", text).replace("\0", r"\x00")


_OPENERS = re.compile(r"[%{}$#]")
# `%n` is Java's line end; before a small letter it is prose (`%name`).
_LINE_END_VERB = re.compile(r"%n(?![a-z_])")


def _parse(message: str, *, doubled: bool) -> tuple[tuple[Piece, ...], bool]:
    """The pieces, and whether every brace had its place. With `doubled`, `{{` and `}}` stand for one brace."""
    pieces: list[Piece] = []
    literal: list[str] = []
    position, braces_fit = 0, True

    while position < LONGEST_TEMPLATE and (opener := _OPENERS.search(message, position)):
        start = opener.start()
        literal.append(message[position:start])
        if resolved := _escape_at(message, start, doubled=doubled):
            text, position = resolved
            literal.append(text)
            continue
        placeholder = placeholder_at(message, start)
        if placeholder is None:
            braces_fit &= opener[0] not in "{}"
            literal.append(opener[0])
            position = start + 1
            continue
        if text := "".join(literal):
            pieces.append(Literal(text))
        literal.clear()
        pieces.append(placeholder)
        position = start + len(placeholder.source)

    literal.append(message[position:LONGEST_TEMPLATE])
    if text := "".join(literal):
        pieces.append(Literal(text))
    return tuple(pieces), braces_fit


def _escape_at(message: str, start: int, *, doubled: bool) -> tuple[str, int] | None:
    """What is printed for the escape at this place, and where it ends."""
    pair = message[start : start + 2]
    if pair == "%%":
        return "%", start + 2
    if doubled and pair in ("{{", "}}"):
        return pair[0], start + 2
    if line_end := _LINE_END_VERB.match(message, start):
        return "\n", line_end.end()
    return None


def _may_double_braces(message: str) -> bool:
    """Whether `{{` can stand for one brace: not where `%s` or `${x}` show another kind of template."""
    if ("{{" not in message and "}}" not in message) or "${" in message:
        return False
    signs = re.finditer("%", message[:LONGEST_TEMPLATE])
    return all((verb := verb_at(message, sign.start())) is None or verb.source.startswith("%{") for sign in signs)
