"""Building beside answering."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
import typer

from bot import index_keeping
from bot.cli.index import NICENESS, background_progress
from bot.index_keeping import build_command, keep_building
from bot.indexing import build, indexed_version
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from bot.stored_index import StoredIndex
from embeddings.hashed_encoder import HashedEncoder
from tests.acceptance.invented import GRANARY, VALVE
from tests.acceptance.pipeline import AT

REPOSITORY = Path(__file__).parents[1]
BUILDS = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from bot.indexing import build
from bot.store.sqlite import FILE_NAME, Database
from embeddings.hashed_encoder import HashedEncoder
async def main(folder):
    async with Database.open(folder / FILE_NAME) as database:
        await build(database, folder, HashedEncoder())
asyncio.run(main(Path(sys.argv[1])))
"""
SLEEPS = "import pathlib, sys, time, os; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"
FAILS = "import pathlib, sys; open(sys.argv[1], 'a').write('tried\\n'); sys.exit('no room left')"


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / FILE_NAME) as opened:
        await RecordStore(opened).put([VALVE], "a test", AT)
        yield opened


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking costs little, so tests look often."""
    monkeypatch.setattr(index_keeping, "LOOK_SECONDS", 0.05)


@asynccontextmanager
async def kept(index: StoredIndex, command: list[str], changed: asyncio.Event) -> AsyncIterator[None]:
    """`keep_building` within the block."""
    keeping = asyncio.create_task(keep_building(index, command, changed))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    """Wait for something that is asked for again and again."""
    async with asyncio.timeout(seconds):
        # What is waited for happens in another process, on disk: there is no event of it.
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every catalogue is one that takes a process of its own."""
    monkeypatch.setattr("bot.stored_index.MOST_ENCODED_UNASKED", -1)


async def test_a_small_index_is_built_without_a_process(database: Database, tmp_path: Path) -> None:
    """It takes less than starting one, and serves at once; a change of the catalogue wakes the next build."""
    index = StoredIndex(database, tmp_path, HashedEncoder(), built_elsewhere=True)
    changed = asyncio.Event()

    async with kept(index, [sys.executable, "-c", FAILS, str(tmp_path / "tries")], changed):
        await until(index.is_built)
        await RecordStore(database).put([GRANARY], "a test", AT)
        changed.set()
        await until(index.is_built)
        found = await index.nearest(["hopper starved while draining silo"], 1)

    assert [record.record_id for record in found] == [GRANARY.id]
    assert not (tmp_path / "tries").exists()


@pytest.mark.usefixtures("large")
async def test_the_index_follows_the_catalogue(database: Database, tmp_path: Path) -> None:
    """A build of another process serves without being asked for, and a change wakes the next."""
    await build(database, tmp_path, HashedEncoder())
    index = StoredIndex(database, tmp_path, HashedEncoder(), built_elsewhere=True)
    await index.nearest(["x"], 1)
    changed = asyncio.Event()

    async def knows_granary() -> bool:
        found = await index.nearest(["hopper starved while draining silo"], 1)
        return [record.record_id for record in found] == [GRANARY.id]

    before = await knows_granary()
    async with kept(index, [sys.executable, "-c", BUILDS, str(tmp_path), str(REPOSITORY)], changed):
        await RecordStore(database).put([GRANARY], "a test", AT)
        changed.set()
        await until(knows_granary)
        await until(index.is_built)

    assert not before


@pytest.mark.usefixtures("large")
async def test_stopping_stops_the_build(database: Database, tmp_path: Path) -> None:
    """No process is left behind."""
    started = tmp_path / "pid"
    index = StoredIndex(database, tmp_path, HashedEncoder(), built_elsewhere=True)

    async def is_running() -> bool:
        return started.exists() and started.read_text() != ""

    async with kept(index, [sys.executable, "-c", SLEEPS, str(started)], asyncio.Event()):
        await until(is_running)

    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


@pytest.mark.usefixtures("large")
async def test_a_failing_build_is_not_tried_over_and_over(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It waits a minute, says why in the log, and a change of the catalogue makes it try at once."""
    tries = tmp_path / "tries"
    index = StoredIndex(database, tmp_path, HashedEncoder(), built_elsewhere=True)
    changed = asyncio.Event()

    async def once() -> bool:
        return tries.exists()

    async def twice() -> bool:
        return tries.read_text().count("tried") == 2

    async with kept(index, [sys.executable, "-c", FAILS, str(tries)], changed):
        await until(once)
        await asyncio.sleep(0.5)
        tried_by_itself = tries.read_text().count("tried")
        changed.set()
        await until(twice)

    assert tried_by_itself == 1
    assert "no room left" in caplog.text


def test_the_command_builds_the_index(tmp_path: Path) -> None:
    """Started as the bot starts it, only without the model: the shipped records are indexed, and it ends well."""
    command = [*build_command(tmp_path), "--words-only"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}

    ended = subprocess.run(command, env=environment, cwd=REPOSITORY, capture_output=True, check=False, timeout=100)

    assert ended.returncode == 0, ended.stderr
    assert indexed_version(tmp_path) is not None


def test_a_build_whose_bot_is_gone_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It works on while its parent is the one that started it, and at low priority."""
    niceness: list[int] = []
    monkeypatch.setattr(os, "nice", niceness.append)
    with background_progress() as progress:
        progress("index", 1, 2)
        monkeypatch.setattr(os, "getppid", lambda: 1)

        with pytest.raises(typer.Exit):
            progress("index", 2, 2)

    assert niceness == [NICENESS]


def test_the_command_is_that_of_this_data_folder(tmp_path: Path) -> None:
    """It runs the same program, niced."""
    command = build_command(tmp_path)

    assert command[:3] == (sys.executable, "-m", "bot")
    assert str(tmp_path) in command
    assert command[-2:] == ("index", "--background")
