"""Whole records beside the outlines of the catalogue."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.records.decode import decode_record
from bot.records.record import Record
from bot.store.completed import Completed, CompletedStore
from bot.store.records import RecordStore
from tests.dataset_standin import published, record, serving
from tests.syncing_bench import Bench, only

AT = datetime(2026, 11, 5, tzinfo=UTC)
ONE, TWO = (decode_record(record(number), "a test") for number in (1, 2))
WHOLE = record(3, "example/two")


@pytest.fixture
async def bench(tmp_path: Path) -> Bench:
    """Two records in outline and a whole one."""
    with serving(published([record(1), record(2), WHOLE])) as server:
        bench = Bench(tmp_path, server)
        await bench.sync(only("example/two"))
        return bench


async def test_what_fits_an_outline_is_kept(bench: Bench) -> None:
    """All of a record comes back; the others are not concerned."""
    async with bench.opened() as database:
        store = CompletedStore(database)

        assert await store.put([ONE], AT) == {ONE.id}
        assert await store.get(ONE.id) == Completed(ONE, is_current=True)
        assert await store.get(TWO.id) is None
        assert await store.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(ONE, error_message="Something else"),
        replace(ONE, message_pattern="Flux.*"),
        replace(ONE, repo="example/two"),
        replace(ONE, slug="elsewhere"),
        replace(ONE, tags=("other",)),
        replace(ONE, id="00000000000000ff"),
        decode_record(WHOLE, "a test"),
    ],
)
async def test_what_fits_no_outline_is_not_kept(bench: Bench, other: Record) -> None:
    """Another compact form, an unknown id, and a record that is whole already; what fits beside them is kept."""
    async with bench.opened() as database:
        store = CompletedStore(database)

        assert await store.put([other, TWO], AT) == {TWO.id}
        assert await store.get(other.id) is None


async def test_the_later_one_takes_its_place(bench: Bench) -> None:
    """A record that is fetched again is the newer one."""
    newer = replace(ONE, documentation="Newer.")
    async with bench.opened() as database:
        store = CompletedStore(database)
        await store.put([ONE], AT)

        await store.put([newer], AT)

        assert await store.get(ONE.id) == Completed(newer, is_current=True)
        assert await store.count() == 1


async def test_with_another_outline_it_is_another_record(bench: Bench) -> None:
    """Whatever changed the outline, what is shown fits it."""
    async with bench.opened() as database:
        store = CompletedStore(database)
        await store.put([ONE], AT)
        await database.write("UPDATE dataset_records SET outline = 'another' WHERE id = ?", (ONE.id,))

        assert await store.get(ONE.id) is None
        assert await store.count() == 0


async def test_an_own_record_is_not_replaced_on_the_card(bench: Bench) -> None:
    """Who imports a record of that id has the last word, also when the dataset's was fetched before."""
    async with bench.opened() as database:
        store = CompletedStore(database)
        await store.put([ONE], AT)
        await RecordStore(database).put([replace(ONE, documentation="Mine.")], "mine", AT)

        assert await store.get(ONE.id) is None
        assert await store.put([ONE], AT) == frozenset()
        assert await store.count() == 0


async def test_a_record_that_comes_whole_supersedes_it(bench: Bench) -> None:
    """After a sync of its repository nothing is kept twice."""
    async with bench.opened() as database:
        await CompletedStore(database).put([ONE], AT)
    with serving(bench.server.files) as again:
        synced = Bench(bench.data_dir, again)
        await synced.sync(only("example/one"), base=again.base)

    async with bench.opened() as database:
        assert await database.rows("SELECT id FROM completed_records") == []
    assert (await bench.held())["01"] == "Record Meaning 1."
