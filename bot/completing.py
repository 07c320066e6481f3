"""Records that are known in outline alone, made whole when a card is about to show one.

The API is asked before the static files: a record is 1.5 to 5 KB there, and half of the repositories' files are more
than 125 KB, the largest 12 MB. Both go through the checks of a sync (id, repository, schema, every field, the pattern),
and what came must say the same as the outline that is served, which a checksum vouches for. A server of the static
files alone has no API; there a repository's file completes all of its records at once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from weakref import WeakValueDictionary

from bot.errors import BotError
from bot.logs import log_incident
from bot.records.entry import Entry
from bot.records.outline import Outline
from bot.records.record import Record
from bot.sources.dataset_errors import DatasetRefused, NotADataset, NotThere
from bot.store.completed import CompletedStore
from bot.store.dataset import DatasetStore
from bot.store.meta import MetaStore
from bot.store.moments import from_text, to_text
from bot.store.sqlite import Database

log = logging.getLogger(__name__)

# For so long a card waits; then it shows the outline, and the next one may be whole.
PATIENCE_SECONDS: Final = 3.0
# A fetch that takes longer is worth nothing to anybody.
_LONGEST_SECONDS: Final = 60.0
# Enough for a channel in trouble; a server is not asked for more at a time than a browser would.
_AT_ONCE: Final = 4
# Cards beyond these show outlines rather than that a queue grows.
_MOST_WAITING: Final = 32
# A server that failed, and a record that was refused, are not asked for again before.
REST: Final = timedelta(minutes=5)
_MOST_RESTING: Final = 1_000
# Kept in the store, so that each `errata ask` in a terminal does not wait for a dead server anew.
_RESTS = "completing_rests_until"


class RecordSource(Protocol):
    """Where whole records come from, by the base address of their dataset."""

    async def record(self, base: str, record_id: str, repo: str) -> Record: ...

    async def repository(self, base: str, repo: str) -> Sequence[Record]: ...


OpenSource = Callable[[], AbstractAsyncContextManager[RecordSource]]


@asynccontextmanager
async def open_source() -> AsyncIterator[RecordSource]:
    """The network; its libraries are loaded when the first record is fetched."""
    from bot.sources.dataset_single import open_single_records  # noqa: PLC0415  # aiohttp takes a third of a second

    async with open_single_records() as source:
        yield source


@dataclass(slots=True)
class _Fetch:
    """A record on its way. is_overdue: somebody has waited for it in vain."""

    task: asyncio.Task[None]
    is_overdue: bool = False


class Completing:
    """Gives outlines their whole records, from what was fetched before, else from the server of their dataset.

    Nothing of a person's text is sent: the server learns the id or the repository of a record that is shown.
    """

    def __init__(
        self,
        database: Database,
        opened: OpenSource | None,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """opened: the way to the network; None asks nobody, and shows what was fetched before. now: in UTC."""
        self._store, self._dataset, self._meta = CompletedStore(database), DatasetStore(database), MetaStore(database)
        self._opened, self._patience, self._now = opened, patience_seconds, now
        self._fetches: dict[str, _Fetch] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._repositories: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._resting: dict[str, datetime] = {}
        self._bases_without_api: set[str] = set()
        self._stack, self._opening = AsyncExitStack(), asyncio.Lock()
        self._source: RecordSource | None = None

    async def completed(self, entry: Entry) -> Entry:
        """The whole record where `entry` is its outline and that was to be had in time; else the entry itself.

        Takes at most PATIENCE_SECONDS. A fetch that takes longer goes on, for at most a minute; one that failed is not
        repeated for five.
        """
        if not isinstance(entry, Outline):
            return entry
        kept = await self._store.get(entry.id)
        if (kept is None or not kept.is_current) and (fetch := await self._fetch_of(entry)):
            await asyncio.wait({fetch.task}, timeout=self._patience)
            fetch.is_overdue = not fetch.task.done()
            kept = await self._store.get(entry.id)
        # What was fetched for an earlier analysis has this outline too, and says more than that.
        return kept.record if kept else entry

    async def close(self) -> None:
        """Stop what is being fetched. A server that somebody waited for in vain rests for the next process too."""
        is_overdue = any(fetch.is_overdue for fetch in self._fetches.values())
        tasks = [fetch.task for fetch in self._fetches.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stack.aclose()
        if is_overdue:
            await self._rest_server()

    async def _fetch_of(self, outline: Outline) -> _Fetch | None:
        """The fetch that is under way for it, or a new one; None where nobody is to be asked now."""
        if not await self._may_ask(outline):
            return None
        # No awaiting from here on: of two cards that come together, one begins.
        if (fetch := self._fetches.get(outline.id)) is None:
            if len(self._fetches) >= _MOST_WAITING:
                return None
            fetch = _Fetch(asyncio.create_task(self._fetch(outline), name="complete a record"))
            self._fetches[outline.id] = fetch
            fetch.task.add_done_callback(lambda task: self._ended(outline.id, task))
        return fetch

    def _ended(self, record_id: str, task: asyncio.Task[None]) -> None:
        del self._fetches[record_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log_incident(log, "completing a record failed", error)

    async def _fetch(self, outline: Outline) -> None:
        repository = self._repositories.setdefault(outline.repo, asyncio.Lock())
        async with repository, self._places:
            kept = await self._store.get(outline.id)
            if (kept and kept.is_current) or not await self._may_ask(outline):
                return  # whoever came before has brought it, or has failed
            synced = await self._dataset.synced()
            if synced is None:
                return
            try:
                async with asyncio.timeout(_LONGEST_SECONDS):
                    await self._bring(synced.generation.base, outline)
            except (DatasetRefused, NotThere) as why:
                log.warning("record %s stays an outline: %s", outline.id, why)
                self._rest(outline.id)
            except BotError as why:
                log.warning("records are not completed for %d minutes: %s", REST.total_seconds() // 60, why)
                await self._rest_server()
            except TimeoutError:
                log.warning("record %s did not come within %d seconds", outline.id, _LONGEST_SECONDS)
                await self._rest_server()

    async def _bring(self, base: str, outline: Outline) -> None:
        """The record is kept, or, where it is not that of the outline, rests. Raises what a source raises."""
        source = await self._opened_source()
        if base not in self._bases_without_api:
            try:
                record = await source.record(base, outline.id, outline.repo)
            except (NotThere, NotADataset):
                pass  # a web page is what some servers have in place of "not found"
            else:
                await self._keep([record], outline, rests=outline.id)
                return
        try:
            records = await source.repository(base, outline.repo)
        except (DatasetRefused, NotThere):
            self._rest(outline.repo)  # it would be the same file for each of its records
            raise
        self._bases_without_api.add(base)
        await self._keep(records, outline, rests=outline.repo)

    async def _keep(self, records: Sequence[Record], outline: Outline, *, rests: str) -> None:
        if outline.id not in await self._store.put(records, self._now()):
            log.info("record %s differs from its outline; the next sync brings both", outline.id)
            self._rest(rests)

    async def _opened_source(self) -> RecordSource:
        async with self._opening:
            if self._source is None:
                assert self._opened is not None  # without it nothing is fetched
                self._source = await self._stack.enter_async_context(self._opened())
            return self._source

    def _rest(self, name: str) -> None:
        if len(self._resting) >= _MOST_RESTING:
            self._resting.clear()
        self._resting[name] = self._now() + REST

    def _is_resting(self, name: str) -> bool:
        until = self._resting.get(name)
        return until is not None and self._now() < until

    async def _may_ask(self, outline: Outline) -> bool:
        if self._opened is None or self._is_resting(outline.id) or self._is_resting(outline.repo):
            return False
        until = await self._meta.get(_RESTS)
        return until is None or self._now() >= from_text(until)

    async def _rest_server(self) -> None:
        await self._meta.set(_RESTS, to_text(self._now() + REST))


@asynccontextmanager
async def open_completing(database: Database, *, offline: bool) -> AsyncIterator[Completing]:
    """Completes from the network, or offline from what is there; nothing is connected before it is needed."""
    completing = Completing(database, None if offline else open_source)
    try:
        yield completing
    finally:
        await completing.close()
