"""What a sync tells: how far it is, what it did, and where names or files do not fit."""

import logging

import pytest

from bot.gathering import SyncProgress
from bot.store.dataset import Difference
from bot.syncing import UnknownRepository
from tests.dataset_standin import V1, V2, compact, published, record
from tests.syncing_bench import ALL, AT, LISTS, ONE, Bench, only


async def test_progress_is_told_from_nothing_to_all(bench: Bench) -> None:
    """Each step ends with all it has, and bytes only grow."""
    told: list[SyncProgress] = []

    await bench.sync(ALL, watch=told.append)

    last = {progress.step: progress for progress in told}
    assert list(last) == ["checking", "fetching", "storing"]
    assert all((at.records, at.repositories) == (at.of_records, at.of_repositories) for at in last.values())
    assert [at.bytes for at in told] == sorted(at.bytes for at in told)


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
