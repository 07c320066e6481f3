"""Whole records of which the catalogue holds the outline, as they were fetched for a card."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.records.decode import decode_record
from bot.records.outline import outline_of
from bot.records.record import Record
from bot.store.catalogue import fingerprint_of
from bot.store.moments import to_text
from bot.store.sqlite import Database
from bot.store.staging import encoded

# The compact form that is served decides: what came is kept if it says the same, and for as long as that is served.
_KEEP = (
    "INSERT OR REPLACE INTO completed_records"
    " SELECT outlined.id, outlined.outline, ifnull(listed.row_json, ''), ?3, ?4 FROM dataset_records AS outlined"
    " LEFT JOIN dataset_repositories AS listed USING (repo)"
    " WHERE outlined.id = ?1 AND outlined.outline = ?2 AND outlined.whole = 0"
)
# For the transaction that changes outlines.
FORGET_SUPERSEDED = (
    "DELETE FROM completed_records WHERE NOT EXISTS (SELECT 1 FROM dataset_records AS outlined"
    " WHERE outlined.id = completed_records.id AND outlined.outline = completed_records.outline AND outlined.whole = 0)"
)
_GET = (
    "SELECT completed.body_json, completed.row_json = ifnull(listed.row_json, '') FROM completed_records AS completed"
    " JOIN dataset_records AS outlined USING (id) LEFT JOIN dataset_repositories AS listed USING (repo)"
    " WHERE completed.id = ? AND completed.outline = outlined.outline AND outlined.whole = 0"
)


@dataclass(frozen=True, slots=True)
class Completed:
    """A record in full. is_current: its repository has not been analysed anew since it was fetched."""

    record: Record
    is_current: bool


class CompletedStore:
    """Records beside the catalogue: they are shown, and neither matched, encoded nor exported.

    The catalogue's version does not know them, so that completing a card costs no compiling and no indexing. A sync
    that brings a record whole, or its outline changed, supersedes what is kept here.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, record_id: str) -> Completed | None:
        """The whole record for an outline of the catalogue; None where none was fetched for this outline."""
        row = await self._database.row(_GET, (record_id,))
        return Completed(decode_record(json.loads(row[0]), "the store"), bool(row[1])) if row else None

    async def put(self, records: Sequence[Record], at: datetime) -> frozenset[str]:
        """Keep those of which the catalogue holds the very outline; return their ids. at: UTC."""
        rows = await asyncio.to_thread(_rows, records, to_text(at))
        kept = set[str]()
        async with self._database.transaction() as connection:
            for row in rows:
                cursor = await connection.execute(_KEEP, row)
                if cursor.rowcount:
                    kept.add(row[0])
        return frozenset(kept)

    async def count(self) -> int:
        """How many outlines of the catalogue are shown whole."""
        row = await self._database.row(
            "SELECT count(*) FROM completed_records JOIN dataset_records AS outlined USING (id)"
            " WHERE completed_records.outline = outlined.outline AND outlined.whole = 0"
        )
        return int(row[0]) if row else 0


def _rows(records: Sequence[Record], at: str) -> list[tuple[str, str, str, str]]:
    return [(record.id, fingerprint_of(encoded(outline_of(record))), encoded(record), at) for record in records]
