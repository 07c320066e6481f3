"""A verdict as the JSON object that programs read."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bot.answers.cleaning import clean_line
from bot.answers.reasons import in_words
from bot.locales.words import Words
from bot.matching.verdict import Match, Quote, ReadFrom, Verdict
from bot.pastes.lacks import lack_of
from bot.pastes.paste import Paste
from bot.pastes.redaction import redact
from bot.records.entry import Entry

# Programs read the same whatever language people chose.
ENGLISH = Words.for_language("en")


class EntrySource(Protocol):
    """Where the repository and the slug of a record are known; `Answering` does."""

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        """The entries of these ids; unknown ids are left out."""
        ...


async def verdict_json(verdict: Verdict, source: EntrySource, catalogue: str, paste: Paste) -> dict[str, Any]:
    """One object: `matches` and `others` (best first), `shown`, `catalogue`, and how the paste was read.

    `skipped` names what was not read of it, and why; `lacks` what is missing from a paste without a match, by the rules
    of bot/pastes/lacks.txt, else it is null.
    """
    entries = await source.entries([match.record_id for match in (*verdict.matches, *verdict.others)])
    lack = None if verdict.matches else lack_of(paste)
    return {
        "matches": [_match_json(match, entries) for match in verdict.matches],
        "others": [_match_json(match, entries) for match in verdict.others],
        "shown": verdict.shown and bool(verdict.matches),
        "is_error": verdict.is_error,
        "why_error": verdict.why_error,
        "degraded": verdict.degraded,
        "skipped": [{"name": redact(clean_line(part.name)).text, "why": part.why.value} for part in paste.skipped],
        "lacks": {"name": lack.name, "tool": lack.tool} if lack else None,
        "catalogue": catalogue,
    }


def _match_json(match: Match, entries: Mapping[str, Entry]) -> dict[str, Any]:
    entry = entries.get(match.record_id)
    quote = match.quote
    return {
        "id": match.record_id,
        "repo": entry.repo if entry else None,
        "slug": entry.slug if entry else None,
        "tier": match.tier.value,
        "probability": round(match.probability, 4),
        "reason": in_words(match.reasons, ENGLISH),
        "related": match.related,
        "quote": _quote_json(quote) if quote else None,
        "captures": [{"name": capture.name, "value": capture.value} for capture in match.captures],
    }


def _quote_json(quote: Quote) -> dict[str, Any]:
    """`read_from` is there where it was not text: "picture" or "picture-unsurely"."""
    said: dict[str, Any] = {"line": quote.line, "part": quote.part, "line_number": quote.line_number}
    return said if quote.read_from is ReadFrom.TEXT else {**said, "read_from": quote.read_from.value}
