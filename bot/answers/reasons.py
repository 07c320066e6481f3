"""Why a record was found, in words."""

from collections.abc import Sequence

from bot.answers.cleaning import clean_line
from bot.locales.words import Words
from bot.matching.verdict import Because, Reason

# Texts of a record that a guess can be close to, as people call them.
_FACETS = frozenset({Because.CLOSE, Because.NEAREST})


def in_words(reasons: Sequence[Reason], words: Words, limit: int | None = None) -> str:
    """One sentence of the reasons, the weightiest first; "" where there are none.

    With a limit in characters those are left out that would go beyond it; the first may itself be longer.
    """
    said = ""
    for reason in reasons:
        longer = f"{said}; {_one(reason, words)}" if said else _one(reason, words)
        if said and limit is not None and len(longer) >= limit:
            break
        said = longer
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _one(reason: Reason, words: Words) -> str:
    subject = words(f"facet-{reason.subject}") if reason.because in _FACETS else clean_line(reason.subject)
    return words(f"reason-{reason.because}", subject=subject, number=reason.number)
