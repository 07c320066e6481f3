"""What runs beside the bot: the catalogue follows upstream, the index follows the catalogue."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from bot.assembly import Parts
from bot.index_keeping import build_command, keep_building
from bot.logs import log_incident
from bot.refreshing import Refreshing
from bot.syncing import open_syncing

log = logging.getLogger(__name__)


@asynccontextmanager
async def kept_fresh(parts: Parts) -> AsyncIterator[Refreshing]:
    """Inside, the catalogue follows upstream and the store, and the index is built beside answering.

    `parts` were assembled with `in_background`.
    """
    settings, changed = parts.settings, asyncio.Event()

    async def on_change() -> None:
        changed.set()
        await parts.answering.remember_anew()

    every = None if settings.offline or not settings.refresh_hours else timedelta(hours=settings.refresh_hours)
    opened = partial(open_syncing, parts.database, settings.data_dir, settings.dataset_base)
    refreshing = Refreshing(parts.database, parts.serving, opened, every, on_change)
    tasks = [
        asyncio.create_task(refreshing.run(), name="refresh the catalogue"),
        asyncio.create_task(
            keep_building(parts.serving.index, build_command(settings.data_dir), changed), name="build the index"
        ),
    ]
    try:
        yield refreshing
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                log_incident(log, "a task beside the bot failed", ended)
