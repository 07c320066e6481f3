"""Which of the records that matched is the one? Evidence decides, and says why."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.matching.calibration import Weights, probability
from bot.matching.features import Examined, Examiner, Features
from bot.matching.pattern_tier import Hit, Place
from bot.matching.reading import Reading
from bot.matching.verdict import Because, Reason

FEATURE_NAMES = Features._fields

# Without a sign of an error close by, the message has to make up nearly all of its line: then it was pasted, not
# talked about. With fewer words around it a sentence is hardly a sentence.
_PASTED_COVERAGE = 0.75
_MOST_PROSE = 2
# So many letters at the start of a line were copied, whatever is said behind them.
_NOBODY_TYPES = 60
# Discord's quote; more marks than one are a prompt or a mail.
_QUOTE_MARK = re.compile(r">\s?(?!>)\S")
# A listed error that is found is not the record's own: it is shown on request, as what it is, and never unasked.
_RELATED_LOGIT = -1.0


class Ranked(NamedTuple):
    """A hit with its likelihood; `pasted` tells whether it may cause an answer nobody asked for."""

    examined: Examined
    logit: float
    probability: float
    pasted: bool

    @property
    def hit(self) -> Hit:
        return self.examined.hit

    @property
    def where(self) -> tuple[int, int]:
        """Part and first line of its best place."""
        return self.examined.place.part, self.examined.place.line.first


def rank(hits: Sequence[Hit], reading: Reading, weights: Weights) -> list[Ranked]:
    """One entry a record, most likely first; equal ones by what they explain, then by id, never by catalogue order."""
    signs = {number: part.signs for number, part in enumerate(reading.parts)}
    examiner = Examiner(reading.evidence, signs)
    # Copies of a record that agree with the paste in the same way are examined alike, and share these objects.
    quoted: dict[int, bool] = {}
    alike: dict[tuple[int, bool], Ranked] = {}
    best: dict[str, Ranked] = {}
    for hit in hits:
        examined = examiner.examine(hit)
        first = alike.get((id(examined.features), hit.related))
        if first is None:
            place = examined.place
            if id(place) not in quoted:
                quoted[id(place)] = signs[place.part].mostly_code or _quoted(place, reading)
            ranked = _ranked(examined, weights, shown_only=quoted[id(place)])
            alike[id(examined.features), hit.related] = ranked
        else:
            ranked = Ranked(examined, first.logit, first.probability, first.pasted)
        known = best.get(hit.facts.id)
        if known is None or ranked.logit > known.logit:
            best[hit.facts.id] = ranked
    return sorted(best.values(), key=_order)


def reasons(ranked: Ranked, others: Sequence[Ranked]) -> tuple[Reason, ...]:
    """Why this record and not another, as things a person can check."""
    said = [_message_found(ranked.examined), *_agreements(ranked.examined)]
    rivals = [other for other in others if other is not ranked and other.where == ranked.where]
    same = sum(1 for other in rivals if abs(other.logit - ranked.logit) < 0.1)
    if same:
        said.append(Reason(Because.SAME_MESSAGE, number=same))
    elif rivals and max(other.logit for other in rivals) < ranked.logit:
        said.append(Reason(Because.EXPLAINS_MORE))
    if ranked.examined.surroundings.wrapped:
        said.append(Reason(Because.JOINED))
    return tuple(said)


def _message_found(examined: Examined) -> Reason:
    if examined.hit.related:
        return Reason(Because.RELATED)
    return Reason(Because.WHOLE_LINE if examined.surroundings.coverage >= _PASTED_COVERAGE else Because.IN_TEXT)


def _agreements(examined: Examined) -> Iterator[Reason]:
    """What else of the paste speaks for the record."""
    agrees, facts = examined.agreement, examined.hit.facts
    if agrees.line:
        yield Reason(Because.LINE_NAMED, f"{facts.file_path}:{facts.line_number}")
    elif agrees.path > 1 and facts.file_path:
        yield Reason(Because.FILE_NAMED, facts.file_path.rsplit("/", 1)[-1])
    if examined.features.class_before and facts.error_class:
        yield Reason(Because.CLASS_BEFORE, facts.error_class)
    elif examined.features.class_seen and facts.error_class:
        yield Reason(Because.CLASS_SEEN, facts.error_class)
    if agrees.code_seen and facts.error_code:
        yield Reason(Because.CODE_SEEN, facts.error_code)
    if agrees.status_seen and facts.http_status:
        yield Reason(Because.STATUS_SEEN, number=facts.http_status)
    if agrees.package:
        yield Reason(Because.PACKAGE, facts.repo.split("/")[-1])


def _ranked(examined: Examined, weights: Weights, *, shown_only: bool) -> Ranked:
    logit = weights.logit(FEATURE_NAMES, examined.features)
    if examined.hit.related:
        whole = examined.surroundings.coverage >= _PASTED_COVERAGE
        logit = _RELATED_LOGIT if whole else min(logit, _RELATED_LOGIT) + _RELATED_LOGIT
    return Ranked(examined, logit, probability(logit), not shown_only and _pasted(examined))


def _quoted(place: Place, reading: Reading) -> bool:
    """Whether the message stands in a quote of somebody else's words: so helpers say what they answer (A4).

    A single quoted line always is one. Quotes of several lines are also how mail programs and people in a hurry paste
    what their terminal printed; there the words beside the quote tell who speaks.
    """
    originals = reading.parts[place.part].originals
    line = place.line
    if not _QUOTE_MARK.match(originals[line.first]):
        return False
    around = (originals[number] for number in (line.first - 1, line.last + 1) if 0 <= number < len(originals))
    single = line.last == line.first and not any(text.lstrip().startswith(">") for text in around)
    return single or reading.voice.tells > reading.voice.asks


def _pasted(examined: Examined) -> bool:
    """Whether the message was pasted rather than talked about, and says enough to be no accident."""
    around = examined.surroundings
    if examined.hit.related or around.in_code:
        return False
    if examined.specificity.weak and not _corroborated(examined):
        return False
    if around.near_sign and around.starts:
        return True
    if around.prose_before + around.prose_after <= _MOST_PROSE and around.coverage >= _PASTED_COVERAGE:
        return True
    return around.starts and not around.prose_before and examined.specificity.letters >= _NOBODY_TYPES


def _corroborated(examined: Examined) -> bool:
    """Whether more than its few words speaks for a weak pattern (A3): a place in the source, its code, its project.

    Its class does not: `ZeroDivisionError` says no more than "division by zero".
    """
    agrees = examined.agreement
    return bool(agrees.line or agrees.path > 1 or agrees.code_seen or agrees.package)


def _order(ranked: Ranked) -> tuple[float, int, str]:
    return -ranked.logit, -ranked.examined.specificity.letters, ranked.hit.facts.id
