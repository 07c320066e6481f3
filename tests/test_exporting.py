"""The catalogue handed on, read by a reader made from upstream's rules alone."""

import gzip
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.exporting import Exported, NothingToExport, export
from bot.records.decode import decode_record
from bot.records.entry import Entry
from bot.records.outline import outline_of
from bot.records.record import Record
from bot.sources.dataset_manifest import decode_manifest
from bot.sources.dataset_records import read_index, read_repository
from bot.sources.dataset_repositories import decode_repositories
from bot.sources.export import CannotExport, dumped
from bot.sources.files import iter_entries, read_entries
from bot.sources.seeds import shipped_seeds
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from bot.suggesting import UnknownNames
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED
from tests.shared_data import shared_file
from tests.upstream_rules import problems_of, records_of

AT = datetime(2026, 11, 30, tzinfo=UTC)
OTHER = replace(GRADIENT_SYNC, id="1" * 16, repo="pallets/flask", background_tag=None, content_changed_at=None)


async def exported(tmp_path: Path, entries: Iterable[Entry], *repositories: str, folder: str = "out") -> Exported:
    """What comes of a store with just these entries."""
    database_file = tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite3"
    async with Database.open(database_file) as database:
        await RecordStore(database).put(entries, "a test", AT)
        return await export(database, tmp_path / folder, repositories)


