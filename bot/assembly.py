"""Settings into all parts, put together in one place; opened here and closed here."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.answering import Answering, CatalogueStatus
from bot.indexing import Progress, StoredIndex, encoder_key, no_progress, patterns
from bot.matching.calibration import shipped_calibration
from bot.matching.matcher import Matcher, Tiers
from bot.matching.nearest_tier import NearestTier
from bot.matching.pattern_files import CompiledPatterns
from bot.settings import Settings
from bot.sources.files import iter_entries
from bot.sources.seeds import shipped_seeds
from bot.store.answers import AnswerStore
from bot.store.fact_source import StoredFacts
from bot.store.feedback import FeedbackStore
from bot.store.guilds import GuildStore
from bot.store.meta import MetaStore
from bot.store.people import PeopleStore
from bot.store.questions import QuestionStore
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from embeddings.encoder import Encoder
from embeddings.sentence_encoder import SentenceEncoder

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything an edge needs, open until the block of `assembled` ends."""

    settings: Settings
    database: Database
    records: RecordStore
    guilds: GuildStore
    answers: AnswerStore
    feedback: FeedbackStore
    questions: QuestionStore
    people: PeopleStore
    meta: MetaStore
    answering: Answering


class Served:
    """What is served at this moment, and warming it up."""

    def __init__(self, records: RecordStore, compiled: CompiledPatterns, index: StoredIndex, encoder: Encoder) -> None:
        self._records, self._compiled, self._index, self._encoder = records, compiled, index, encoder

    async def status(self) -> CatalogueStatus:
        """Counts of what answers questions now."""
        repos = await self._records.repos()
        index = self._index.index
        return CatalogueStatus(
            version=self._compiled.catalogue_version,
            records=sum(repos.values()),
            repositories=len(repos),
            patterns=self._compiled.expressions,
            refused=len(self._compiled.refused),
            indexed=0 if index is None else index.manifest.records,
            encoder=self._index.compared_by or (encoder_key(self._encoder) if index is None else None),
            degraded=self._index.behind,
        )

    async def warm(self) -> None:
        """Open the index and load the model by asking for something; what fails is logged and shown by `status`."""
        await self._index.nearest(["warm up"], 1)


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[Database]:
    """The database; into an empty one go the shipped seeds."""
    async with Database.open(settings.data_dir / FILE_NAME) as database:
        records = RecordStore(database)
        if await records.count() == 0:
            await records.put(iter_entries([shipped_seeds()]), "seeds", datetime.now(UTC))
        yield database


@asynccontextmanager
async def assembled(
    settings: Settings, *, progress: Progress = no_progress, encoder: Encoder | None = None, guesses: bool = True
) -> AsyncIterator[Parts]:
    """All parts, ready to answer: patterns compiled, the index opened at the first question that needs it.

    encoder: by default the model that ships with the package, loaded when it is first needed.
    guesses: without them the pattern tier answers alone, and where it is silent nothing is found.
    """
    encoder = encoder or SentenceEncoder()
    async with opened_store(settings) as database:
        compiled = await patterns(database, settings.data_dir, progress)
        for refused in compiled.refused:
            log.warning("record %s is left out of the pattern tier: %s", refused.record_id, refused.why)
        facts = StoredFacts(database)
        index = StoredIndex(database, settings.data_dir, encoder)
        calibration = shipped_calibration()
        tiers = Tiers(compiled.scanners, facts, NearestTier(index, facts, calibration) if guesses else None)
        records = RecordStore(database)
        answering = Answering(
            Matcher(tiers, calibration, settings.workers),
            records,
            facts.all_facts,
            Served(records, compiled, index, encoder),
        )
        yield Parts(
            settings=settings,
            database=database,
            records=records,
            guilds=GuildStore(database),
            answers=AnswerStore(database),
            feedback=FeedbackStore(database),
            questions=QuestionStore(database),
            people=PeopleStore(database),
            meta=MetaStore(database),
            answering=answering,
        )
