"""The catalogue of one moment, read in a thread."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.records.entry import Entry
from bot.store.entry_reader import EntryReader
from bot.store.errors import StoreCorrupted
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

AT = datetime(2026, 11, 30, tzinfo=UTC)
BOTH: tuple[Entry, ...] = (SERVER_DISCONNECTED, GRADIENT_SYNC)


async def test_entries_are_those_asked_for(database: Database) -> None:
    """Records and pages alike; an id that is not there is left out."""
    await RecordStore(database).put(BOTH, "a test", AT)

    with EntryReader.open(database.path) as reader:
        assert {entry.id: entry for entry in reader.entries([one.id for one in BOTH])} == {one.id: one for one in BOTH}
        assert list(reader.entries([GRADIENT_SYNC.id, "nobody"])) == [GRADIENT_SYNC]
        assert list(reader.entries([])) == []


async def test_many_entries_are_read_in_parts(database: Database) -> None:
    """More than are asked for in one query."""
    many = [replace(GRADIENT_SYNC, id=f"{number:016x}") for number in range(2_003)]
    await RecordStore(database).put(many, "a test", AT)

    with EntryReader.open(database.path) as reader:
        assert sorted(entry.id for entry in reader.entries({one.id for one in many})) == [one.id for one in many]


async def test_a_fingerprint_differs_when_anything_in_the_entry_does(database: Database) -> None:
    """And only then; the version is that of the same moment."""
    store = RecordStore(database)
    await store.put(BOTH, "a test", AT)
    with EntryReader.open(database.path) as reader:
        before, version = reader.fingerprints(), reader.version

    await store.put([replace(GRADIENT_SYNC, documentation="Said otherwise.")], "another", AT)

    with EntryReader.open(database.path) as reader:
        after = reader.fingerprints()
    assert before.keys() == after.keys() == {one.id for one in BOTH}
    assert {id_ for id_ in before if before[id_] != after[id_]} == {GRADIENT_SYNC.id}
    assert version != reader.version == await store.version()


async def test_all_is_of_one_moment(database: Database) -> None:
    """What is written while it is read is not seen, and the writer does not wait."""
    await RecordStore(database).put(BOTH, "a test", AT)

    with EntryReader.open(database.path) as reader:
        changed = replace(GRADIENT_SYNC, documentation="Said otherwise.")
        await asyncio.wait_for(RecordStore(database).put([changed], "a test", AT), 5)
        seen = list(reader.entries([GRADIENT_SYNC.id]))
        version = reader.version

    assert seen == [GRADIENT_SYNC]
    assert version != await RecordStore(database).version()


async def test_an_empty_catalogue_has_no_entries(database: Database) -> None:
    """And the version of one."""
    with EntryReader.open(database.path) as reader:
        assert (reader.fingerprints(), reader.version) == ({}, await RecordStore(database).version())


def test_a_damaged_database_is_a_store_error(tmp_path: Path) -> None:
    """Reading in a thread of one's own says what went wrong in the same words as everything else."""
    other = tmp_path / "other.sqlite3"
    other.write_bytes(b"not a database at all" * 500)

    with pytest.raises(StoreCorrupted), EntryReader.open(other):
        pass
