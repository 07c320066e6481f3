"""The catalogue as matching sees it: facts of single records, read when a pattern points at them."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from typing import NamedTuple

import aiosqlite

from bot.matching.facts import Facts
from bot.store import catalogue
from bot.store.faults import BUSY_TIMEOUT_SECONDS, in_our_words
from bot.store.records import RecordStore
from bot.store.sqlite import Database, Row

_COLUMNS = ", ".join(catalogue.Facts._fields)
_READ = f"SELECT {_COLUMNS} FROM record_facts WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - own columns
# A busy channel's errors are the same few: this many records take about 20 MB.
_MOST_KEPT = 20_000


class Names(NamedTuple):
    """What a record is called, and where it is. None where it has none."""

    id: str
    repo: str
    slug: str | None
    error_code: str | None
    error_class: str | None
    message: str
    family: str | None


_READ_NAMES = f"SELECT {', '.join(Names._fields)} FROM record_facts ORDER BY id"  # noqa: S608 - own columns


class StoredFacts:
    """Facts from the database, those read before from memory. Made anew for each version of the catalogue."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._snapshot: aiosqlite.Connection | None = None
        self._records = RecordStore(database)
        self._kept: dict[str, Facts] = {}

    async def facts_of(self, record_ids: Sequence[str]) -> Mapping[str, Facts]:
        """The facts of these records; an id that is not in the catalogue is left out."""
        missing = [record_id for record_id in record_ids if record_id not in self._kept]
        if missing:
            rows = await self._rows(missing)
            if len(self._kept) + len(rows) > _MOST_KEPT:
                self._kept.clear()
            found = [_facts(catalogue.Facts._make(row)) for row in rows]
            self._kept.update((facts.id, facts) for facts in found)
            fresh = {facts.id: facts for facts in found}
        else:
            fresh = {}
        kept = self._kept
        return {
            record_id: facts
            for record_id in record_ids
            if (facts := fresh.get(record_id) or kept.get(record_id)) is not None
        }

    @asynccontextmanager
    async def as_they_are(self) -> AsyncIterator[None]:
        """Inside, facts are those of this moment, whatever is written meanwhile."""
        async with self._database.snapshot() as connection:
            # A snapshot begins with the first row that is read.
            await connection.execute_fetchall(_READ, ("[]",))
            self._snapshot = connection
            try:
                yield
            finally:
                # What was asked of the connection before it is closed is still answered.
                self._snapshot = None

    async def _rows(self, record_ids: Sequence[str]) -> Sequence[Row]:
        values = (json.dumps(record_ids),)
        if self._snapshot is not None:
            return [tuple(row) for row in await self._snapshot.execute_fetchall(_READ, values)]
        return await self._database.rows(_READ, values)

    async def all_facts(self) -> AsyncIterator[Facts]:
        """The facts of every record, ordered by id."""
        async for facts in self._records.facts():
            yield _facts(facts)

    def names(self) -> Iterator[Names]:
        """The names of every record, ordered by id, streamed from one moment's catalogue.

        It blocks, so it is for a thread: a whole catalogue read there costs the event loop nothing.
        """
        path = self._database.path
        read_only = f"{path.absolute().as_uri()}?mode=ro"
        with in_our_words(path), closing(sqlite3.connect(read_only, BUSY_TIMEOUT_SECONDS, uri=True)) as connection:
            yield from map(Names._make, connection.execute(_READ_NAMES))


def _facts(row: catalogue.Facts) -> Facts:
    return Facts(
        id=row.id,
        repo=row.repo,
        message=row.message,
        pattern=row.pattern,
        slug=row.slug,
        error_type=row.error_type,
        error_class=row.error_class,
        error_code=row.error_code,
        http_status=row.http_status,
        file_path=row.file_path,
        line_number=row.line_number,
        tags=row.tags,
        related=row.related_messages,
        family=row.family,
    )
