"""All tiers in order: exact patterns first, the nearest records only where none speaks, else silence."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.errors import BotError
from bot.matching import nearest_tier, pattern_ranking
from bot.matching.calibration import Calibration
from bot.matching.chains import chains, depth_at
from bot.matching.expressions import expressions_of
from bot.matching.facts import Facts, FactSource
from bot.matching.nearest_tier import NO_GUESSES, Guesses, Near, NearestTier
from bot.matching.pattern_ranking import Ranked
from bot.matching.pattern_tier import Candidate, confirm, scan
from bot.matching.pictured import with_pictures
from bot.matching.reading import Reading, read
from bot.matching.scanner import Scanner
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.specificity import specificity
from bot.matching.verdict import Match, Quote, Tier, Verdict
from bot.pastes.normalise import normalise_line
from bot.pastes.paste import Paste
from bot.pastes.redaction import redact
from embeddings.errors import EmbeddingsError

MOST_MATCHES = 5
MOST_OTHERS = 10
MOST_GUESSED_AT_ONCE = 16
_QUOTE_LENGTH = 300
# One word is near to something always; a guess nobody asked for needs a sentence to go by.
FEWEST_WORDS = 4
SURE_CAUSE = 0.85


@dataclass(frozen=True, slots=True)
class Tiers:
    """What one generation of the catalogue is searched with; replaced as a whole when the catalogue changes.

    `nearest` is None where there is no index or no model; `degraded` is then the sentence that says so.
    """

    scanners: tuple[Scanner, ...]
    facts: FactSource
    nearest: NearestTier | None = None
    degraded: str | None = None


@dataclass(frozen=True, slots=True)
class _Exact:
    """What the pattern tier found inside the scope, and its verdict where it is sure of a record.

    `elsewhere`: whether it is sure of a record outside.
    """

    likely: Sequence[Ranked]
    verdict: Verdict | None = None
    elsewhere: bool = False


_NOTHING_EXACT = _Exact(())


class Matcher:
    """Matches pastes against the tiers it holds at the moment a paste arrives."""

    def __init__(self, tiers: Tiers, calibration: Calibration, places: int = 2) -> None:
        """places: how many pastes are read and searched for patterns at a time; the heartbeat waits for none."""
        self.tiers = tiers
        self._calibration = calibration
        self._places = asyncio.Semaphore(places)
        self._guessing = asyncio.Semaphore(MOST_GUESSED_AT_ONCE)

    async def match(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
        """Try the tiers from the most certain down; the first that is sure enough speaks.

        Records outside the scope are as if they were not in the catalogue, but for one thing: where a pattern of theirs
        is sure, the paste is known to be another project's error, and no guess is made at it unasked.
        """
        async with self._places:
            tiers = self.tiers
            # Each change to a thread and back waits for the event loop: what computes goes there in as few as can be.
            reading, found = await asyncio.to_thread(_scanned, paste, tiers.scanners)
            exact = _NOTHING_EXACT
            if found:
                facts = await tiers.facts.facts_of(list(found))
                exact = await asyncio.to_thread(self._exact, reading, found, facts, scope)
        verdict = exact.verdict
        if verdict is None:
            # The index answers several questions in one go, so more of them wait here than compute above.
            async with self._guessing:
                verdict = await self._guessed_verdict(reading, exact, tiers, scope)
        return _in_original_lines(with_pictures(verdict, paste, reading), paste)

    def _exact(
        self, reading: Reading, found: Mapping[str, Sequence[Candidate]], facts: Mapping[str, Facts], scope: Scope
    ) -> _Exact:
        """What matches inside the scope, and what does outside, each ranked without the other."""
        inside = {record_id: one for record_id, one in facts.items() if scope.holds(one.repo, one.family)}
        outside = {record_id: one for record_id, one in facts.items() if record_id not in inside}
        thresholds = self._calibration.pattern_thresholds
        ranked = pattern_ranking.rank(confirm(found, inside), reading, self._calibration.pattern)
        likely = [one for one in ranked if one.probability >= thresholds.show]
        if speaks(likely, thresholds.act):
            return _Exact(likely, _exact_verdict(likely, reading, thresholds.act))
        elsewhere = pattern_ranking.rank(confirm(found, outside), reading, self._calibration.pattern)
        return _Exact(likely, elsewhere=speaks(elsewhere, thresholds.act))

    async def _guessed_verdict(self, reading: Reading, exact: _Exact, tiers: Tiers, scope: Scope) -> Verdict:
        guesses, degraded = NO_GUESSES, tiers.degraded
        if tiers.nearest is not None:
            try:
                guesses = await tiers.nearest.find(reading, scope)
            except (BotError, EmbeddingsError) as why:
                degraded = str(why)
        likely = [one for one in guesses.near if one.probability >= guesses.thresholds.show][:MOST_MATCHES]
        act = guesses.thresholds.act
        shown = bool(likely) and likely[0].probability >= act and may_guess(reading, guesses)
        guessed = Verdict(
            tuple(_near_match(one) for one in likely),
            (),
            reading.is_error,
            reading.why_error,
            shown and not exact.elsewhere and not _says_little(likely[0]),
            degraded,
        )
        return await asyncio.to_thread(_with_unsure, guessed, exact.likely, reading) if exact.likely else guessed


def _scanned(paste: Paste, scanners: Sequence[Scanner]) -> tuple[Reading, dict[str, list[Candidate]]]:
    """The paste as it was read, and what may match in it by record."""
    reading = read(paste)
    return reading, scan(reading, scanners)


def may_guess(reading: Reading, guesses: Guesses) -> bool:
    """Whether a guess nobody asked for may be made at a text at all, however near a record is."""
    if reading.mostly_code or len(reading.whole.split()) < FEWEST_WORDS:
        return False
    return reading.is_error or (reading.voice.trouble and not guesses.by_words)


def _in_original_lines(verdict: Verdict, paste: Paste) -> Verdict:
    """The verdict with quotes that name the line of the whole text where a part is an excerpt of it."""
    if all(part.numbers is None for part in paste.parts):
        return verdict

    def moved(match: Match) -> Match:
        if match.quote is None:
            return match
        line = paste.parts[match.quote.part].original_line(match.quote.line_number - 1)
        return replace(match, quote=replace(match.quote, line_number=line + 1))

    return replace(verdict, matches=tuple(map(moved, verdict.matches)), others=tuple(map(moved, verdict.others)))


def speaks(ranked: Sequence[Ranked], act: float) -> bool:
    """Whether the pattern tier is sure enough of a record to post it unasked; if not, the nearest are asked as well."""
    return any(_is_sure(one, act) for one in ranked)


def _is_sure(one: Ranked, act: float) -> bool:
    return one.pasted and one.probability >= act


def _exact_verdict(likely: Sequence[Ranked], reading: Reading, act: float) -> Verdict:
    """What is to be said where one of the patterns speaks."""
    sure = next(one for one in likely if _is_sure(one, act))
    best = _root_cause(sure, likely, reading, act)
    ordered = [best, *(one for one in likely if one is not best)]
    others = [one for one in ordered[1:] if one.probability >= act and one.where != best.where]
    matches = {one.hit.facts.id: _match(one, ordered, reading) for one in ordered[: MOST_MATCHES + MOST_OTHERS]}
    return Verdict(
        tuple(matches[one.hit.facts.id] for one in ordered[:MOST_MATCHES]),
        tuple(matches[one.hit.facts.id] for one in _one_a_place(others) if one.hit.facts.id in matches)[:MOST_OTHERS],
        reading.is_error,
        reading.why_error,
        shown=True,
    )


def _with_unsure(guessed: Verdict, likely: Sequence[Ranked], reading: Reading) -> Verdict:
    """The guesses, and with them patterns that matched but are not sure; the likelier first, of equals the pattern.

    What was sure enough of the guesses to be posted stays so where it stays first.
    """
    exact = [_match(one, likely, reading) for one in likely[:MOST_MATCHES]]
    found = {one.record_id: one for one in exact}
    found |= {one.record_id: one for one in guessed.matches if one.record_id not in found}
    merged = sorted(found.values(), key=lambda one: -one.probability)[:MOST_MATCHES]
    return replace(guessed, matches=tuple(merged), shown=guessed.shown and merged[0] is guessed.matches[0])


def _root_cause(first: Ranked, likely: Sequence[Ranked], reading: Reading, act: float) -> Ranked:
    """The deepest link of the chain that `first` belongs to, of those that are sure enough; the likelier of equals.

    A record of another ecosystem is no link of it, however its message reads (A10), and a cause takes the place of its
    wrapper only where it is sure itself: runtimes end many chains with a sentence that says little.
    """
    part, line = first.where
    rivals = [one for one in likely if one.where[0] == part and one.where[1] != line and _may_be_cause(one, act)]
    if not rivals:
        return first
    for chain in chains(reading.parts[part].errors):
        depth = depth_at(chain, line)
        if depth is not None and len(chain) > 1:
            depths = [depth_at(chain, one.where[1]) for one in rivals]
            deepest = max((each for each in depths if each is not None), default=-1)
            return rivals[depths.index(deepest)] if deepest > depth else first
    return first


def _may_be_cause(one: Ranked, act: float) -> bool:
    sure = one.pasted and one.probability >= max(act, SURE_CAUSE)
    return sure and one.examined.agreement.ecosystem >= 0


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
        quote=replace(
            _quote(place.part, place.line.first, place.line.cased, place.start, reading),
            line_count=place.line.last - place.line.first + 1,
        ),
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
