"""What a sync asks the server for: no more than changed, and nothing twice."""

from dataclasses import replace

import pytest

from bot.sources.dataset_errors import DatasetUnreachable
from bot.store.dataset import Difference, Holdings
from tests.dataset_standin import V1, V2, failing, published, record
from tests.syncing_bench import ALL, LISTS, ONE, TWO, Bench, only


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
