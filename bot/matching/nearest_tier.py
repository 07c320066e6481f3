"""The tier of guesses: records whose texts are near the paste, and how likely the nearest is right."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Protocol

from bot.errors import BotError
from bot.matching.calibration import WORDS_ALONE, Calibration, Thresholds, Weights, probability
from bot.matching.evidence import agreement, class_name, says_what_failed
from bot.matching.facts import Facts, FactSource
from bot.matching.reading import Reading
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.verdict import Because, Reason
from embeddings.nearest import NearRecord

MOST_CANDIDATES = 10


class NearestRecordsProtocol(Protocol):
    """What the tier asks."""

    @property
    def compared_by(self) -> str | None:
        """Name and revision of the encoder whose vectors are compared, known after the first question; None: words."""
        ...

    async def nearest(self, texts: Sequence[str], k: int, scope: Scope = EVERYTHING) -> list[NearRecord]:
        """The k nearest records of the scope, as if the index held no others."""
        ...


class NotCalibrated(BotError):
    """There are no weights for the encoder that made an index, so its similarities mean nothing (A8)."""

    def __init__(self, encoder: str) -> None:
        super().__init__(
            f"there are no thresholds for the encoder {encoder}; "
            "`python -m bot.evaluation.calibrate` measures them, `errata index` builds an index of the shipped encoder"
        )
        self.encoder = encoder


@dataclass(frozen=True, slots=True)
class NearFeatures:
    """The numbers of one near record; their weights are in calibration.json."""

    similarity: float
    coverage: float
    query_coverage: float
    lead: float
    is_error: float
    package: float
    class_seen: float
    class_named: float
    other_class: float
    code_seen: float
    same_ecosystem: float
    other_ecosystem: float
    path: float
    asks: float
    tells: float
    in_code: float

    def vector(self) -> list[float]:
        return list(_in_order(self))


FEATURE_NAMES = tuple(field.name for field in fields(NearFeatures))
_in_order = attrgetter(*FEATURE_NAMES)


@dataclass(frozen=True, slots=True)
class Near:
    """A near record with its likelihood."""

    facts: Facts
    record: NearRecord
    features: NearFeatures
    logit: float
    probability: float


@dataclass(frozen=True, slots=True)
class Guesses:
    """The nearest records, most likely first, and the thresholds that hold for what compared them.

    `by_words`: whether only words were compared. They cannot tell a question from a problem.
    """

    near: tuple[Near, ...]
    thresholds: Thresholds
    by_words: bool


NO_GUESSES = Guesses((), Thresholds(1.0, 1.0), by_words=True)


class NearestTier:
    """Asks the index and weighs what comes back."""

    def __init__(self, index: NearestRecordsProtocol, facts: FactSource, calibration: Calibration) -> None:
        self._index, self._facts, self._calibration = index, facts, calibration

    async def find(self, reading: Reading, scope: Scope = EVERYTHING) -> Guesses:
        """The nearest records of the scope.

        Raises NotCalibrated where no weights fit what compared, and what the index raises.
        """
        queries = await asyncio.to_thread(reading.queries)
        if not queries:
            return NO_GUESSES
        records = await self._index.nearest(queries, MOST_CANDIDATES, scope)
        # What these records were compared by: another index may have taken the place of the one that found them.
        by_words = bool(records) and all(record.similarity is None for record in records)
        key = WORDS_ALONE if by_words else self._index.compared_by or WORDS_ALONE
        if key not in self._calibration.nearest:
            raise NotCalibrated(key)
        facts = await self._facts.facts_of([record.record_id for record in records])
        near = await asyncio.to_thread(weigh, records, facts, reading, self._calibration.nearest[key])
        return Guesses(tuple(near), self._calibration.nearest_thresholds[key], by_words=key == WORDS_ALONE)


def weigh(records: Sequence[NearRecord], facts: Mapping[str, Facts], reading: Reading, weights: Weights) -> list[Near]:
    """Likelihoods of these records, most likely first, equal ones by id."""
    known = [record for record in records if record.record_id in facts]
    weighed = []
    for record in known:
        features = near_features(record, known, facts[record.record_id], reading)
        logit = weights.logit(FEATURE_NAMES, features.vector())
        weighed.append(Near(facts[record.record_id], record, features, logit, probability(logit)))
    return sorted(weighed, key=lambda near: (-near.logit, near.facts.id))


def near_features(record: NearRecord, all_near: Sequence[NearRecord], facts: Facts, reading: Reading) -> NearFeatures:
    """What can be said of one near record beside the others."""
    agrees = agreement(facts, reading.evidence)
    own_class = class_name(facts.error_class) if facts.error_class else ""
    telling = says_what_failed(own_class)
    rival = max((other.fused for other in all_near if other is not record), default=0.0)
    return NearFeatures(
        similarity=record.similarity if record.similarity is not None else 0.0,
        coverage=record.coverage,
        query_coverage=record.query_coverage,
        lead=record.fused - rival,
        is_error=float(reading.is_error),
        package=agrees.package,
        class_seen=float(agrees.class_seen),
        class_named=float(telling and own_class in reading.named_classes),
        other_class=float(telling and bool(reading.named_classes) and own_class not in reading.named_classes),
        code_seen=float(agrees.code_seen),
        same_ecosystem=float(agrees.ecosystem > 0),
        other_ecosystem=float(agrees.ecosystem < 0),
        path=min(agrees.path, 3) / 3,
        asks=reading.voice.asks,
        tells=reading.voice.tells,
        in_code=float(reading.mostly_code),
    )


def reasons(near: Near) -> tuple[Reason, ...]:
    """What makes it near."""
    facet = near.record.facet.value
    said = []
    if near.record.similarity is not None and near.record.similarity >= 0.5:  # below, the words are what counts
        said.append(Reason(Because.CLOSE, facet))
    if near.record.coverage >= 0.4:
        said.append(Reason(Because.WORDS_SHARED, number=round(near.record.coverage * 100)))
    if near.features.package:
        said.append(Reason(Because.PACKAGE, near.facts.repo.split("/")[-1]))
    return tuple(said) or (Reason(Because.NEAREST, facet),)
