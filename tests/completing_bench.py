"""A synced store and what completes its outlines, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from bot.completing import Completing
from bot.records.entry import Entry
from bot.sources.dataset_single import open_single_records
from bot.sources.downloading import Patience
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.dataset_standin import DatasetServer, record
from tests.syncing_bench import AT, Bench

RECORDS = [record(1), record(2), record(3, "example/two")]
QUICK = Patience(connecting=2, silence=2, grace=5, least_speed=1e9)
API = "/api/errors/{:016x}"
FILE = "/data/repos/example/one.json"


@dataclass
class Shop:
    """A synced store, what completes it, and a clock that stands still until it is `moved`."""

    database: Database
    server: DatasetServer
    patience_seconds: float = 3.0
    offline: bool = False
    moved: timedelta = timedelta()
    completing: Completing = field(init=False)

    def __post_init__(self) -> None:
        opened = None if self.offline else partial(open_single_records, QUICK)
        self.completing = Completing(
            self.database, opened, patience_seconds=self.patience_seconds, now=lambda: AT + self.moved
        )

    async def held(self, number: int) -> Entry:
        entry = await RecordStore(self.database).get(f"{number:016x}")
        assert entry is not None
        return entry

    async def shown(self, number: int) -> Entry:
        """What a card of this record shows."""
        return await self.completing.completed(await self.held(number))

    async def meaning(self, number: int) -> str:
        return (await self.shown(number)).documentation


@asynccontextmanager
async def opened(bench: Bench, *, patience_seconds: float = 3.0, offline: bool = False) -> AsyncIterator[Shop]:
    """A shop as a new process has it; the server counts from nothing."""
    async with bench.opened() as database:
        shop = Shop(database, bench.server, patience_seconds, offline)
        bench.server.forget()
        try:
            yield shop
        finally:
            await shop.completing.close()
