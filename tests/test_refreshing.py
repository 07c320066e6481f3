"""The running bot's catalogue: refreshed when that is due, exchanged under load, and kept when anything is wrong."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.assembly import Parts, assembled
from bot.pastes.paste import Paste
from bot.records.decode import decode_record
from bot.refreshing import FIRST_RETRY, Refreshing, refresh_problem
from bot.settings import load_settings
from bot.sources.downloading import open_downloader
from bot.syncing import Syncing
from tests.acceptance.pipeline import NoModel
from tests.dataset_standin import V1, V2, V3, DatasetServer, change_manifest, published, record, serving
from tests.syncing_bench import ALL, HURRIED, Bench

RECORDS = [record(number) for number in range(1, 7)]
HOUR = timedelta(hours=1)
COLD = "Warp core went cold because nobody fed the hamsters in time"


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(published(RECORDS, V1)) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: DatasetServer) -> Bench:
    return Bench(tmp_path / "data", server)


@dataclass
class Clock:
    """A moment that tests move."""

    at: datetime = datetime(2026, 11, 5, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@dataclass
class Running:
    """A bot that answers, and what refreshes it. `changes` counts the exchanges."""

    parts: Parts
    refreshing: Refreshing
    clock: Clock
    changes: list[None] = field(default_factory=list)

    async def found(
        self, number: int, text: str = "Flux capacitor {} ran dry while the deflector grid was charging"
    ) -> str:
        """The last digit of the record that is posted for the message of a record's number, "" for silence."""
        verdict = await self.parts.answering.explain(Paste.of_text(f"Error: {text.format(number)}"))
        return verdict.best.record_id[-1] if verdict.best and verdict.shown else ""


@asynccontextmanager
async def running(bench: Bench, every: timedelta | None = HOUR) -> AsyncIterator[Running]:
    clock, changes = Clock(), list[None]()
    async with assembled(load_settings(data_dir=bench.data_dir), encoder=NoModel(), guesses=False) as parts:

        @asynccontextmanager
        async def opened() -> AsyncIterator[Syncing]:
            async with open_downloader(HURRIED) as downloader:
                yield Syncing(parts.database, bench.data_dir, downloader, bench.server.base, now=clock.now)

        async def on_change() -> None:
            changes.append(None)

        refreshing = Refreshing(parts.database, parts.serving, opened, every, on_change, now=clock.now)
        yield Running(parts, refreshing, clock, changes)


async def test_upstream_is_asked_once_an_interval(bench: Bench) -> None:
    """G3: counted at the server; what is served already costs the manifest alone."""
    await bench.sync(ALL)
    bench.server.forget()

    async with running(bench) as bot:
        for minutes in (0, 1, 30, 59, 61, 90, 122):
            bot.clock.at = datetime(2026, 11, 5, tzinfo=UTC) + timedelta(minutes=minutes)
            await bot.refreshing.look()

    assert bench.asked == ["manifest.json"] * 3
    assert bot.changes == []


async def test_an_interval_outlives_the_process(bench: Bench) -> None:
    """A bot that is restarted every minute does not ask every minute."""
    await bench.sync(ALL)
    bench.server.forget()

    for _ in range(3):
        async with running(bench) as bot:
            await bot.refreshing.look()

    assert bench.asked == ["manifest.json"]


@pytest.mark.parametrize(("every", "synced"), [(None, True), (HOUR, False)])
async def test_nobody_is_asked_unasked(bench: Bench, every: timedelta | None, synced: bool) -> None:
    """G3: neither where it is switched off, nor where nobody has ever synced."""
    if synced:
        await bench.sync(ALL)
    bench.server.forget()

    async with running(bench, every) as bot:
        await bot.refreshing.look()

    assert bench.asked == []


async def test_what_changed_answers_without_a_restart(bench: Bench) -> None:
    """Added, changed and gone: each is so once the version that is reported is the new one (G1)."""
    await bench.sync(ALL)
    async with running(bench) as bot:
        before = (await bot.parts.answering.status()).version
        bench.server.files = published([*RECORDS[1:5], record(6, message=COLD), record(7)], V2)

        changed = await bot.refreshing.look()

        assert changed
        assert (await bot.parts.answering.status()).version not in {before, ""}
        assert [await bot.found(number) for number in (1, 2, 6, 7)] == ["", "2", "", "7"]
        assert await bot.found(6, COLD) == "6"
        assert len(bot.changes) == 1


async def test_questions_are_answered_while_the_catalogue_is_exchanged(bench: Bench) -> None:
    """No answer fails, is lost or is wrong while what they are found by changes; afterwards the new message answers."""
    await bench.sync(ALL)
    async with running(bench) as bot:
        bench.server.files = published([*RECORDS[:5], record(6, message=COLD), *(record(n) for n in range(7, 400))], V2)
        found: list[tuple[int, str]] = []
        done = asyncio.Event()

        async def ask() -> None:
            while not done.is_set():
                found.extend([(number, await bot.found(number)) for number in (1, 3, 6)])

        async with asyncio.TaskGroup() as group:
            group.create_task(ask())
            await bot.refreshing.look()
            done.set()

        exchanged = next((at for at, one in enumerate(found) if one == (6, "")), len(found))
        assert exchanged > 6, "some questions were asked before the exchange"
        assert [one for one in found[:exchanged] if one[1] != str(one[0])] == []
        assert {one for one in found[exchanged:] if one[0] != 6} <= {(1, "1"), (3, "3")}
        assert {one for one in found[exchanged:] if one[0] == 6} <= {(6, "")}
        assert await bot.found(6, COLD) == "6"


async def test_a_bad_dataset_is_said_and_the_old_one_keeps_answering(bench: Bench) -> None:
    """G1: it is tried again after a while, not at once, and once it is good nothing is said any more."""
    await bench.sync(ALL)
    async with running(bench) as bot:
        bench.server.files = published([*RECORDS, record(7)], V2)
        change_manifest(bench.server.files, lambda manifest: manifest["files"]["index"].update(sha256="0" * 64))
        await bot.refreshing.look()
        problem = await refresh_problem(bot.parts.database)
        bench.server.files = published([*RECORDS, record(7)], V3)
        await bot.refreshing.look()

        assert "the manifest promises" in (problem or "")
        assert [await bot.found(number) for number in (1, 7)] == ["1", ""]
        bot.clock.at += FIRST_RETRY
        await bot.refreshing.look()
        assert [await bot.found(number) for number in (1, 7)] == ["1", "7"]
        assert await refresh_problem(bot.parts.database) is None


async def test_what_others_put_into_the_store_answers_too(bench: Bench) -> None:
    """An import or a sync by hand beside the running bot, without any look at the network."""
    await bench.sync(ALL)
    async with running(bench, None) as bot:
        async with bench.records() as store:
            await store.put([decode_record(record(9), "a test")], "a file", datetime(2026, 11, 5, tzinfo=UTC))
        bench.server.forget()

        assert await bot.found(9) == ""
        assert await bot.refreshing.look()
        assert await bot.found(9) == "9"
        assert not await bot.refreshing.look()
        assert bench.asked == []


async def test_looking_goes_on_whatever_happens(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of our own is logged, and the next look is made."""
    monkeypatch.setattr("bot.refreshing.LOOK_SECONDS", 0.0)
    looks: list[int] = []
    async with running(bench) as bot:

        async def fails() -> bool:
            looks.append(len(looks))
            if len(looks) < 3:
                raise RuntimeError("a fault")
            await asyncio.Event().wait()
            return False

        monkeypatch.setattr(bot.refreshing, "look", fails)
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await bot.refreshing.run()

    assert looks == [0, 1, 2]
