"""The dataset in the store, kept in step: what is fetched, what is held, what is left alone."""

import asyncio
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.answers.compose import compose_lookup
from bot.answers.details import compose_details
from bot.gathering import SyncProgress
from bot.locales.words import Words
from bot.records.decode import decode_record
from bot.records.outline import Outline
from bot.records.record import Record
from bot.sources.dataset_errors import DatasetUnreachable
from bot.sources.dataset_folder import SyncBusy, SyncFolder
from bot.store.articles import ArticleStore
from bot.store.dataset import Choice, Difference, Holdings
from bot.syncing import UnknownRepository
from tests.dataset_standin import V1, V2, V3, DatasetServer, article, compact, failing, published, record, serving
from tests.syncing_bench import ALL, AT, Bench, only

ONE = [record(1), record(2)]
TWO = [record(3, "example/two"), record(4, "example/two")]
LISTS = ["index.json.gz", "manifest.json", "repos.json"]


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(published([*ONE, *TWO])) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: DatasetServer) -> Bench:
    return Bench(tmp_path / "data", server)


# --- What is fetched ------------------------------------------------------------------------------------------------


async def test_without_a_choice_all_records_come_in_outline(bench: Bench) -> None:
    """Three requests; every record matches, and none is whole."""
    report = await bench.sync()

    assert bench.asked == LISTS
    assert report.difference == Difference(added=4)
    assert await bench.held() == {"01": "Outline", "02": "Outline", "03": "Outline", "04": "Outline"}
    assert await bench.answered("Error: Flux capacitor 3 ran dry while the deflector grid was charging") == "03"


async def test_chosen_repositories_come_whole(bench: Bench) -> None:
    """The others stay outlines; how many of each there are is known."""
    report = await bench.sync(only("example/two"))

    assert bench.asked == [*LISTS, "repos/example/two.json"]
    assert (report.fetched, report.difference) == (1, Difference(added=4))
    assert await bench.held() == {
        "01": "Outline", "02": "Outline", "03": "Record Meaning 3.", "04": "Record Meaning 4.",
    }  # fmt: skip
    async with bench.dataset() as dataset:
        assert await dataset.holdings() == Holdings(whole=2, outlines=2, own=0)
        assert not await dataset.is_whole(f"{1:016x}")
        assert await dataset.is_whole(f"{3:016x}")


@pytest.mark.parametrize("has_etags", [True, False])
async def test_an_unchanged_dataset_costs_one_request(bench: Bench, has_etags: bool) -> None:
    """G3: the manifest alone is asked for, whether the server knows ETags or not, and the version stays."""
    bench.server.has_etags = has_etags
    first = await bench.sync(ALL)

    second = await bench.sync()

    assert bench.asked == ["manifest.json"]
    assert second.unchanged
    assert (second.catalogue, second.version) == (first.catalogue, V1)
    assert ("If-None-Match" in bench.server.headers[0]) == has_etags


async def test_the_choice_is_remembered(bench: Bench) -> None:
    """The next sync fetches the same repositories whole, and the one after that the new choice."""
    await bench.sync(only("example/two"))

    remembered = await bench.publish(published([*ONE, *TWO, record(5, "example/two")], V2))
    assert (remembered.fetched, bench.asked[-1]) == (1, "repos/example/two.json")

    chosen = await bench.sync(ALL)
    assert bench.asked == ["manifest.json", "repos/example/one.json"]
    assert chosen.difference == Difference(completed=2)
    async with bench.dataset() as dataset:
        assert await dataset.choice() == ALL


async def test_only_changed_repositories_are_fetched(bench: Bench) -> None:
    """A new version with one changed record costs its repository, and nothing of the others is asked for."""
    await bench.sync(ALL)
    changed = record(4, "example/two", "Flux capacitor 4 overflowed", documentation="New.")

    report = await bench.publish(published([*ONE, TWO[0], changed], V2))

    assert bench.asked == [*LISTS[:2], "repos/example/two.json"]
    assert report.difference == Difference(changed=1)
    assert (await bench.held())["04"] == "Record New."
    assert await bench.answered("Error: Flux capacitor 4 overflowed") == "04"


async def test_a_new_analysis_is_asked_about_with_what_the_server_said(bench: Bench) -> None:
    """Where only the list of repositories changed, one conditional request tells that the file did not."""
    await bench.sync(ALL)

    report = await bench.publish(published([*ONE, *TWO], V2, analyzed={"example/two": "2026-11-02T00:00:00Z"}))

    assert bench.asked == [*LISTS, "repos/example/two.json"]
    assert (report.fetched, report.unmodified, report.difference) == (0, 1, Difference())
    assert await bench.sync() == replace(report, unchanged=True, unmodified=0, requests=1, bytes=0)


