"""A running bot's catalogue, as fresh as it was told to be: from upstream, and from what others put into the store."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol

from bot.errors import BotError
from bot.logs import log_incident
from bot.serving import Serving
from bot.store.dataset import DatasetStore
from bot.store.meta import MetaStore
from bot.store.sqlite import Database

if TYPE_CHECKING:
    from bot.syncing import SyncReport

log = logging.getLogger(__name__)

# So soon an import, or a sync by hand, answers in the running bot; looking costs one row of the store.
LOOK_SECONDS: Final = 10.0
# After a failure, and then twice as long each time, up to the interval itself.
FIRST_RETRY: Final = timedelta(minutes=10)
_LAST_TRY = "refreshed_at"
_PROBLEM = "refresh_problem"


async def refresh_problem(database: Database) -> str | None:
    """Why the last look at upstream brought nothing, as a sentence; None where nothing was wrong."""
    return await MetaStore(database).get(_PROBLEM)


class Syncs(Protocol):
    """Brings the store in step with upstream."""

    async def sync(self) -> "SyncReport": ...


class Refreshing:
    """Looks for a newer catalogue until it is cancelled, and has it answer.

    every: how long after one look at upstream the next one is due, None for never; counted over restarts. Upstream is
    asked only where somebody has synced before: who lives on seeds and records of their own is not connected unasked.
    opened: opens what syncs. on_change: awaited whenever another catalogue answers. now: the moment, in UTC.
    """

    def __init__(
        self,
        database: Database,
        serving: Serving,
        opened: Callable[[], AbstractAsyncContextManager[Syncs]],
        every: timedelta | None,
        on_change: Callable[[], Awaitable[None]],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._dataset, self._meta = DatasetStore(database), MetaStore(database)
        self._serving, self._opened, self._every, self._on_change = serving, opened, every, on_change
        self._now = now
        self._retry: timedelta | None = None

    async def run(self) -> None:
        """Look every few seconds; whatever goes wrong is logged, and the catalogue that answers keeps answering."""
        while True:
            try:
                await self.look()
            except BotError as why:
                log.warning("the catalogue was not renewed: %s", why)
            except Exception as error:  # noqa: BLE001  # the bot answers on; the next look may succeed
                log_incident(log, "renewing the catalogue failed", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> bool:
        """Ask upstream where that is due, and have what the store holds answer; whether that is something else now."""
        if await self._is_due():
            async with self._serving.unmoved():
                await self._sync()
                return await self._renewed()
        return await self._renewed()

    async def _is_due(self) -> bool:
        if self._every is None or await self._dataset.synced() is None:
            return False
        last = await self._meta.get(_LAST_TRY)
        wait = self._every if self._retry is None else min(self._retry, self._every)
        return last is None or self._now() - datetime.fromisoformat(last) >= wait

    async def _sync(self) -> None:
        # Before asking: a bot that is killed by what it fetches must not fetch it again at once.
        await self._meta.set(_LAST_TRY, self._now().isoformat())
        try:
            async with self._opened() as syncing:
                await syncing.sync()
        except BotError as why:
            await self._meta.set(_PROBLEM, str(why))
            self._retry = FIRST_RETRY if self._retry is None else self._retry * 2
            log.warning("the catalogue was not refreshed, the one there is keeps answering: %s", why)
        else:
            await self._meta.set(_PROBLEM, None)
            self._retry = None

    async def _renewed(self) -> bool:
        changed = await self._serving.renew()
        if changed:
            await self._on_change()
        return changed
