"""From the store to what matching opens."""

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.indexing import (
    INDEX_FOLDER,
    PATTERNS_FOLDER,
    build,
    indexed_version,
    patterns,
)
from bot.passages import passages_of
from bot.records.entry import Entry
from bot.store.entry_reader import EntryReader
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from embeddings.build import build_index
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.passage import record_fingerprint
from tests.acceptance.invented import CATALOGUE, GRANARY, REFUSED, VALVE
from tests.embeddings.build_bench import fingerprints_in
from tests.fakes import CountingEncoder
from tests.stored_records import many, put


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / FILE_NAME) as opened:
        yield opened


async def test_patterns_are_compiled_once_and_anew_when_the_catalogue_changes(
    database: Database, tmp_path: Path
) -> None:
    """Compiled files fit the catalogue they are opened for, or are made again (G2)."""
    await put(database, VALVE)
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, total: int) -> None:
        told.append((what, done, total))

    first = await patterns(database, tmp_path, tell)
    compiled_once = len(told)
    again = await patterns(database, tmp_path, tell)
    await put(database, GRANARY)
    changed = await patterns(database, tmp_path, tell)

    assert compiled_once
    assert (first.expressions, again.expressions, changed.expressions) == (1, 1, 2)
    assert changed.catalogue_version == await RecordStore(database).version() != first.catalogue_version
    assert {what for what, _, _ in told} == {"patterns"}


async def test_damaged_patterns_are_repaired_at_the_start(database: Database, tmp_path: Path) -> None:
    """A broken file costs a compilation, not the bot (G2)."""
    await put(database, VALVE)
    await patterns(database, tmp_path)
    for path in (tmp_path / PATTERNS_FOLDER).iterdir():
        path.write_bytes(path.read_bytes()[:7])

    assert (await patterns(database, tmp_path)).expressions == 1


async def test_what_no_engine_takes_is_named(database: Database, tmp_path: Path) -> None:
    """And does not keep the others from compiling (E3)."""
    await put(database, *CATALOGUE)

    compiled = await patterns(database, tmp_path)

    assert [refused.record_id for refused in compiled.refused] == [REFUSED.id]


async def test_an_index_remembers_the_catalogue_it_was_built_from(database: Database, tmp_path: Path) -> None:
    """None before the first build (G2)."""
    await put(database, VALVE)
    before = indexed_version(tmp_path)

    report = await build(database, tmp_path, HashedEncoder())

    assert before is None
    assert indexed_version(tmp_path) == await RecordStore(database).version()
    assert report.manifest.records == 1


async def test_only_what_is_new_is_encoded(database: Database, tmp_path: Path) -> None:
    """A second record costs its own texts."""
    encoder = CountingEncoder()
    await put(database, VALVE)
    await build(database, tmp_path, encoder)
    first = len(encoder.seen)
    await put(database, GRANARY)

    await build(database, tmp_path, encoder)

    assert first == 2
    assert encoder.seen[first:] == [next(passages_of(GRANARY)).text, GRANARY.documentation]


async def test_only_changed_records_are_read(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An added record and a changed one are read; what stayed as it was is neither read nor split into words again."""
    await put(database, VALVE, *many(5))
    await build(database, tmp_path, HashedEncoder())
    changed = replace(VALVE, documentation="The actuator is out of tune.")
    await put(database, GRANARY, changed)
    read: list[str] = []
    entries = EntryReader.entries

    def noted(reader: EntryReader, ids: Collection[str]) -> Iterator[Entry]:
        read.extend(ids)
        return entries(reader, ids)

    monkeypatch.setattr(EntryReader, "entries", noted)
    await build(database, tmp_path, HashedEncoder())

    assert sorted(read) == sorted([GRANARY.id, VALVE.id])
    onto = open_index(tmp_path / INDEX_FOLDER, None)
    await build(database, tmp_path / "anew", HashedEncoder())
    fresh = open_index(tmp_path / "anew" / INDEX_FOLDER, None)
    assert onto.manifest.files == fresh.manifest.files
    for name in fresh.manifest.files:
        assert (onto.folder / name).read_bytes() == (fresh.folder / name).read_bytes(), name
    assert fingerprints_in(onto)[VALVE.id] == record_fingerprint(passages_of(changed))


async def test_an_index_that_is_whole_is_left_as_it_is(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G2: nothing is read or written again for a catalogue, an encoder and files that are the same."""
    await put(database, VALVE)
    encoder = HashedEncoder()
    first = await build(database, tmp_path, encoder)
    generation = (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8")

    def unwanted(_path: Path) -> AbstractContextManager[EntryReader]:
        raise AssertionError("the records are read")

    with monkeypatch.context() as patch:
        patch.setattr(EntryReader, "open", unwanted)
        again = [await build(database, tmp_path, with_what) for with_what in (encoder, None)]

    assert [report.manifest for report in again] == [first.manifest] * 2
    assert [(report.encoded, report.reused) for report in again] == [(0, first.manifest.vectors)] * 2
    assert (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8") == generation


@pytest.mark.parametrize("lack", ["vectors", "a file", "the encoder", "a record", "keys"])
async def test_an_index_that_lacks_anything_is_built(database: Database, tmp_path: Path, lack: str) -> None:
    """G2: vectors that were left for later, a file cut short, another encoder, another catalogue.

    Keys are what an index lacks that an earlier version made: the next change would cost reading everything.
    """
    await put(database, VALVE)
    await build(database, tmp_path, None if lack == "vectors" else HashedEncoder())
    if lack == "a record":
        await put(database, GRANARY)
    if lack == "a file":
        cut = next((tmp_path / INDEX_FOLDER).glob("generation-*/record_ids.json"))
        cut.write_bytes(cut.read_bytes()[:-1])
    encoder = HashedEncoder(64 if lack == "the encoder" else 256)
    if lack == "keys":
        version = await RecordStore(database).version()
        build_index(tmp_path / INDEX_FOLDER, passages_of(VALVE), encoder, source=version)
    before = (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8")

    report = await build(database, tmp_path, encoder)

    assert (tmp_path / INDEX_FOLDER / "current").read_text(encoding="utf-8") != before
    assert report.manifest.unencoded == 0
    assert report.manifest.source == await RecordStore(database).version()
    assert open_index(tmp_path / INDEX_FOLDER, encoder).manifest == report.manifest