async def test_new_words_of_a_record_are_found_by_its_analysis(bench: Bench) -> None:
    """The compact index shows no change of a meaning; the list of repositories does."""
    await bench.sync(ALL)
    reworded = [TWO[0], {**TWO[1], "documentation": "Better."}]

    report = await bench.publish(published([*ONE, *reworded], V2, analyzed={"example/two": "2026-11-02T00:00:00Z"}))

    assert report.difference == Difference(changed=1)
    assert (await bench.held())["04"] == "Record Better."


async def test_a_correction_under_the_same_version_is_taken(bench: Bench) -> None:
    """Where the index is the same, another list of repositories contradicts nothing that is known."""
    await bench.sync(ALL)
    reworded = [ONE[0], {**ONE[1], "documentation": "Corrected."}]

    await bench.publish(published([*reworded, *TWO], V1, analyzed={"example/one": "2026-11-02T00:00:00Z"}))

    assert bench.asked == ["manifest.json", "repos.json", "repos/example/one.json"]
    assert (await bench.held())["02"] == "Record Corrected."


async def test_an_older_dataset_without_gzip_is_read(bench: Bench) -> None:
    """Its manifest names a plain index and no encoding."""
    await bench.publish(published([*ONE, *TWO], packed=False), ALL)

    assert bench.asked == [
        "index.json",
        "manifest.json",
        "repos.json",
        "repos/example/one.json",
        "repos/example/two.json",
    ]
    assert (await bench.held())["01"] == "Record Meaning 1."


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


async def test_progress_is_told_from_nothing_to_all(bench: Bench) -> None:
    """Each step ends with all it has, and bytes only grow."""
    told: list[SyncProgress] = []

    await bench.sync(ALL, watch=told.append)

    last = {progress.step: progress for progress in told}
    assert list(last) == ["checking", "fetching", "storing"]
    assert all((at.records, at.repositories) == (at.of_records, at.of_repositories) for at in last.values())
    assert [at.bytes for at in told] == sorted(at.bytes for at in told)


async def test_what_is_left_of_another_dataset_is_asked_about(bench: Bench) -> None:
    """A sync broke off, and a new dataset came whose index is the same: the files from before may be old."""
    await bench.sync(ALL)
    analyzed = {"example/one": "2026-11-02T00:00:00Z", "example/two": "2026-11-02T00:00:00Z"}
    bench.server.files = published([ONE[0], {**ONE[1], "documentation": "New."}, *TWO], V2, analyzed=analyzed)
    bench.server.faults["/data/repos/example/two.json"] = failing(1_000)
    with pytest.raises(DatasetUnreachable):
        await bench.sync()
    bench.server.faults.clear()
    analyzed["example/one"] = "2026-11-03T00:00:00Z"
    reworded = [ONE[0], {**ONE[1], "documentation": "Newest."}]

    await bench.publish(published([*reworded, *TWO], V2, analyzed=analyzed))

    assert (await bench.held())["02"] == "Record Newest."


# --- What is held ---------------------------------------------------------------------------------------------------


async def test_records_that_are_gone_are_removed(bench: Bench) -> None:
    """Whole or in outline, with their repository or alone."""
    await bench.sync(only("example/one"))

    report = await bench.publish(published([ONE[0]], V2))

    assert report.difference == Difference(gone=3)
    assert await bench.held() == {"01": "Record Meaning 1."}
    assert await bench.answered("Error: Flux capacitor 3 ran dry while the deflector grid was charging") is None


async def test_a_whole_record_stays_whole_while_it_does_not_change(bench: Bench) -> None:
    """Who chooses something else keeps what was fetched; only a record that changed becomes an outline."""
    await bench.sync(ALL)
    changed = record(2, message="Flux capacitor 2 overflowed")

    report = await bench.publish(published([ONE[0], changed, *TWO], V2), only("example/two"))

    assert report.difference == Difference(changed=1)
    assert await bench.held() == {
        "01": "Record Meaning 1.", "02": "Outline", "03": "Record Meaning 3.", "04": "Record Meaning 4.",
    }  # fmt: skip

    again = await bench.sync(ALL)
    assert bench.asked == ["manifest.json", "repos/example/one.json"]
    assert again.difference == Difference(completed=1)


