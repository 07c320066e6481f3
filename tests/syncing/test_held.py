"""What the store holds after a sync: what the dataset says, and what is the owner's own."""

from pathlib import Path

import pytest

from bot.records.decode import decode_record
from bot.store.dataset import Difference
from tests.dataset_standin import V1, V2, V3, published, record, serving
from tests.syncing_bench import ALL, AT, ONE, TWO, Bench, only


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


async def test_another_address_is_another_dataset(bench: Bench) -> None:
    """Its versions are not compared with those of the one before, and what only that one had is removed."""
    await bench.publish(published([*ONE, *TWO], V3), ALL)

    with serving(published([*ONE, record(7, "example/seven")], V1)) as other:
        report = await bench.sync(base=other.base)

    assert (report.version, report.difference) == (V1, Difference(added=1, gone=2))
    assert await bench.held() == {"01": "Record Meaning 1.", "02": "Record Meaning 2.", "07": "Record Meaning 7."}
