"""All tiers in order: exact patterns first, the nearest records only where none speaks, else silence."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import BotError
from bot.matching import chains, nearest_tier, pattern_ranking
from bot.matching.calibration import Calibration, Thresholds
from bot.matching.expressions import expressions_of
from bot.matching.facts import FactSource
from bot.matching.nearest_tier import NO_GUESSES, Guesses, Near, NearestTier
from bot.matching.pattern_ranking import Ranked
from bot.matching.pattern_tier import confirm, scan
from bot.matching.reading import Reading, read
from bot.matching.scanner import Scanner
from bot.matching.specificity import specificity
from bot.matching.verdict import Match, Quote, Tier, Verdict
from bot.pastes.normalise import normalise_line
from bot.pastes.paste import Paste
from bot.pastes.redaction import redact
from embeddings.errors import EmbeddingsError

MOST_MATCHES = 5
MOST_OTHERS = 10
_QUOTE_LENGTH = 300
# One word is near to something always; a guess nobody asked for needs a sentence to go by.
FEWEST_WORDS = 4
SURE_CAUSE = 0.75


@dataclass(frozen=True, slots=True)
class Tiers:
    """What one generation of the catalogue is searched with; replaced as a whole when the catalogue changes.

    `nearest` is None where there is no index or no model; `degraded` is then the sentence that says so.
    """

    scanners: tuple[Scanner, ...]
    facts: FactSource
    nearest: NearestTier | None = None
    degraded: str | None = None


class Matcher:
    """Matches pastes against the tiers it holds at the moment a paste arrives."""

    def __init__(self, tiers: Tiers, calibration: Calibration, places: int = 2) -> None:
        """places: how many pastes are worked on at a time; further ones wait, the gateway's heartbeat does not."""
        self.tiers = tiers
        self._calibration = calibration
        self._places = asyncio.Semaphore(places)

    async def match(self, paste: Paste) -> Verdict:
        """Try the tiers from the most certain down; the first that is sure enough speaks."""
        async with self._places:
            tiers = self.tiers
            reading = await asyncio.to_thread(read, paste)
            ranked = await self._ranked(reading, tiers)
            thresholds = self._calibration.pattern_thresholds
            if ranked and ranked[0].probability >= thresholds.show:
                return await asyncio.to_thread(_exact_verdict, ranked, reading, thresholds)
            return await self._nearest_verdict(reading, tiers)

    async def _ranked(self, reading: Reading, tiers: Tiers) -> list[Ranked]:
        found = await asyncio.to_thread(scan, reading, tiers.scanners)
        if not found:
            return []
        facts = await tiers.facts.facts_of(list(found))
        return await asyncio.to_thread(
            lambda: pattern_ranking.rank(confirm(found, facts), reading, self._calibration.pattern)
        )

    async def _nearest_verdict(self, reading: Reading, tiers: Tiers) -> Verdict:
        guesses, degraded = NO_GUESSES, tiers.degraded
        if tiers.nearest is not None:
            try:
                guesses = await tiers.nearest.find(reading)
            except (BotError, EmbeddingsError) as why:
                degraded = str(why)
        likely = [one for one in guesses.near if one.probability >= guesses.thresholds.show][:MOST_MATCHES]
        act = guesses.thresholds.act if reading.is_error else guesses.thresholds.act_prose
        shown = bool(likely) and likely[0].probability >= act and may_guess(reading, guesses)
        return Verdict(
            tuple(_near_match(one) for one in likely),
            (),
            reading.is_error,
            reading.why_error,
            shown and not _says_little(likely[0]),
            degraded,
        )


def may_guess(reading: Reading, guesses: Guesses) -> bool:
    """Whether a guess nobody asked for may be made at a text at all, however near a record is."""
    if reading.mostly_code or len(reading.whole.split()) < FEWEST_WORDS:
        return False
    return reading.is_error or (reading.voice.trouble and not guesses.by_words)


def _exact_verdict(ranked: Sequence[Ranked], reading: Reading, thresholds: Thresholds) -> Verdict:
    likely = [one for one in ranked if one.probability >= thresholds.show]
    best = _root_cause(_first(likely, thresholds.act), likely, reading, thresholds.act)
    ordered = [best, *(one for one in likely if one is not best)]
    others = [one for one in ordered[1:] if one.probability >= thresholds.act and one.where != best.where]
    matches = {one.hit.facts.id: _match(one, ordered, reading) for one in ordered[: MOST_MATCHES + MOST_OTHERS]}
    return Verdict(
        tuple(matches[one.hit.facts.id] for one in ordered[:MOST_MATCHES]),
        tuple(matches[one.hit.facts.id] for one in _one_a_place(others) if one.hit.facts.id in matches)[:MOST_OTHERS],
        reading.is_error,
        reading.why_error,
        best.probability >= thresholds.act and best.pasted,
    )


def _first(likely: Sequence[Ranked], act: float) -> Ranked:
    """The most likely one that may be posted unasked, else the most likely one."""
    return next((one for one in likely if one.pasted and one.probability >= act), likely[0])


def _root_cause(first: Ranked, likely: Sequence[Ranked], reading: Reading, act: float) -> Ranked:
    """The deepest link of the chain that `first` belongs to, of those that are sure enough; the likelier of equals.

    A record of another ecosystem is no link of it, however its message reads (A10), and a cause takes the place of its
    wrapper only where it is sure itself: runtimes end many chains with a sentence that says little.
    """
    part, line = first.where
    links = chains.depths(reading.parts[part].originals)
    chain, _ = links[line]

    def depth(one: Ranked) -> int:
        sure = one.pasted and one.probability >= act and one.where[0] == part
        sure = sure and one.examined.agreement.ecosystem >= 0 and one.probability >= SURE_CAUSE
        return links[one.where[1]][1] if sure and links[one.where[1]][0] == chain else links[line][1]

    return max([first, *likely], key=depth)


def _one_a_place(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The most likely record of each place: further errors of the paste, not further names for one."""
    seen: set[tuple[int, int]] = set()
    kept = []
    for one in ranked:
        if one.where not in seen:
            seen.add(one.where)
            kept.append(one)
    return kept


def _match(ranked: Ranked, others: Sequence[Ranked], reading: Reading) -> Match:
    place = ranked.examined.place
    return Match(
        record_id=ranked.hit.facts.id,
        tier=Tier.PATTERN,
        probability=ranked.probability,
        reasons=pattern_ranking.reasons(ranked, others),
        quote=_quote(place.part, place.line.first, place.line.cased, place.start, reading),
        captures=place.captures,
        related=ranked.hit.related,
    )


def _quote(part: int, first: int, cased: str, start: int, reading: Reading) -> Quote:
    """The original line, or where lines were joined the line as it was read, cut around the match."""
    original = normalise_line(reading.parts[part].originals[first])
    line = original if original in cased and len(original) > len(cased) // 2 else cased
    if len(line) > _QUOTE_LENGTH:
        begin = max(0, min(start, len(line) - _QUOTE_LENGTH) - 20)
        line = ("…" if begin else "") + line[begin : begin + _QUOTE_LENGTH] + "…"
    return Quote(redact(line).text, part, first + 1)


def _says_little(near: Near) -> bool:
    """Whether the record's message is what everybody says every day: near to it is no reason to speak either (A3)."""
    return all(specificity(expression).weak for expression in expressions_of(near.facts))


def _near_match(near: Near) -> Match:
    return Match(near.facts.id, Tier.NEAREST, near.probability, nearest_tier.reasons(near))
