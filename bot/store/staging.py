"""Records put aside in a temporary table until all of them are there, then written over those that differ."""

import asyncio
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import aiosqlite

from bot.records import decode
from bot.records.entry import Entry
from bot.store.catalogue import Facts, facts_of, version_of
from bot.store.moments import to_text

# Statements are put together from the names of our own columns, never from values.
COLUMNS = ", ".join(Facts._fields)
# `outline`, `whole` and `own` are of records of the dataset alone (see takeover.py).
_STAGE = f"CREATE TEMP TABLE staged ({COLUMNS}, body_json, source, outline, whole, own, PRIMARY KEY (id))"
PUT_ASIDE = f"INSERT OR REPLACE INTO temp.staged VALUES ({', '.join('?' for _ in Facts._fields)}, ?, ?, ?, ?, ?)"  # noqa: S608
_TAKE_FACTS = f"INSERT INTO record_facts ({COLUMNS}) SELECT {COLUMNS} FROM temp.staged ORDER BY id"  # noqa: S608

StagedRow = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What the staged records changed, in records."""

    added: int
    changed: int
    unchanged: int


async def make_stage(connection: aiosqlite.Connection) -> None:
    """Make the table; it is seen by this connection alone and goes with it."""
    await connection.execute(_STAGE)


def encoded(entry: Entry) -> str:
    """The entry as JSON text, in ASCII: what is kept of it, and what its fingerprint is made from."""
    # Sorted, so that the fingerprint knows nothing of the order in which fields came; ASCII, because a
    # field nobody knows may hold half a surrogate pair, which SQLite's UTF-8 cannot.
    return json.dumps(decode.encode_entry(entry), sort_keys=True, separators=(",", ":"))


def staged_row(
    entry: Entry, source: str, *, outline: str | None = None, whole: bool = True, own: bool = True
) -> StagedRow:
    """A row for PUT_ASIDE."""
    body = encoded(entry)
    return (*facts_of(entry, body), body, source, outline, whole, own)


def in_batches(rows: Iterable[StagedRow], size: int = 4000) -> Iterator[list[StagedRow]]:
    """The rows in lists of at most `size`, the last one shorter; a batch is in memory at a time."""
    batch: list[StagedRow] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


async def write_staged(connection: aiosqlite.Connection, at: datetime) -> Written:
    """Replace what differs by what was staged, in the transaction that is open; at: UTC."""
    # What stays as it is is not written again, so importing a catalogue twice costs a comparison.
    same = await connection.execute(
        "DELETE FROM temp.staged WHERE EXISTS (SELECT 1 FROM main.record_facts AS kept"
        " WHERE kept.id = staged.id AND kept.fingerprint = staged.fingerprint)"
    )
    await connection.execute("DELETE FROM record_bodies WHERE id IN (SELECT id FROM temp.staged)")
    changed = await connection.execute("DELETE FROM record_facts WHERE id IN (SELECT id FROM temp.staged)")
    # In the order of ids, so that both tables grow at their ends.
    written = await connection.execute(_TAKE_FACTS)
    await connection.execute(
        "INSERT INTO record_bodies SELECT id, body_json, source, ? FROM temp.staged ORDER BY id", (to_text(at),)
    )
    return Written(written.rowcount - changed.rowcount, changed.rowcount, same.rowcount)


async def restate_version(connection: aiosqlite.Connection, at: datetime) -> str:
    """Write down the version of what the open transaction leaves behind, and return it; at: UTC."""
    fingerprints = await connection.execute_fetchall(
        "SELECT id, fingerprint FROM record_facts INDEXED BY record_facts_by_fingerprint"
    )
    version = await asyncio.to_thread(version_of, ((row[0], row[1]) for row in fingerprints))
    await connection.execute("INSERT OR REPLACE INTO catalogue VALUES (1, ?, ?)", (version, to_text(at)))
    return version
