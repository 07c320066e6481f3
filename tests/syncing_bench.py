"""A data folder, a server, and a way to sync the one with the other, for tests."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.assembly import assembled
from bot.gathering import SyncProgress
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.sources.downloading import Patience, open_downloader
from bot.store.dataset import Choice, DatasetStore
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from bot.syncing import Syncing, SyncReport
from tests.acceptance.pipeline import NoModel
from tests.dataset_standin import DatasetServer, Files, record

AT = datetime(2026, 11, 5, tzinfo=UTC)
ALL = Choice(everything=True)
# Two repositories of two records each, and what every look at a dataset asks for.
ONE = [record(1), record(2)]
TWO = [record(3, "example/two"), record(4, "example/two")]
LISTS = ["index.json.gz", "manifest.json", "repos.json"]
HURRIED = Patience(connecting=2, silence=2, grace=2, least_speed=1e9, first_wait=0.001, longest_wait=0.01)


def only(*repositories: str) -> Choice:
    """The choice of these repositories."""
    return Choice(repositories=frozenset(repositories))


@dataclass(frozen=True)
class Bench:
    """What a test works on."""

    data_dir: Path
    server: DatasetServer

    async def sync(
        self,
        choice: Choice | None = None,
        *,
        accept_older: bool = False,
        base: str | None = None,
        watch: Callable[[SyncProgress], None] = lambda _progress: None,
    ) -> SyncReport:
        """Sync once, with a database and a connection opened for it; the server counts from nothing."""
        self.server.forget()
        async with self.opened() as database, open_downloader(HURRIED) as downloader:
            syncing = Syncing(database, self.data_dir, downloader, base or self.server.base, now=lambda: AT)
            return await syncing.sync(choice, accept_older=accept_older, watch=watch)

    async def publish(self, files: Files, choice: Choice | None = None) -> SyncReport:
        """Publish and sync."""
        self.server.files = files
        return await self.sync(choice)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Database]:
        async with Database.open(self.data_dir / FILE_NAME) as database:
            yield database

    @asynccontextmanager
    async def records(self) -> AsyncIterator[RecordStore]:
        async with self.opened() as database:
            yield RecordStore(database)

    @asynccontextmanager
    async def dataset(self) -> AsyncIterator[DatasetStore]:
        async with self.opened() as database:
            yield DatasetStore(database)

    async def held(self) -> dict[str, str]:
        """What the store holds: by the last two digits of each id, how it is held, and its meaning where it is whole."""
        async with self.records() as records:
            return {
                entry.id[-2:]: f"{type(entry).__name__} {entry.documentation}".strip()
                async for entry in records.iter_all()
            }

    async def version(self) -> str:
        async with self.records() as records:
            return await records.version()

    async def answered(self, text: str) -> str | None:
        """Which record the assembled bot finds by its pattern for a paste, by the last two digits of its id."""
        settings = load_settings(data_dir=self.data_dir)
        async with assembled(settings, encoder=NoModel(), guesses=False) as parts:
            verdict = await parts.answering.explain(Paste.of_text(text))
            return verdict.best.record_id[-2:] if verdict.best else None

    @property
    def asked(self) -> list[str]:
        """What the server was asked for, below /data/, in alphabetical order."""
        return sorted(path.removeprefix("/data/") for path in self.server.asked)
