"""Records known in outline, made whole when a card needs one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web

from bot.assembly import assembled
from bot.completing import REST
from bot.pastes.paste import Paste
from bot.records.outline import Outline
from bot.records.record import Record
from bot.settings import load_settings
from bot.store.completed import CompletedStore
from tests.acceptance.pipeline import NoModel
from tests.completing_bench import API, FILE, RECORDS, opened
from tests.dataset_standin import V2, DatasetServer, failing, published, record, sending, serving, with_api
from tests.syncing_bench import Bench, only

PASTE = Paste.of_text("Error: Flux capacitor 3 ran dry while the deflector grid was charging")


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(with_api(published(RECORDS), *RECORDS)) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: DatasetServer) -> Bench:
    return Bench(tmp_path / "data", server)


# --- What is fetched ------------------------------------------------------------------------------------------------


async def test_a_card_is_completed_once(bench: Bench) -> None:
    """One request to the API brings the record; the second card, also of another process, asks nobody."""
    await bench.sync()

    async with opened(bench) as shop:
        assert isinstance(await shop.held(1), Outline)
        assert await shop.meaning(1) == await shop.meaning(1) == "Meaning 1."
        assert shop.server.asked == [API.format(1)]
    async with opened(bench) as shop:
        assert isinstance(await shop.shown(1), Record)
        assert shop.server.asked == []


async def test_cards_that_come_together_share_a_fetch(bench: Bench) -> None:
    """Ten cards of one record make one request, and no two of a repository are under way at the same time."""
    await bench.sync()
    at_once: list[int] = []
    running = 0

    async def slow(_request: web.Request, _data: bytes, _number: int) -> web.StreamResponse | None:
        nonlocal running
        running += 1
        at_once.append(running)
        await asyncio.sleep(0.2)
        running -= 1
        return None

    bench.server.faults = {API.format(number): slow for number in (1, 2)}
    async with opened(bench) as shop:
        cards = asyncio.gather(*(shop.meaning(1) for _ in range(10)), shop.meaning(2))
        await asyncio.sleep(0.05)
        fetches = [task for task in asyncio.all_tasks() if task.get_name() == "complete a record"]
        meanings = await cards

        assert len(fetches) == 2
        assert meanings == ["Meaning 1."] * 10 + ["Meaning 2."]
        assert sorted(shop.server.asked) == [API.format(1), API.format(2)]
        assert at_once == [1, 1]


async def test_without_an_api_the_repositorys_file_completes_all_of_it(bench: Bench) -> None:
    """A server of static files: one file, and the second record of the repository costs no request."""
    bench.server.files = published(RECORDS)
    await bench.sync()

    async with opened(bench) as shop:
        one, two = await asyncio.gather(shop.meaning(1), shop.meaning(2))
        assert (one, two) == ("Meaning 1.", "Meaning 2.")
        assert await shop.meaning(3) == "Meaning 3."
        assert shop.server.asked == [API.format(1), FILE, "/data/repos/example/two.json"]


async def test_a_web_page_is_no_api(bench: Bench) -> None:
    """Some servers answer everything with a page; then the static files are asked."""
    await bench.sync()
    bench.server.faults[API.format(1)] = sending(b"<html>", {"Content-Type": "text/html"})

    async with opened(bench) as shop:
        assert await shop.meaning(1) == "Meaning 1."


async def test_nothing_is_asked_for_what_is_whole(bench: Bench) -> None:
    """Nor for a record that is not the dataset's, nor before anything was synced."""
    await bench.sync(only("example/one"))

    async with opened(bench) as shop:
        assert await shop.meaning(1) == "Meaning 1."
        assert shop.server.asked == []


async def test_the_requests_tell_nothing_but_the_record(bench: Bench) -> None:
    """No header holds more than is needed to fetch the one address."""
    await bench.sync()

    async with opened(bench) as shop:
        await shop.shown(1)

        (headers,) = shop.server.headers
        assert headers.keys() <= {"Host", "Accept", "Accept-Encoding", "User-Agent"}
        assert headers["User-Agent"] == "errata-bot"


# --- What stays as it is --------------------------------------------------------------------------------------------


async def test_matching_does_not_notice(bench: Bench) -> None:
    """G1: catalogue, version and patterns stay what they are, so that a card costs no compiling; nothing is lost."""
    await bench.sync()
    version, held = await bench.version(), await bench.held()

    async with opened(bench) as shop:
        await shop.shown(1)

    assert (await bench.version(), await bench.held()) == (version, held)
    assert await bench.answered("Error: Flux capacitor 1 ran dry while the deflector grid was charging") == "01"


async def test_a_sync_supersedes_what_was_fetched(bench: Bench) -> None:
    """Another outline is another record: it is fetched anew, and what was kept of the old one is forgotten."""
    await bench.sync()
    async with opened(bench) as shop:
        await shop.shown(1)
    changed = record(1, message="Flux capacitor 1 overflowed", documentation="New.")
    await bench.publish(with_api(published([changed, *RECORDS[1:]], V2), changed, *RECORDS[1:]))

    async with opened(bench) as shop:
        assert await shop.database.rows("SELECT * FROM completed_records") == []
        assert await shop.meaning(1) == "New."
        assert shop.server.asked == [API.format(1)]
        assert await CompletedStore(shop.database).count() == 1


async def test_a_new_analysis_renews_it_and_an_outage_does_not_lose_it(bench: Bench) -> None:
    """With the same outline the old text is better than none; as soon as the server answers, the new one is shown."""
    await bench.sync()
    async with opened(bench) as shop:
        await shop.shown(1)
    newer = record(1, documentation="Better.")
    files = published([newer, *RECORDS[1:]], V2, analyzed={"example/one": "2026-11-02T00:00:00Z"})
    await bench.publish(with_api(files, newer))
    bench.server.faults[API.format(1)] = failing(1)

    async with opened(bench) as shop:
        assert await shop.meaning(1) == "Meaning 1."
        shop.moved = REST
        assert await shop.meaning(1) == "Better."
        assert shop.server.asked == [API.format(1)] * 2


# --- Through the door -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offline", [False, True])
async def test_the_assembled_bot_completes_what_it_shows(bench: Bench, offline: bool) -> None:
    """The card's record and a looked-up one are whole, a list fetches nothing; offline all are outlines."""
    await bench.sync()
    bench.server.forget()
    settings = load_settings(data_dir=bench.data_dir, offline=offline)
    async with assembled(settings, encoder=NoModel(), guesses=False) as parts:
        answering = parts.answering
        verdict = await answering.explain(PASTE)
        assert verdict.best is not None
        listed = await answering.entries([f"{1:016x}", f"{3:016x}"])
        assert bench.server.asked == []
        card, found = (
            await answering.entry(verdict.best.record_id),
            await answering.find("example/one/flux-capacitor-1"),
        )

    assert all(isinstance(one, Outline) for one in listed.values())
    assert isinstance(card, Outline if offline else Record)
    assert isinstance(found, Outline if offline else Record)
    assert bench.server.asked == ([] if offline else [API.format(3), API.format(1)])
