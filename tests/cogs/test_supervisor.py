"""What passes is tried again, what cannot be mended ends the process."""

import asyncio
from collections import deque
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import discord as discord_py
import pytest

from bot.cogs.exit_codes import ExitCode
from bot.cogs.supervisor import LONGEST_DELAY_SECONDS, IdentifyBudget, delay_seconds, fatal, supervise
from bot.store.meta import MetaStore
from bot.store.sqlite import Database


class Connection:
    """Ends as it is told; with None it stays until it is stopped."""

    def __init__(self, ending: BaseException | None) -> None:
        self.ending, self.finished, self.closed = ending, False, False

    async def start(self, token: str) -> None:
        if self.ending is not None:
            raise self.ending
        await asyncio.Event().wait()

    async def finish(self) -> None:
        self.finished = True

    async def close(self) -> None:
        self.closed = True


def closed_with(code: int) -> discord_py.ConnectionClosed:
    return discord_py.ConnectionClosed(type("Socket", (), {"close_code": code})(), shard_id=0, code=code)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (discord_py.LoginFailure("no"), ExitCode.BAD_TOKEN),
        (closed_with(4004), ExitCode.BAD_TOKEN),
        (discord_py.PrivilegedIntentsRequired(0), ExitCode.MISSING_INTENT),
        (closed_with(4014), ExitCode.MISSING_INTENT),
        (closed_with(4013), ExitCode.REFUSED),
    ],
)
async def test_what_cannot_be_mended_ends_with_its_code(error: Exception, code: ExitCode) -> None:
    """E14: a bad token and a missing intent have exit codes of their own, and a sentence that says what to do."""
    made = Connection(error)

    assert await supervise(lambda: made, "token", asyncio.Event()) is code
    assert made.closed
    assert code.sentence.endswith(".")
    assert fatal(ValueError()) is None


async def test_what_passes_is_tried_again_ever_more_slowly() -> None:
    """E14: the first connection's masked failure, lost networks, server errors and parser faults are survived."""
    endings = deque[BaseException | None](
        [
            AttributeError("'NoneType' object has no attribute 'sequence'"),
            aiohttp.ClientConnectionError("no route"),
            OSError("unreachable"),
            discord_py.GatewayNotFound(),  # type: ignore[no-untyped-call]  # discord.py's own gap
            TypeError("a parser's"),
            None,
        ]
    )
    stop, waits = asyncio.Event(), list[float]()

    def connect() -> Connection:
        ending = endings.popleft()
        if ending is None:
            asyncio.get_running_loop().call_later(0.01, stop.set)
        return Connection(ending)

    async def wait(_: asyncio.Event, seconds: float) -> None:
        waits.append(seconds)

    assert await supervise(connect, "token", stop, chance=lambda: 1.0, wait=wait) is ExitCode.STOPPED
    assert waits == [1, 2, 4, 8, 16]


async def test_a_stop_finishes_running_answers_first() -> None:
    """A stop is asked of the connection before it is closed."""
    made, stop = Connection(None), asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, stop.set)

    assert await supervise(lambda: made, "token", stop) is ExitCode.STOPPED
    assert made.finished
    assert made.closed


def test_delays_are_capped_and_differ() -> None:
    """However often it fails, nobody waits longer than five minutes, and bots do not return all at once."""
    assert delay_seconds(1000, 1.0) == LONGEST_DELAY_SECONDS
    assert delay_seconds(3, 0.0) == 4.0
    assert delay_seconds(3, 1.0) == 8.0


async def test_identifies_keep_to_the_budget(tmp_path: Path) -> None:
    """E14: IDENTIFYs are counted over processes and spaced; with none left one waits."""
    async with Database.open(tmp_path / "x.db") as database:
        meta = MetaStore(database)
        loop = asyncio.get_running_loop()
        budget = IdentifyBudget(meta, pause_seconds=0.1)
        began = loop.time()

        await budget.spend()
        await budget.spend()

        assert loop.time() - began >= 0.1
        assert await meta.identifies(datetime.now(UTC)) == 2
        while await meta.spend_identify(datetime.now(UTC) - timedelta(hours=23, minutes=50)) is None:
            pass
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await IdentifyBudget(meta, pause_seconds=0).spend()