def digest(folder: Path) -> dict[str, str]:
    """The checksum of every file, by its name."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def scale_sample(count: int) -> list[Record]:
    """Records from all over the large catalogue."""
    with gzip.open(shared_file("scale/catalogue.jsonl.gz"), "rt", encoding="utf-8") as lines:
        step = 153_000 // count
        return [decode_record(json.loads(line), "scale") for number, line in enumerate(lines) if number % step == 0]


def test_half_a_surrogate_pair_is_escaped() -> None:
    """It has no UTF-8; everything else is written as it is."""
    assert dumped({"a": "ä"}) == '{"a":"ä"}'.encode()
    assert json.loads(dumped({"a": "ä\ud800"})) == {"a": "ä\ud800"}


def version_in(folder: Path) -> str:
    version: str = json.loads((folder / "manifest.json").read_bytes())["datasetVersion"]
    return version


async def test_the_shipped_seeds_are_exported_by_upstreams_rules(tmp_path: Path) -> None:
    """G5: records and pages alike; checksums, sizes, gzip, counts and every field of every record."""
    seeds = tuple(iter_entries([shipped_seeds()]))

    done = await exported(tmp_path, seeds)

    assert problems_of(tmp_path / "out") == []
    assert (done.pages, done.outlines, done.superseded) == (2, 0, 0)
    assert records_of(tmp_path / "out").keys() == {entry.id for entry in seeds}


async def test_a_sample_of_the_large_catalogue_goes_out_and_comes_back_equal(tmp_path: Path) -> None:
    """G5: 300 records; each is read back by our own decoder as the very same record, unknown fields too."""
    sample = scale_sample(300)
    sample[7].unknown["brandNew"] = {"nested": [1, None, "ä"]}

    done = await exported(tmp_path, sample)

    assert len(sample) >= 300
    assert problems_of(tmp_path / "out") == []
    assert done.written.records == len(sample)
    back = {one.id: one for path in (tmp_path / "out" / "repos").rglob("*.json") for one in read_entries(path).entries}
    assert back == {record.id: record for record in sample}
    again = back[sample[7].id]
    assert isinstance(again, Record)
    assert again.unknown == sample[7].unknown


async def test_our_own_sync_reads_what_was_exported(tmp_path: Path) -> None:
    """G1: one bot's export is another one's dataset: manifest, index, list of repositories, their files."""
    sample = scale_sample(300)
    await exported(tmp_path, [*sample, *iter_entries([shipped_seeds()])])
    data = tmp_path / "out"

    manifest = decode_manifest((data / "manifest.json").read_bytes(), "the manifest")
    outlines = {one.id: one for one in read_index(data / "index.json.gz", manifest)}
    rows = decode_repositories((data / "repos.json").read_bytes(), "the list")

    records = [one for repo in rows for one in read_repository(data / "repos" / f"{repo}.json", repo, repo)]
    assert len(records) == sum(row.errors for row in rows.values()) == manifest.records == len(sample) + 3
    assert outlines == {record.id: outline_of(record) for record in records}
    assert {record.id: record for record in records}.items() >= {record.id: record for record in sample}.items()


async def test_the_same_catalogue_gives_the_same_bytes(tmp_path: Path) -> None:
    """A11: whatever the order in which records came, whenever and wherever they were stored."""
    sample = scale_sample(300)

    await exported(tmp_path, sample, folder="one")
    await exported(tmp_path, reversed(sample), folder="two")

    assert digest(tmp_path / "one") == digest(tmp_path / "two")


async def test_an_export_that_says_nothing_new_changes_no_byte(tmp_path: Path) -> None:
    """Its version stays as well, so that nobody fetches it again."""
    first = await exported(tmp_path, [GRADIENT_SYNC, OTHER])
    before = digest(tmp_path / "out")

    second = await exported(tmp_path, [OTHER, GRADIENT_SYNC])

    assert (first.written.is_new, second.written.is_new) == (True, False)
    assert digest(tmp_path / "out") == before


@pytest.mark.parametrize("days", [-3, 0, 3])
async def test_the_version_only_grows(tmp_path: Path, days: int) -> None:
    """However old what is new in it is, and also where records were taken away; going back is a new version, too."""
    at = GRADIENT_SYNC.analyzed_at + timedelta(days=days)
    added = replace(OTHER, analyzed_at=at)
    versions = []
    for entries in ([GRADIENT_SYNC], [GRADIENT_SYNC, added], [GRADIENT_SYNC], [added]):
        await exported(tmp_path, entries)
        versions.append(version_in(tmp_path / "out"))
        assert problems_of(tmp_path / "out") == []

    assert sorted(set(versions)) == versions


async def test_a_mirror_of_upstream_is_followed_by_a_later_version(tmp_path: Path) -> None:
    """A dataset that says nothing of its content counts as another one."""
    await exported(tmp_path, [GRADIENT_SYNC])
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    del manifest["errataContent"]
    manifest["datasetVersion"] = "2031-01-01T00:00:00.000Z"
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(manifest))

    done = await exported(tmp_path, [GRADIENT_SYNC])

    assert done.written.version == "2031-01-01T00:00:00.001Z"


async def test_only_the_repositories_that_were_asked_for_go_out(tmp_path: Path) -> None:
    """In whatever case they are named; one that is not known is named with those that may have been meant."""
    await exported(tmp_path, [GRADIENT_SYNC, OTHER], "Pallets/Flask")

    assert problems_of(tmp_path / "out") == []
    assert records_of(tmp_path / "out").keys() == {OTHER.id}
    with pytest.raises(UnknownNames, match="no repository flask/flask; did you mean pallets/flask"):
        await exported(tmp_path, [GRADIENT_SYNC, OTHER], "flask/flask")


async def test_what_cannot_be_exported_is_counted(tmp_path: Path) -> None:
    """Outlines have no meaning to hand on, and of two records with one address the later one has it."""
    outline = outline_of(replace(GRADIENT_SYNC, id="2" * 16, slug="another"))
    old = replace(GRADIENT_SYNC, id="3" * 16, analyzed_at=GRADIENT_SYNC.analyzed_at - timedelta(days=9))

    done = await exported(tmp_path, [GRADIENT_SYNC, outline, old, SERVER_DISCONNECTED])

    assert problems_of(tmp_path / "out") == []
    assert records_of(tmp_path / "out").keys() == {GRADIENT_SYNC.id, SERVER_DISCONNECTED.id}
    assert (done.pages, done.outlines, done.superseded) == (1, 1, 1)
    before = digest(tmp_path / "out")
    with pytest.raises(NothingToExport, match="1 are known in compact form alone"):
        await exported(tmp_path, [outline])
    assert digest(tmp_path / "out") == before


async def test_articles_and_facts_of_repositories_go_out_as_they_came(tmp_path: Path) -> None:
    """An article whose family has records; stars and the like where a dataset told them, null where none did."""
    article: dict[str, object] = {
        "slug": "channel-gone",
        "clusterKey": GRADIENT_SYNC.background_tag,
        "title": "T",
        "summary": "S",
    }
    article |= {"background": "B", "commonCauses": [], "fixes": [], "errorIds": [GRADIENT_SYNC.id], "generatedAt": None}
    foreign = article | {"slug": "elsewhere", "clusterKey": "elsewhere"}
    row = {"repo": GRADIENT_SYNC.repo, "stars": 9, "language": "Rust", "errorCount": 77, "analyzedSha": "a" * 40}
    async with Database.open(tmp_path / "db") as database:
        await RecordStore(database).put([GRADIENT_SYNC, OTHER], "a test", AT)
        for one in (article, foreign):
            await database.write(
                "INSERT INTO articles (slug, cluster_key, row_digest, body_json) VALUES (?, ?, '', ?)",
                (str(one["slug"]), str(one["clusterKey"]), json.dumps(one)),
            )
        await database.write(
            "INSERT INTO dataset_repositories (repo, row_json, fetched, settled) VALUES (?, ?, 1, 1)",
            (GRADIENT_SYNC.repo, json.dumps(row)),
        )
        done = await export(database, tmp_path / "out")

    assert problems_of(tmp_path / "out") == []
    assert done.written.articles == 1
    assert json.loads((tmp_path / "out" / "info" / "channel-gone.json").read_bytes())["errorCount"] == 1
    rows = {one["repo"]: one for one in json.loads((tmp_path / "out" / "repos.json").read_bytes())}
    assert rows[GRADIENT_SYNC.repo].items() >= {"stars": 9, "language": "Rust", "errorCount": 1}.items()
    assert (rows[OTHER.repo]["stars"], rows[OTHER.repo]["errorCount"]) == (None, 1)


async def test_a_folder_of_something_else_is_never_replaced(tmp_path: Path) -> None:
    """Neither one with other files, nor a file, nor a dataset whose version cannot be read."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "thesis.txt").write_text("years of work")
    with pytest.raises(CannotExport, match=r"something else than a dataset \(thesis.txt\)"):
        await exported(tmp_path, [GRADIENT_SYNC], folder="home")
    assert (home / "thesis.txt").read_text() == "years of work"

    with pytest.raises(CannotExport, match="is not a folder"):
        await exported(tmp_path, [GRADIENT_SYNC], folder="home/thesis.txt")
    await exported(tmp_path, [GRADIENT_SYNC])
    (tmp_path / "out" / "mine.txt").touch()
    with pytest.raises(CannotExport, match=r"mine\.txt"):
        await exported(tmp_path, [GRADIENT_SYNC])
    (tmp_path / "out" / "mine.txt").unlink()
    (tmp_path / "out" / "manifest.json").write_text('{"datasetVersion": "yesterday"}')
    with pytest.raises(CannotExport, match="names no datasetVersion"):
        await exported(tmp_path, [GRADIENT_SYNC])


