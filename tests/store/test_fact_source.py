"""The names of all records, read beside the event loop."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.records.entry import Entry
from bot.store.errors import StoreCorrupted
from bot.store.fact_source import Names, StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

AT = datetime(2026, 11, 30, tzinfo=UTC)
CODED = replace(GRADIENT_SYNC, id="1" * 16, error_code="EGRAD", background_tag="gradients", slug="coded")
ALL: tuple[Entry, ...] = (SERVER_DISCONNECTED, GRADIENT_SYNC, CODED)


async def test_names_are_those_of_every_record(database: Database) -> None:
    """They come by id, with what the record itself says and None where it says nothing."""
    await RecordStore(database).put(ALL, "a test", AT)

    names = await asyncio.to_thread(lambda: list(StoredFacts(database).names()))

    assert names == [
        Names(one.id, one.repo, one.slug, one.error_code, one.error_class, one.error_message, one.background_tag)
        for one in sorted(ALL, key=lambda one: one.id)
    ]


async def test_names_are_those_of_one_moment(database: Database) -> None:
    """What is written while they are read is not among them, and the writer does not wait."""
    await RecordStore(database).put(ALL[:2], "a test", AT)
    reading = StoredFacts(database).names()
    first = next(reading)

    await asyncio.wait_for(RecordStore(database).put([CODED, replace(GRADIENT_SYNC, id="f" * 16)], "a test", AT), 5)

    assert sorted([first.id, *(one.id for one in reading)]) == sorted(one.id for one in ALL[:2])
    assert len(list(StoredFacts(database).names())) == 4


async def test_a_damaged_database_is_a_store_error(database: Database) -> None:
    """Reading in a thread of one's own says what went wrong in the same words as everything else."""
    await RecordStore(database).put(ALL, "a test", AT)
    other = Path(database.path).with_name("other.sqlite3")
    other.write_bytes(b"not a database at all" * 500)
    database.path = other

    with pytest.raises(StoreCorrupted):
        list(StoredFacts(database).names())
