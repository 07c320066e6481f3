"""The whole assembled pipeline over a catalogue of a test's own: store, compiled patterns, index, matcher."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.answering import Answering
from bot.assembly import assembled
from bot.matching.verdict import Tier, Verdict
from bot.pastes.paste import Paste
from bot.records.entry import Entry
from bot.settings import load_settings
from bot.sources.files import iter_entries
from bot.sources.seeds import shipped_seeds
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from embeddings.encoder import Encoder, FloatMatrix
from embeddings.errors import EncoderUnavailable

AT = datetime(2026, 9, 1, tzinfo=UTC)


class NoModel:
    """An encoder whose model is not installed: the nearest tier compares words alone (E12)."""

    name, revision, dim = "no-model", "0", 384

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        raise EncoderUnavailable(self.name, "it is not installed here")


def seeds() -> tuple[Entry, ...]:
    """What ships."""
    return tuple(iter_entries([shipped_seeds()]))


def seed(words: str) -> Entry:
    """The seed whose message holds these words."""
    (found,) = (entry for entry in seeds() if words in entry.error_message)
    return found


@asynccontextmanager
async def pipeline(
    data_dir: Path, entries: Iterable[Entry] | None = None, *, encoder: Encoder | None = None
) -> AsyncIterator[Answering]:
    """Everything put together over `entries`, by default what is in the folder, or the seeds where nothing is.

    encoder: by default one without a model.
    """
    settings = load_settings(data_dir=data_dir)
    if entries is not None:
        async with Database.open(data_dir / FILE_NAME) as database:
            await RecordStore(database).put(entries, "a test", AT)
    async with assembled(settings, encoder=encoder or NoModel()) as parts:
        yield parts.answering


async def seen(answering: Answering, text: str) -> Verdict:
    """What becomes of a message that was merely seen in a channel."""
    return await answering.explain(Paste.of_text(text, asked=False))


async def asked(answering: Answering, text: str) -> Verdict:
    """What becomes of a message that asks."""
    return await answering.explain(Paste.of_text(text))


def found_first(verdict: Verdict, entry: Entry) -> bool:
    """Whether the record comes first, by its pattern."""
    best = verdict.best
    return best is not None and (best.record_id, best.tier, best.related) == (entry.id, Tier.PATTERN, False)


def fill(data_dir: Path, entries: Iterable[Entry]) -> None:
    """A data folder with these records and their patterns compiled, so that each test opens it in milliseconds."""

    async def run() -> None:
        async with pipeline(data_dir, entries) as answering:
            await answering.warm()

    asyncio.run(run())