async def test_an_export_that_fails_leaves_the_old_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All or nothing: the readers of the folder never see half of one."""
    await exported(tmp_path, [GRADIENT_SYNC])
    before = digest(tmp_path / "out")
    monkeypatch.setattr("bot.sources.export.DatasetWriter.finish", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        await exported(tmp_path, [OTHER])

    assert digest(tmp_path / "out") == before
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out"]


async def test_an_export_that_died_while_replacing_is_put_back(tmp_path: Path) -> None:
    """Its version is known again, so that the next one is later; leftovers of an older death go."""
    await exported(tmp_path, [GRADIENT_SYNC])
    version = version_in(tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / ".out.old")

    await exported(tmp_path, [replace(OTHER, analyzed_at=GRADIENT_SYNC.analyzed_at - timedelta(days=1))])

    assert version_in(tmp_path / "out") > version
    (tmp_path / ".out.old").mkdir()
    (tmp_path / ".out.new-999999999" / "repos").mkdir(parents=True)
    (tmp_path / f".out.new-{os.getppid()}").mkdir()
    assert not (await exported(tmp_path, [replace(OTHER, analyzed_at=AT)])).superseded
    assert {path.name for path in tmp_path.glob(".out*")} == {f".out.new-{os.getppid()}"}, "it may still be written"
