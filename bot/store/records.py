"""The catalogue: entries as JSON text, and beside each the few columns that matching needs of all of them."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import aiosqlite

from bot.records import decode
from bot.records.entry import Entry
from bot.store.catalogue import Catalogue, Facts, version_of
from bot.store.errors import DuplicateRecord
from bot.store.sqlite import Database, immediately
from bot.store.staging import COLUMNS, PUT_ASIDE, StagedRow, make_stage, restate_version, staged_row, write_staged

_READ_FACTS = f"SELECT {COLUMNS} FROM record_facts ORDER BY id"  # noqa: S608 - own columns
# Enough rows that crossing from SQLite's thread costs nothing, few enough that a chunk of bodies stays below 10 MB.
_CHUNK_ROWS = 4000
_READ_VERSION = "SELECT version FROM catalogue"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a batch changed, in records, and the version of the catalogue that came of it."""

    added: int
    changed: int
    unchanged: int
    version: str


class RecordStore:
    """Records and pages by id. A version is always that of the entries one would read in the same moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, entries: Iterable[Entry], source: str, at: datetime) -> Imported:
        """Keep all of `entries`, or, whatever goes wrong, none; an entry replaces the one of its id.

        What was put here is the owner's own: a sync neither replaces nor removes it from then on (see takeover.py).

        entries: taken one by one in another thread, so a generator may decode as it goes; an exception it raises is
        raised here. source: the path or address they came from. at: UTC.
        While they are gathered others may write; 153,000 entries hold the write lock for some seconds at the end.

        Raises DuplicateRecord when two of `entries` have one id.
        """
        async with self._database.apart() as connection:
            await make_stage(connection)
            await connection.execute("BEGIN")  # of the temporary table alone: it locks nobody
            await connection.executemany(PUT_ASIDE, _staged(entries, source))
            await connection.execute("COMMIT")
            async with immediately(connection):
                return await _take_over(connection, at)

    async def delete_repo(self, repo: str, at: datetime) -> int:
        """Remove the entries of a repository (`owner/name`); return how many there were. at: UTC."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "DELETE FROM record_bodies WHERE id IN (SELECT id FROM record_facts WHERE repo = ?)", (repo,)
            )
            gone = await connection.execute("DELETE FROM record_facts WHERE repo = ?", (repo,))
            await connection.execute("DELETE FROM dataset_records WHERE repo = ?", (repo,))
            await connection.execute("DELETE FROM dataset_repositories WHERE repo = ?", (repo,))
            await restate_version(connection, at)
            return gone.rowcount

    async def get(self, record_id: str) -> Entry | None:
        """The entry of this id, None when there is none."""
        found = await self._database.row("SELECT body_json FROM record_bodies WHERE id = ?", (record_id,))
        return _decoded(found[0]) if found else None

    async def get_by_slug(self, repo: str, slug: str) -> Entry | None:
        """The entry of this address; of several, as they come about when upstream renames, the one analysed last."""
        found = await self._database.rows(
            "SELECT body_json FROM record_facts JOIN record_bodies USING (id) WHERE repo = ? AND slug = ? ORDER BY id",
            (repo, slug),
        )
        entries = [_decoded(body) for (body,) in found]
        return max(entries, key=lambda entry: entry.analyzed_at, default=None)

    async def get_many(self, record_ids: Sequence[str]) -> dict[str, Entry]:
        """The entries of these ids, in the order asked for; unknown ids are left out."""
        found = await self._database.rows(
            "SELECT id, body_json FROM record_bodies WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(record_ids)),),
        )
        bodies = {str(record_id): str(body) for record_id, body in found}
        return {record_id: _decoded(bodies[record_id]) for record_id in record_ids if record_id in bodies}

    async def iter_all(self) -> AsyncIterator[Entry]:
        """All entries in the order of their ids, from one moment's catalogue; some thousand are in memory at a time."""
        async with self._database.snapshot() as connection:
            cursor = await connection.execute("SELECT body_json FROM record_bodies ORDER BY id")
            while chunk := await cursor.fetchmany(_CHUNK_ROWS):
                for entry in await asyncio.to_thread(_all_decoded, chunk):
                    yield entry

    async def facts(self) -> AsyncIterator[Facts]:
        """The facts of all records in the order of their ids, streamed from one moment's catalogue."""
        async with self._database.snapshot() as connection:
            cursor = await connection.execute(_READ_FACTS)
            while chunk := await cursor.fetchmany(_CHUNK_ROWS):
                for row in chunk:
                    yield Facts._make(row)

    async def catalogue(self) -> Catalogue:
        """All facts at once, with their version; 153,000 take about a second and 150 MB."""
        async with self._database.snapshot() as connection:
            rows = await connection.execute_fetchall(_READ_FACTS)
            return Catalogue(await _version(connection), await asyncio.to_thread(_all_facts, rows))

    async def version(self) -> str:
        """The catalogue's version, 16 hex digits; it says what is in it and nothing of how that came there."""
        found = await self._database.row(_READ_VERSION)
        return str(found[0]) if found else version_of(())

    async def count(self) -> int:
        """How many entries there are."""
        found = await self._database.row("SELECT count(*) FROM record_facts")
        return int(found[0]) if found else 0

    async def repos(self) -> dict[str, int]:
        """How many entries each repository has, by name."""
        found = await self._database.rows("SELECT repo, count(*) FROM record_facts GROUP BY repo ORDER BY repo")
        return {str(repo): int(entries) for repo, entries in found}


def _staged(entries: Iterable[Entry], source: str) -> Iterator[StagedRow]:
    seen = set[str]()
    for entry in entries:
        if entry.id in seen:
            raise DuplicateRecord(entry.id, source)
        seen.add(entry.id)
        yield staged_row(entry, source)


def _decoded(body: str) -> Entry:
    return decode.decode_entry(json.loads(body), "the store")


# Seconds of work for a whole catalogue, and so not for the thread of the event loop.
def _all_decoded(rows: Iterable[sqlite3.Row]) -> list[Entry]:
    return [_decoded(row[0]) for row in rows]


def _all_facts(rows: Iterable[sqlite3.Row]) -> tuple[Facts, ...]:
    return tuple(map(Facts._make, rows))


async def _take_over(connection: aiosqlite.Connection, at: datetime) -> Imported:
    await connection.execute("DELETE FROM dataset_records WHERE id IN (SELECT id FROM temp.staged)")
    written = await write_staged(connection, at)
    version = await restate_version(connection, at)
    return Imported(written.added, written.changed, written.unchanged, version)


async def _version(connection: aiosqlite.Connection) -> str:
    cursor = await connection.execute(_READ_VERSION)
    found = await cursor.fetchone()
    return str(found[0]) if found else version_of(())
