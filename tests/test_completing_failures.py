"""Records that cannot be made whole: what is refused, and who does not answer."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.completing import REST
from bot.records.outline import Outline
from bot.records.record import Record
from bot.store.completed import CompletedStore
from tests.completing_bench import API, FILE, RECORDS, opened
from tests.dataset_standin import DatasetServer, Document, dripping, failing, published, record, serving, with_api
from tests.syncing_bench import Bench


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(with_api(published(RECORDS), *RECORDS)) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: DatasetServer) -> Bench:
    return Bench(tmp_path / "data", server)


# --- What is refused ------------------------------------------------------------------------------------------------


def _answers(document: Document) -> bytes:
    return with_api({}, document)["/api/errors/" + document["id"]]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_answers(record(2)), "is record 0000000000000002, and 0000000000000001 was asked for"),
        (_answers(record(1, "example/two")), "is of example/two, and example/one was asked for"),
        (_answers(record(1, schemaVersion=3)), "schemaVersion: 3 is not 2"),
        (_answers(record(1, severity="dire")), "severity"),
        (_answers(record(1, messagePattern="(")), "is no regex"),
        (_answers(record(1, message="Another message altogether")), "differs from its outline"),
        (_answers(record(1, slug="elsewhere")), "differs from its outline"),
        (b"[]", "is no answer of the API"),
        (b'{"record": ', "is not JSON"),
        (b" " * 2_000_000, "more than 1,048,576 are never fetched"),
    ],
)
async def test_what_is_wrong_is_refused_and_the_outline_stays(
    bench: Bench, caplog: pytest.LogCaptureFixture, answer: bytes, said: str
) -> None:
    """G1: it passes the checks of a sync or is not stored; it is not asked for again at once, others are."""
    await bench.sync()
    bench.server.files["/api/errors/" + f"{1:016x}"] = answer
    caplog.set_level(logging.INFO)

    async with opened(bench) as shop:
        assert isinstance(await shop.shown(1), Outline)
        assert isinstance(await shop.shown(1), Outline)
        assert shop.server.asked == [API.format(1)]
        assert said in caplog.text
        assert await CompletedStore(shop.database).count() == 0
        assert await shop.meaning(2) == "Meaning 2."

        bench.server.files.update(with_api({}, RECORDS[0]))
        shop.moved = REST
        assert await shop.meaning(1) == "Meaning 1."


async def test_a_refused_file_is_not_fetched_for_each_of_its_records(bench: Bench) -> None:
    """It would be the same file again; other repositories are not concerned."""
    bench.server.files = published(RECORDS)
    await bench.sync()
    bench.server.files[FILE] = b"[{}]"

    async with opened(bench) as shop:
        shown = await asyncio.gather(shop.shown(1), shop.shown(2))
        assert all(isinstance(one, Outline) for one in shown)
        assert isinstance(await shop.shown(2), Outline)
        assert shop.server.asked == [API.format(1), FILE]
        assert await shop.meaning(3) == "Meaning 3."


# --- Who does not answer --------------------------------------------------------------------------------------------


async def test_offline_shows_what_is_there(bench: Bench) -> None:
    """G3: nobody is asked; what was fetched before is whole, the rest an outline."""
    await bench.sync()
    async with opened(bench) as shop:
        await shop.shown(1)

    async with opened(bench, offline=True) as shop:
        assert await shop.meaning(1) == "Meaning 1."
        assert isinstance(await shop.shown(2), Outline)
        assert shop.server.asked == []


async def test_a_slow_server_holds_up_no_card(bench: Bench) -> None:
    """The outline comes when the patience ends, and the record behind it: the next card is whole."""
    await bench.sync()
    bench.server.faults[API.format(1)] = dripping(0.0005)
    loop = asyncio.get_running_loop()

    async with opened(bench, patience_seconds=0.2) as shop:
        began = loop.time()
        first = await shop.shown(1)
        assert isinstance(first, Outline)
        assert loop.time() - began < 1

        async with asyncio.timeout(30):
            while isinstance(await shop.shown(1), Outline):
                pass
        assert await shop.meaning(1) == "Meaning 1."
        assert shop.server.asked == [API.format(1)]


async def test_the_loop_runs_on_while_a_card_waits(bench: Bench) -> None:
    """E5: other work is not held up by a fetch: a tick every 10 ms is never late by 0.2 s."""
    await bench.sync()
    bench.server.faults[API.format(1)] = dripping(0.0005)
    loop, late = asyncio.get_running_loop(), [0.0]

    async def tick() -> None:
        while True:
            due = loop.time() + 0.01
            await asyncio.sleep(0.01)
            late.append(loop.time() - due)

    async with opened(bench, patience_seconds=0.5) as shop:
        ticking = asyncio.create_task(tick())
        await shop.shown(1)
        ticking.cancel()

    assert len(late) > 10
    assert max(late) < 0.2


async def test_a_dead_server_is_asked_once_in_a_while(bench: Bench) -> None:
    """One attempt, then none for five minutes, whichever record or process it is; then it is asked again."""
    await bench.sync()
    bench.server.faults = {API.format(number): failing(1) for number in (1, 2)}

    async with opened(bench) as shop:
        assert isinstance(await shop.shown(1), Outline)
        assert isinstance(await shop.shown(1), Outline)
        assert isinstance(await shop.shown(3), Outline)
        assert shop.server.asked == [API.format(1)]
    async with opened(bench) as shop:
        assert isinstance(await shop.shown(3), Outline)
        assert shop.server.asked == []
        shop.moved = REST
        assert await shop.meaning(3) == "Meaning 3."


async def test_a_server_waited_for_in_vain_rests_for_the_next_process(bench: Bench) -> None:
    """`errata ask` in a terminal ends while the record drips; the next one does not wait another three seconds."""
    await bench.sync()
    bench.server.faults[API.format(1)] = dripping(1)

    async with opened(bench, patience_seconds=0.1) as shop:
        assert isinstance(await shop.shown(1), Outline)
    async with opened(bench, patience_seconds=30) as shop:
        assert isinstance(await shop.shown(1), Outline)
        assert shop.server.asked == []


async def test_where_nobody_listens_the_outline_is_shown(bench: Bench) -> None:
    """A closed port is a dead server as well."""
    await bench.sync()
    async with bench.opened() as database:
        await database.write("UPDATE dataset SET base = 'http://127.0.0.1:9'")

    async with opened(bench) as shop:
        assert isinstance(await shop.shown(1), Outline)
        assert isinstance(await shop.shown(2), Outline)


async def test_more_cards_than_can_wait_show_outlines(bench: Bench) -> None:
    """Every queue has a length: of 60 records at once 32 are fetched, the others stay outlines until asked again."""
    many = [record(number, f"example/of-{number}") for number in range(1, 61)]
    bench.server.files = with_api(published(many), *many)
    await bench.sync()

    async with opened(bench, patience_seconds=20) as shop:
        entries = [await shop.held(number) for number in range(1, 61)]
        shown = await asyncio.gather(*map(shop.completing.completed, entries))

        assert sum(isinstance(one, Record) for one in shown) == len(shop.server.asked) == 32
        assert all(isinstance(one, Record) for one in [await shop.shown(number) for number in range(1, 61)])
