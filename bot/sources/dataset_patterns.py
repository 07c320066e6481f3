"""Is a pattern a regex at all? Upstream writes them for JavaScript."""

import re
import warnings

from bot.matching.expressions import refusal

# Literals and `(.+?)`, as upstream derives them: nothing in them can be wrong, and nearly all patterns are of them.
_DERIVED = re.compile(r"(?:\\[^\w\s]|\(\.[+*]\??\)|[^\\\[\](){}.*+?^$|])*")
# What JavaScript writes in another way than Python.
_JAVASCRIPT = re.compile(r"\\.|\(\?<(?![=!])|\[\^\]|\[\]", re.DOTALL)
_IN_PYTHON = {"(?<": "(?P<", "[^]": r"[\s\S]", "[]": "(?!)"}
# What RE2 refuses is looked at by a parser that recurses; the longest real ones have some hundred characters.
_LONGEST_DOUBTFUL = 5_000


def fault_of(pattern: str) -> str | None:
    """Why this is no regex, None where it is one.

    A regex with look-around or a back reference is one, though no engine here takes it: its record is left out of the
    exact tier and reported, which is no reason to refuse a dataset.
    """
    if _DERIVED.fullmatch(pattern):
        return None
    why = refusal(pattern)
    if why is None:
        return None
    if len(pattern) > _LONGEST_DOUBTFUL:
        return f"{why} (and it is {len(pattern)} characters long)"
    return why if _refused_by_python(pattern) else None


def _refused_by_python(pattern: str) -> bool:
    translated = _JAVASCRIPT.sub(_translated, pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sets that will one day mean something else
            re.compile(translated)
    except (re.error, OverflowError, RecursionError):
        return True
    return False


def _translated(found: re.Match[str]) -> str:
    piece = found[0]
    if piece.startswith("\\"):
        # `\k<name>` needs its name, and `\u{1F600}`, `\cJ` and `\p{L}` stand for characters, whichever they are.
        return {"\\k": "(?:)", "\\u": "u", "\\c": "c", "\\p": "p", "\\P": "p", "\\/": "/"}.get(piece, piece)
    return _IN_PYTHON[piece]
