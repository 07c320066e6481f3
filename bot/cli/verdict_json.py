"""A verdict as the JSON object that programs read."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bot.answers.reasons import in_words
from bot.locales.words import Words
from bot.matching.verdict import Match, Verdict
from bot.records.entry import Entry

# Programs read the same whatever language people chose.
ENGLISH = Words.for_language("en")


class EntrySource(Protocol):
    """Where the repository and the slug of a record are known; `Answering` does."""

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        """The entries of these ids; unknown ids are left out."""
        ...


async def verdict_json(verdict: Verdict, source: EntrySource, catalogue: str) -> dict[str, Any]:
    """One object: `matches` and `others` (best first), `shown`, `catalogue`, and how the paste was read."""
    entries = await source.entries([match.record_id for match in (*verdict.matches, *verdict.others)])
    return {
        "matches": [_match_json(match, entries) for match in verdict.matches],
        "others": [_match_json(match, entries) for match in verdict.others],
        "shown": verdict.shown and bool(verdict.matches),
        "is_error": verdict.is_error,
        "why_error": verdict.why_error,
        "degraded": verdict.degraded,
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
        "quote": {"line": quote.line, "part": quote.part, "line_number": quote.line_number} if quote else None,
        "captures": [{"name": capture.name, "value": capture.value} for capture in match.captures],
    }
