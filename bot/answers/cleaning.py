"""Untrusted text made fit to be shown anywhere: nothing in it can move, hide or command what stands around it.

Markdown is not this file's business: the terminal shows an asterisk as an asterisk. Each edge escapes for itself.
"""

import re
import unicodedata

# Letters of a script may carry three or four marks (Vietnamese, Thai, Hebrew with accents); more only climbs into the
# lines above and below.
_MARKS_A_LETTER = 4
_JOINERS = "\u200c\u200d"
# Format characters one can see: signs that enclose the digits after them.
_VISIBLE_FORMAT = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Letters and symbols that are drawn as nothing; between words they look like a space, so they become one.
_BLANKS = dict.fromkeys(map(ord, "\u2800\u115f\u1160\u3164\uffa0\u17b4\u17b5"), " ")
_TERMINAL_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]"
)
_LINE_END = re.compile(r"\r\n?|[\u0085\u2028\u2029\v\f]")
_NEEDS_CARE = re.compile(r"[^\t\n -~]")


def clean(text: str) -> str:
    r"""Return the text without anything invisible: only `\n` and `\t` are left of the control characters.

    Terminal sequences, bidirectional controls, zero-width and tag characters are gone; every line end is `\n`; lone
    surrogates are U+FFFD; a letter keeps at most four marks. Joiners stay where a script or an emoji needs them.
    Cleaning twice is cleaning once. Time is linear.
    """
    if not _NEEDS_CARE.search(text):
        return text
    text = _LINE_END.sub("\n", _TERMINAL_SEQUENCE.sub("", text)).translate(_BLANKS)
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if category in {"Mn", "Me"}:
            marks += 1
            if marks <= _MARKS_A_LETTER:
                kept.append(character)
        elif character in _JOINERS:
            kept.append(character)
        elif category == "Cs":
            marks = 0
            kept.append("\ufffd")
        elif character in "\n\t" or character in _VISIBLE_FORMAT or category not in {"Cc", "Cf"}:
            marks = 0
            kept.append(character)
    return _without_loose_joiners("".join(kept))


def clean_line(text: str) -> str:
    """Return the text cleaned, on one line: every run of white space is one space, none at the ends."""
    return " ".join(clean(text).split())


def clean_code(text: str) -> str:
    """Return code cleaned, with its indentation (a tab is four spaces), without spaces at line ends or empty ends."""
    lines = [line.rstrip() for line in clean(text).expandtabs(4).split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return "\n".join(lines)


def _without_loose_joiners(text: str) -> str:
    """Keep a joiner only between two characters beyond ASCII; elsewhere it hides a difference and joins nothing."""
    if not any(joiner in text for joiner in _JOINERS):
        return text
    kept: list[str] = []
    for index, character in enumerate(text):
        if character in _JOINERS:
            after = text[index + 1 : index + 2]
            if not kept or kept[-1] <= "\x7f" or kept[-1] in _JOINERS or after <= "\x7f" or after in _JOINERS:
                continue
        kept.append(character)
    return "".join(kept)
