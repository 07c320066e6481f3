"""The catalogue of one moment, read repository by repository, with what is known of each: for handing it on."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiosqlite

from bot.records.decode import decode_entry
from bot.records.entry import Entry
from bot.store.sqlite import Database


class Moment:
    """A catalogue that nobody changes while it is read."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def repositories(self) -> Mapping[str, int]:
        """How many entries each repository has, by name."""
        rows = await self._connection.execute_fetchall(
            "SELECT repo, count(*) FROM record_facts GROUP BY repo ORDER BY repo"
        )
        return {row[0]: row[1] for row in rows}

    async def entries(self, repo: str) -> list[Entry]:
        """All entries of a repository in the order of their ids; 10,000 take about a second and 50 MB."""
        rows = await self._connection.execute_fetchall(
            "SELECT body_json FROM record_facts JOIN record_bodies USING (id) WHERE repo = ? ORDER BY id", (repo,)
        )
        return await asyncio.to_thread(_decoded, rows)

    async def about(self, repo: str) -> Mapping[str, Any]:
        """What the dataset it came from says of a repository, under upstream's names; empty where it came from none."""
        rows = await self._connection.execute_fetchall(
            "SELECT row_json FROM dataset_repositories WHERE repo = ?", (repo,)
        )
        found: dict[str, Any] = next((json.loads(row[0]) for row in rows), {})
        return found

    async def articles(self) -> list[dict[str, Any]]:
        """All background articles under upstream's names, by slug."""
        rows = await self._connection.execute_fetchall("SELECT body_json FROM articles ORDER BY slug")
        return [json.loads(row[0]) for row in rows]


@asynccontextmanager
async def moment_of(database: Database) -> AsyncIterator[Moment]:
    """The catalogue as it is now, however long it is read; others may write meanwhile."""
    async with database.snapshot() as connection:
        yield Moment(connection)


def _decoded(rows: Iterable[sqlite3.Row]) -> list[Entry]:
    return [decode_entry(json.loads(row[0]), "the store") for row in rows]