async def test_what_is_the_owners_is_left_alone(bench: Bench) -> None:
    """An imported record keeps its words whatever the dataset says of its id, and stays when it is gone there."""
    mine = decode_record(record(1, documentation="Mine."), "a test")
    other = decode_record(record(9, "my/own", documentation="Mine too."), "a test")
    async with bench.records() as records:
        await records.put([mine, other], "mine.jsonl", AT)

    first = await bench.sync(ALL)
    assert first.difference == Difference(added=3)
    assert (await bench.held())["01"] == "Record Mine."

    second = await bench.publish(published(TWO, V2))
    assert second.difference == Difference(gone=1)
    assert await bench.held() == {
        "01": "Record Mine.", "03": "Record Meaning 3.", "04": "Record Meaning 4.", "09": "Record Mine too.",
    }  # fmt: skip


async def test_what_is_imported_over_the_dataset_is_the_owners_from_then_on(bench: Bench) -> None:
    """The next sync neither takes it back nor removes it."""
    await bench.sync(ALL)
    async with bench.records() as records:
        await records.put([decode_record(record(1, documentation="Mine."), "a test")], "mine.jsonl", AT)

    await bench.publish(published([record(1, message="Something else"), *TWO], V2))

    assert (await bench.held())["01"] == "Record Mine."


@pytest.mark.parametrize(
    ("analyzed_at", "held"), [("2026-10-01T00:00:00Z", "Meaning 1."), ("2026-09-30T00:00:00Z", "Seed.")]
)
async def test_a_seed_gives_way_to_a_later_analysis_alone(bench: Bench, analyzed_at: str, held: str) -> None:
    """And to a whole record alone; when it is gone upstream, the seed's record stays."""
    async with bench.records() as records:
        await records.put([decode_record(record(1, documentation="Seed."), "a test")], "seeds", AT)

    await bench.sync()
    assert (await bench.held())["01"] == "Record Seed."

    await bench.publish(published([record(1, analyzedAt=analyzed_at), ONE[1], *TWO], V2), ALL)
    assert (await bench.held())["01"] == f"Record {held}"

    await bench.publish(published(TWO, V3))
    assert (await bench.held())["01"] == f"Record {held}"


async def test_the_version_tells_what_is_held_and_not_how_it_came(bench: Bench, tmp_path: Path) -> None:
    """Two ways to the same records give one version: at once, or by outlines and a change."""
    await bench.sync()
    await bench.publish(published([*ONE, *TWO, record(5)], V2), only("example/one"))
    stepwise = await bench.sync(ALL)

    at_once = await Bench(tmp_path / "other", bench.server).sync(ALL)

    assert stepwise.catalogue == at_once.catalogue == await bench.version()


async def test_the_order_of_the_dataset_does_not_matter(bench: Bench, tmp_path: Path) -> None:
    """A11: the same records in another order are the same catalogue."""
    first = await bench.sync(ALL)
    bench.server.files = published([*reversed(TWO), *reversed(ONE)], V1)

    second = await Bench(tmp_path / "other", bench.server).sync(ALL)

    assert first.catalogue == second.catalogue


