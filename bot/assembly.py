"""Settings into all parts, put together in one place; opened here and closed here."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.answering import Answering
from bot.completing import open_completing
from bot.family_articles import FamilyArticles
from bot.indexing import Progress, no_progress
from bot.serving import Serving
from bot.settings import Settings
from bot.sources.files import iter_entries
from bot.sources.seeds import shipped_seeds
from bot.store.answers import AnswerStore
from bot.store.feedback import FeedbackStore
from bot.store.guilds import GuildStore
from bot.store.meta import MetaStore
from bot.store.people import PeopleStore
from bot.store.questions import QuestionStore
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from bot.stored_index import StoredIndex
from embeddings.encoder import Encoder
from embeddings.encoder_process import EncoderProcess
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
    serving: Serving


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[Database]:
    """The database; into an empty one go the shipped seeds."""
    async with Database.open(settings.data_dir / FILE_NAME) as database:
        records = RecordStore(database)
        if await records.count() == 0:
            await records.put(iter_entries([shipped_seeds()]), "seeds", datetime.now(UTC))
        yield database


@asynccontextmanager
async def _encoder(*, in_a_process: bool) -> AsyncIterator[Encoder]:
    """The model that ships with the package. Nothing is loaded or started yet; what was, ends with the block."""
    if not in_a_process:
        yield SentenceEncoder()
        return
    encoder = EncoderProcess()
    try:
        yield encoder
    finally:
        await asyncio.to_thread(encoder.close)


@asynccontextmanager
async def assembled(
    settings: Settings,
    *,
    progress: Progress = no_progress,
    encoder: Encoder | None = None,
    guesses: bool = True,
    in_background: bool = False,
) -> AsyncIterator[Parts]:
    """All parts, ready to answer: patterns compiled, the index opened at the first question that needs it.

    encoder: by default the model that ships with the package, loaded when it is first needed.
    guesses: without them the pattern tier answers alone, and where it is silent nothing is found.
    in_background: for a bot that runs. No question waits for an index to be built, `bot.upkeep` builds it; and the
    model computes in a process of its own, so that nobody waits for Python's lock while it does.
    """
    async with (
        opened_store(settings) as database,
        open_completing(database, offline=settings.offline) as completing,
        _encoder(in_a_process=in_background) as shipped,
    ):
        encodes = encoder or shipped
        index = StoredIndex(database, settings.data_dir, encodes, built_elsewhere=in_background)
        serving = await Serving.opened(
            database,
            settings.data_dir,
            encodes,
            index,
            progress=progress,
            places=settings.workers,
            guesses=guesses,
        )
        records = RecordStore(database)
        answering = Answering(
            serving.matcher,
            records,
            serving.names,
            serving,
            settings.catalogue,
            completer=completing,
            articles=FamilyArticles(database),
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
            serving=serving,
        )
