"""A sync beside others: another sync, an import, and a dataset that is published meanwhile."""

import asyncio
from datetime import UTC, datetime

import pytest

from bot.records.decode import decode_record
from bot.sources.dataset_folder import SyncBusy, SyncFolder
from bot.store.dataset import Difference
from tests.dataset_standin import V2, published, record
from tests.syncing_bench import ALL, ONE, TWO, Bench


async def test_what_was_published_meanwhile_is_fetched_instead(bench: Bench) -> None:
    """The index is another one than the manifest says, because a new dataset came between the two requests."""
    new = published([*ONE, *TWO, record(5)], V2)

    def publish_now(path: str) -> None:
        if path.endswith("index.json.gz"):
            bench.server.files = new

    bench.server.before_answer = publish_now

    report = await bench.sync()

    assert (report.version, report.difference) == (V2, Difference(added=5))
    assert bench.server.asked.count("/data/manifest.json") == 2


async def test_two_syncs_do_not_meet(bench: Bench) -> None:
    """The second is told so at once."""
    with SyncFolder(bench.data_dir / "sync").held(), pytest.raises(SyncBusy, match="another process is syncing"):
        await bench.sync()


async def test_others_may_write_while_a_sync_gathers(bench: Bench) -> None:
    """What is imported in the meantime is the owner's, and not replaced at the end."""
    mine = decode_record(record(1, documentation="Mine."), "a test")

    async def import_mine() -> None:
        async with bench.records() as records:
            await records.put([mine], "mine.jsonl", datetime(2026, 11, 4, tzinfo=UTC))

    def import_when_repositories_come(path: str) -> None:
        if "/repos/" in path:
            bench.server.before_answer = lambda _path: None
            asyncio.run_coroutine_threadsafe(import_mine(), loop).result(10)

    loop = asyncio.get_running_loop()
    bench.server.before_answer = import_when_repositories_come

    report = await bench.sync(ALL)

    assert (await bench.held())["01"] == "Record Mine."
    assert report.difference == Difference(added=3)
