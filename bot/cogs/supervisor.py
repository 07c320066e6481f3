"""Keeps the connection alive: what can pass is tried again, ever more slowly; what cannot ends the process.

discord.py 2.7.1 reconnects by itself in most cases. What it lets escape comes here: a first connection that fails, REST
out of reach at login, an exception in one of its event parsers.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

import aiohttp
import discord

from bot.cogs.exit_codes import ExitCode
from bot.logs import log_incident
from bot.store.meta import MetaStore

logger = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 300.0
# Who was connected for so long starts over with the shortest delay.
GOOD_RUN_SECONDS = 120.0
# Discord's own: one IDENTIFY in five seconds where max_concurrency is 1, as it is below 150,000 servers.
IDENTIFY_PAUSE_SECONDS = 5.0
_CLOSE_SECONDS = 5.0
_FATAL_CLOSES = {
    4004: ExitCode.BAD_TOKEN,
    4010: ExitCode.REFUSED,
    4011: ExitCode.REFUSED,
    4012: ExitCode.REFUSED,
    4013: ExitCode.REFUSED,
    4014: ExitCode.MISSING_INTENT,
}
_EXPECTED = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class Connection(Protocol):
    """One client, used for one run."""

    async def start(self, token: str) -> None:
        """Log in and stay connected; returns or raises when that has ended."""

    async def finish(self) -> None:
        """Bring running answers to an end, within a few seconds."""

    async def close(self) -> None:
        """Hang up."""


class IdentifyBudget:
    """Lets IDENTIFYs through as Discord allows: some seconds apart, and so many a day, counted over processes."""

    def __init__(self, meta: MetaStore, *, pause_seconds: float = IDENTIFY_PAUSE_SECONDS) -> None:
        self._meta, self._pause = meta, pause_seconds
        self._next = 0.0
        self._turn = asyncio.Lock()

    async def spend(self) -> None:
        """Return when an IDENTIFY may be sent; it counts as sent."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            await asyncio.sleep(self._next - now)
            while wait := await self._meta.spend_identify(datetime.now(UTC)):
                logger.warning("today's IDENTIFYs are used up", extra={"wait_seconds": round(wait.total_seconds())})
                # Not longer at once than an hour: the clock may be set meanwhile.
                await asyncio.sleep(min(wait.total_seconds() + 1, 3600))
            self._next = asyncio.get_running_loop().time() + self._pause


def delay_seconds(failures: int, chance: float) -> float:
    """How long to wait after so many failures in a row; chance: 0 to 1, so that many bots do not come back at once."""
    longest = min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(failures, 20))
    return longest * (0.5 + chance / 2)


def fatal(error: BaseException) -> ExitCode | None:
    """The exit code of an error that trying again cannot mend; None for all others."""
    if isinstance(error, discord.LoginFailure):
        return ExitCode.BAD_TOKEN
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return ExitCode.MISSING_INTENT
    if isinstance(error, discord.ConnectionClosed):
        return _FATAL_CLOSES.get(error.code)
    return None


async def supervise(
    connect: Callable[[], Connection],
    token: str,
    stop: asyncio.Event,
    *,
    chance: Callable[[], float] = random.random,
    wait: Callable[[asyncio.Event, float], Awaitable[None]] | None = None,
) -> ExitCode:
    """Run one client after the other until `stop` is set or nothing can be done; return why it ended.

    wait: returns after so many seconds or as soon as the event is set.
    """
    loop = asyncio.get_running_loop()
    failures = 0
    while not stop.is_set():
        client, began = connect(), loop.time()
        error = await _run(client, token, stop)
        if stop.is_set():
            break
        if error is not None and (code := fatal(error)) is not None:
            logger.error(code.sentence, extra={"exit_code": int(code)})
            return code
        failures = 0 if loop.time() - began > GOOD_RUN_SECONDS else failures
        seconds = delay_seconds(failures, chance())
        failures += 1
        _log_failure(error, seconds)
        await (wait or _until_set)(stop, seconds)
    logger.info(ExitCode.STOPPED.sentence)
    return ExitCode.STOPPED


async def _run(client: Connection, token: str, stop: asyncio.Event) -> BaseException | None:
    """One client until it ends or is to stop; what it raised."""
    running = asyncio.create_task(client.start(token), name="connection")
    stopped = asyncio.create_task(stop.wait(), name="wait for stop")
    try:
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        await client.finish()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await client.close()
        except _EXPECTED as error:
            # The connection is lost either way; the process must not hang on it.
            logger.info("closing the connection failed", extra={"error": type(error).__name__})
    finally:
        stopped.cancel()
        running.cancel()
        await asyncio.wait({running, stopped})
    return None if running.cancelled() else running.exception()


def _log_failure(error: BaseException | None, seconds: float) -> None:
    facts: dict[str, object] = {"retry_seconds": round(seconds, 1)}
    # discord.py's own way of saying that the first connection failed (its issue 10520).
    masked = isinstance(error, AttributeError) and "sequence" in str(error)
    if error is None or isinstance(error, _EXPECTED) or masked:
        # Its text may hold addresses, not secrets; the type says what to look for.
        logger.warning("the connection was lost", extra={**facts, "error": type(error).__name__, "why": str(error)})
    else:
        log_incident(logger, "the connection ended unexpectedly", error, **facts)


async def _until_set(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
