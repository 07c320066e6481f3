"""Datasets that are not taken over: each with its own sentence, the old catalogue answering, and nothing that sticks.

G1, and the list of issue 4: tampered, truncated, mis-versioned, duplicate id, invalid regex, wrong repository, a
claimed gigabyte, and the others that a static file can get wrong.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.sources.dataset_errors import (
    DatasetUnreachable,
    DuplicateId,
    InvalidDataset,
    InvalidPattern,
    LyingSize,
    MixedVersions,
    NotADataset,
    NotThere,
    OlderVersion,
    TooLarge,
    Truncated,
    UnknownSchema,
    VersionReused,
    WrongChecksum,
    WrongCount,
    WrongRepository,
)
from tests.dataset_standin import (
    V1,
    V2,
    V3,
    Document,
    Files,
    as_json,
    breaking_off,
    change_manifest,
    compact,
    failing,
    published,
    put_index,
    record,
    sending,
    serving,
)
from tests.syncing_bench import ALL, Bench

OLD = [record(1), record(2), record(3, "example/two")]
NEW = [*OLD, record(4, "example/two")]
GIGABYTE = 2**30
REPOSITORY = "/data/repos/example/two.json"
INDEX = "/data/index.json.gz"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with serving(published(OLD, V2)) as server:
        yield Bench(tmp_path / "data", server)


def new() -> Files:
    """A dataset with which nothing is wrong."""
    return published(NEW, V3)


def with_index(change: Callable[[Document], object], *, version: str = V3) -> Files:
    """The new dataset with a compact index that says something else, and a manifest whose checksums fit it."""
    files = published(NEW, version)
    document = json.loads(gzip.decompress(files[INDEX]))
    change(document)
    put_index(files, as_json(document))
    return files


def with_file(path: str, data: bytes) -> Files:
    return {**new(), path: data}


def with_manifest(change: Callable[[Document], object]) -> Files:
    files = new()
    change_manifest(files, change)
    return files


def with_record(**more: object) -> Files:
    """The new dataset with something else in the file of a repository alone, which has no checksum."""
    records = [record(3, "example/two"), {**record(4, "example/two"), **more}]
    return with_file(REPOSITORY, as_json(records))


def flipped(data: bytes) -> bytes:
    """The same length, another byte."""
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


def _name_last(document: Document, name: str, value: object) -> None:
    document["errors"][-1][name] = value


@dataclass(frozen=True)
class Case:
    """A dataset, the class that refuses it, and words of the sentence."""

    files: Callable[[], Files]
    refused: type[Exception]
    said: str


CASES = {
    "tampered index": Case(lambda: with_file(INDEX, flipped(new()[INDEX])), WrongChecksum, "it was tampered"),
    "tampered list of repositories": Case(
        lambda: with_file("/data/repos.json", flipped(new()["/data/repos.json"])), WrongChecksum, "repos.json has the sha256"
    ),
    "another index inside": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(rawSha256="0" * 64)),
        WrongChecksum,
        "index.json.gz unpacked has the sha256",
    ),
    "truncated index": Case(lambda: with_file(INDEX, new()[INDEX][:-40]), Truncated, "is truncated"),
    "index shorter inside than promised": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(rawBytes=9_999)),
        Truncated,
        "unpacked is truncated",
    ),
    "index longer than promised": Case(lambda: with_file(INDEX, new()[INDEX] + b"\0" * 9), LyingSize, "is longer than"),
    "index longer inside than promised": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(rawBytes=99)),
        LyingSize,
        "unpacked is longer than the 99 bytes",
    ),
    "a claimed gigabyte": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(bytes=GIGABYTE)),
        TooLarge,
        "claims 1,073,741,824 bytes",
    ),
    "a gigabyte unpacked": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(rawBytes=GIGABYTE)),
        TooLarge,
        "unpacked claims 1,073,741,824 bytes",
    ),
    "an older version": Case(lambda: published(NEW, V1), OlderVersion, "versions only grow"),
    "the same version again": Case(lambda: published(NEW, V2), VersionReused, "claims the version 2026-11-02"),
    "index of another version": Case(
        lambda: with_index(lambda document: document.update(datasetVersion=V1)), MixedVersions, f"is of {V1}, the manifest of"
    ),
    "another schema": Case(
        lambda: with_manifest(lambda manifest: manifest.update(schemaVersion=3)), UnknownSchema, "is of schema version 3"
    ),
    "another schema in the index": Case(
        lambda: with_index(lambda document: document.update(schemaVersion=1)), UnknownSchema, "index.json.gz is of schema version 1"
    ),
    "fewer records than counted": Case(
        lambda: with_index(lambda document: document["errors"].pop()), WrongCount, "holds 3 records, the manifest counts 4"
    ),
    "an id twice": Case(
        lambda: with_index(lambda document: _name_last(document, "id", f"{1:016x}")),
        DuplicateId,
        "the id 0000000000000001 is there twice",
    ),
    "an id twice in a repository": Case(
        lambda: with_record(id=f"{3:016x}"), DuplicateId, r"repos/example/two.json\[1\]: the id 0000000000000003"
    ),
    "an invalid regex": Case(
        lambda: with_index(lambda document: _name_last(document, "pattern", "flux (capacitor")),
        InvalidPattern,
        "the pattern of record 0000000000000004 is no regex: missing",
    ),
    "an invalid regex in a repository": Case(
        lambda: with_record(messagePattern="[z-a]"), InvalidPattern, "0000000000000004 is no regex"
    ),
    "a record of another repository": Case(
        lambda: with_record(repo="example/evil"),
        WrongRepository,
        "record 0000000000000004 is of example/evil, and example/two was asked for",
    ),
    "a wrong type in a known field": Case(
        lambda: with_record(solutions=3), InvalidDataset, r"two.json\[1\]: solutions: is a number, not a list"
    ),
    "a wrong type in the index": Case(
        lambda: with_index(lambda document: _name_last(document, "sev", "dreadful")), InvalidDataset, r"\[3\]: sev: "
    ),
    "a web page for a repository": Case(
        lambda: with_file(REPOSITORY, b"<!doctype html><p>Sign in"), InvalidDataset, "is not JSON of the form"
    ),
    "a repository that ends too early": Case(
        lambda: with_file(REPOSITORY, new()[REPOSITORY][:-30]), InvalidDataset, "two.json: document: is not JSON"
    ),
    "deep nesting": Case(
        lambda: with_file(REPOSITORY, b"[" * 5_000), InvalidDataset, "nested more than 64 levels deep"
    ),
    "a manifest that is no JSON": Case(
        lambda: with_file("/data/manifest.json", b"{"), InvalidDataset, "manifest.json: document: is not JSON"
    ),
    "a manifest without files": Case(
        lambda: with_manifest(lambda manifest: manifest.pop("files")), InvalidDataset, "files: is null, not an object"
    ),
    "a path that leaves the dataset": Case(
        lambda: with_manifest(lambda manifest: manifest["files"]["index"].update(path="/data/../../etc/passwd")),
        InvalidDataset,
        "is not a path below /data/",
    ),
    "a repository whose file is missing": Case(
        lambda: {path: data for path, data in new().items() if path != REPOSITORY}, NotThere, "answers 404"
    ),
}  # fmt: skip


async def refused_and_unharmed(bench: Bench, error: type[Exception], said: str) -> None:
    """The sync is refused in these words; version, records and answers are those of before."""
    before, held = await bench.version(), await bench.held()

    with pytest.raises(error, match=said) as refused:
        await bench.sync(ALL)

    assert type(refused.value) is error
    assert "\n" not in str(refused.value)
    assert (await bench.version(), await bench.held()) == (before, held)
    assert await bench.answered("Error: Flux capacitor 3 ran dry while the deflector grid was charging") == "03"
    async with bench.dataset() as dataset:
        synced = await dataset.synced()
    assert synced is not None
    assert synced.generation.version == V2


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_it_is_refused_and_the_old_catalogue_answers(bench: Bench, case: Case) -> None:
    """G1: why is said in one sentence of its own; and as soon as the dataset is right it is taken over, nothing sticks."""
    await bench.sync(ALL)
    bench.server.files = case.files()

    await refused_and_unharmed(bench, case.refused, case.said)

    mended = await bench.publish(new())
    assert mended.difference.added == 1
    assert await bench.answered("Error: Flux capacitor 4 ran dry while the deflector grid was charging") == "04"


@pytest.mark.parametrize("case", ["an invalid regex", "a wrong type in a known field", "another index inside"])
async def test_a_first_sync_that_is_refused_leaves_nothing(bench: Bench, case: str) -> None:
    """Not a record, and no version."""
    bench.server.files = CASES[case].files()

    with pytest.raises(CASES[case].refused):
        await bench.sync(ALL)

    assert await bench.held() == {}
    async with bench.dataset() as dataset:
        assert await dataset.synced() is None


async def test_a_claimed_gigabyte_is_refused_before_it_is_fetched(bench: Bench) -> None:
    """The manifest is all that is asked for."""
    await bench.sync(ALL)
    bench.server.files = CASES["a claimed gigabyte"].files()

    with pytest.raises(TooLarge):
        await bench.sync()

    assert bench.asked == ["manifest.json"]


async def test_what_breaks_off_is_refused(bench: Bench) -> None:
    """An index of which half comes, every time."""
    await bench.sync(ALL)
    bench.server.files = new()
    bench.server.faults[INDEX] = breaking_off()

    await refused_and_unharmed(bench, Truncated, "is truncated")


@pytest.mark.parametrize("path", ["/data/manifest.json", INDEX, REPOSITORY])
async def test_a_web_page_is_no_dataset(bench: Bench, path: str) -> None:
    """A portal that answers everything with its own page is told from a broken dataset."""
    await bench.sync(ALL)
    bench.server.files = new()
    bench.server.faults[path] = sending(b"<html>Welcome", {"Content-Type": "text/html"})

    await refused_and_unharmed(bench, NotADataset, "answers with text/html instead of a file of the dataset")


async def test_a_server_in_trouble_is_no_refusal(bench: Bench) -> None:
    """It is said that it could not be fetched; what came of the others is kept, and not asked for the next time."""
    await bench.sync(ALL)
    bench.server.files = published([*NEW, record(5)], V3)
    bench.server.faults[REPOSITORY] = failing(1_000, 503)

    await refused_and_unharmed(bench, DatasetUnreachable, "the server answers 503")
    assert "repos/example/one.json" in bench.asked

    bench.server.faults.clear()
    await bench.sync()
    assert bench.asked == ["manifest.json", "repos/example/two.json"]


async def test_a_refused_file_is_fetched_again(bench: Bench) -> None:
    """The other files are not."""
    await bench.sync(ALL)
    bench.server.files = {**published([*NEW, record(5)], V3), REPOSITORY: b"[7]"}
    with pytest.raises(InvalidDataset):
        await bench.sync()

    bench.server.files = published([*NEW, record(5)], V3)
    await bench.sync()

    assert bench.asked == ["manifest.json", "repos/example/two.json"]


async def test_a_regex_that_no_engine_here_takes_is_no_fault(bench: Bench) -> None:
    """E3: look-around is a regex in JavaScript; its record is held, reported, and left out of the exact tier."""
    report = await bench.publish(published([*OLD, record(4, messagePattern="flux(?=capacitor)(?<name>x)")], V3), ALL)

    assert report.difference.added == 4
    assert await bench.answered("Error: Flux capacitor 3 ran dry while the deflector grid was charging") == "03"


async def test_unknown_fields_are_tolerated(bench: Bench) -> None:
    """G5: in the manifest, the index, the list of repositories and the records; those of records are kept."""
    files = published(
        [{**one, "novel": [1]} for one in OLD], V3, outlines=[{**compact(one), "novel": 1} for one in OLD]
    )
    files["/data/repos.json"] = as_json([{**row, "novel": {}} for row in json.loads(files["/data/repos.json"])])
    put_index(files, gzip.decompress(files[INDEX]))
    change_manifest(files, lambda manifest: manifest.update(novel=True))

    await bench.publish(files, ALL)

    async with bench.records() as records:
        entry = await records.get(f"{1:016x}")
    assert entry is not None
    assert getattr(entry, "unknown", None) == {"novel": [1]}


async def test_an_older_version_is_taken_where_that_was_asked_for(bench: Bench) -> None:
    """Upstream may have to go back."""
    await bench.sync(ALL)
    bench.server.files = published(OLD[:2], V1)

    report = await bench.sync(accept_older=True)

    assert (report.version, report.difference.gone) == (V1, 1)