async def test_what_was_synced_is_remembered(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """Version, address, time and difference are read back, and the log has them."""
    with caplog.at_level(logging.INFO, logger="bot.syncing"):
        report = await bench.sync(ALL)

    async with bench.dataset() as dataset:
        synced = await dataset.synced()
    assert synced is not None
    assert (synced.generation.base, synced.generation.version) == (bench.server.base, V1)
    assert (synced.at, synced.difference) == (AT, report.difference)
    assert f"the dataset of {V1} is served as catalogue {report.catalogue}: 4 records added" in caplog.text


async def test_another_address_is_another_dataset(bench: Bench) -> None:
    """Its versions are not compared with those of the one before, and what only that one had is removed."""
    await bench.publish(published([*ONE, *TWO], V3), ALL)

    with serving(published([*ONE, record(7, "example/seven")], V1)) as other:
        report = await bench.sync(base=other.base)

    assert (report.version, report.difference) == (V1, Difference(added=1, gone=2))
    assert await bench.held() == {"01": "Record Meaning 1.", "02": "Record Meaning 2.", "07": "Record Meaning 7."}


# --- Where file and index disagree ----------------------------------------------------------------------------------


async def test_the_compact_index_says_which_records_there_are(bench: Bench) -> None:
    """What only the file has is left out, what only the index has is an outline, and both are told and asked again."""
    files = published([ONE[0], record(8)], outlines=[compact(ONE[0]), compact(ONE[1])])

    report = await bench.publish(files, ALL)

    fit = report.misfits["example/one"]
    assert (fit.extra, fit.missing, fit.differing) == (1, 1, 0)
    assert await bench.held() == {"01": "Record Meaning 1.", "02": "Outline"}

    assert (await bench.sync()).unchanged
    assert bench.asked == ["manifest.json"]
    mended = await bench.publish(published(ONE, V2))
    assert bench.asked == [*LISTS[:2], "repos/example/one.json"]
    assert (mended.misfits, mended.difference) == ({}, Difference(completed=1))


async def test_a_file_that_is_ahead_of_the_index_is_told(bench: Bench) -> None:
    """Another message in the file than in the index: the file is served, and looked at again."""
    files = published([record(1, message="Flux capacitor 1 is new")], outlines=[compact(ONE[0])])

    report = await bench.publish(files, ALL)

    assert report.misfits["example/one"].differing == 1


# --- Names ----------------------------------------------------------------------------------------------------------


async def test_a_repository_that_is_not_there_is_told_with_one_that_is(bench: Bench) -> None:
    """Before anything is taken over, and also where nothing else is to do."""
    with pytest.raises(UnknownRepository, match="no repository example/tvo; did you mean example/two"):
        await bench.sync(only("example/tvo"))
    assert await bench.held() == {}

    await bench.sync()
    with pytest.raises(UnknownRepository):
        await bench.sync(only("nothing/alike-at-all"))


async def test_a_repository_that_is_gone_does_not_stop_the_others(bench: Bench) -> None:
    """It was chosen once; that it is lost is told."""
    await bench.sync(only("example/one", "example/two"))

    report = await bench.publish(published(ONE, V2))

    assert (report.lost, report.difference) == (("example/two",), Difference(gone=2))


# --- Articles -------------------------------------------------------------------------------------------------------


async def test_articles_are_read_and_read_again_when_they_change(bench: Bench) -> None:
    """By the family of a record; an unchanged one is not fetched again, one that is gone is removed."""
    files = published(ONE, articles=[article("broken-channel"), article("lost-lock", clusterKey="locks")])
    report = await bench.publish(files)
    assert report.articles == 2

    changed = article("broken-channel", title="Another title", summary="New.")
    await bench.publish(published(ONE, V2, articles=[changed, article("other")]))

    assert bench.asked == [
        "index.json.gz",
        "info/broken-channel.json",
        "info/index.json",
        "info/other.json",
        "manifest.json",
    ]
    async with bench.opened() as database:
        articles = ArticleStore(database)
        found = await articles.of_family("broken-channel")
        assert found is not None
        assert json.loads(found.body_json)["summary"] == "New."
        assert await articles.of_family("locks") is None


async def test_a_bad_article_is_left_out_and_said(bench: Bench) -> None:
    """No answer depends on it, so the records are taken over."""
    report = await bench.publish(published(ONE, articles=[article("good"), article("bad", summary=7)]))

    assert (report.articles, report.bad_articles) == (1, ("bad",))
    assert len(await bench.held()) == 2


# --- Together with others -------------------------------------------------------------------------------------------


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


# --- What is shown of an outline ------------------------------------------------------------------------------------


async def test_an_outline_is_shown_as_what_it_is(bench: Bench) -> None:
    """Message and page are there; that meaning and steps are not is said, on the card and behind "More"."""
    await bench.sync()
    async with bench.records() as records:
        entry = await records.get(f"{1:016x}")
    assert isinstance(entry, Outline)

    for language, said in (("en", "Only the outline of this record is loaded"), ("de", "nur der Umriss geladen")):
        words = Words.for_language(language)
        answer, details = compose_lookup(entry, words), compose_details(entry, words)

        assert answer.title == "Flux capacitor 1 ran dry while the deflector grid was charging"
        assert said in answer.meaning
        assert said in details.sections[0].text
        assert answer.source.url == "https://errors.standardbeagle.com/example/one/flux-capacitor-1/"
        assert answer.ai_note is None


async def test_a_record_is_shown_whole_once_it_is_there(bench: Bench) -> None:
    """The card then says nothing of outlines."""
    await bench.sync()
    await bench.sync(Choice(repositories=frozenset({"example/one"})))
    async with bench.records() as records:
        entry = await records.get(f"{1:016x}")

    assert isinstance(entry, Record)
    assert compose_lookup(entry, Words.for_language("en")).meaning == "Meaning 1."
