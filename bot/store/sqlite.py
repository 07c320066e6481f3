"""The one file in which everything is kept that outlives the process."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite

from bot.store.faults import BUSY_TIMEOUT_SECONDS, in_our_words, reaching
from bot.store.migrations import migrate, schema_scripts

FILE_NAME = "errata.sqlite3"

Value = str | int | float | bytes | None
Row = tuple[Any, ...]


class Database:
    """An open database: one connection that writes, one that reads what was committed.

    Writing is one transaction at a time, in the order it was asked for. Every method raises a StoreError when the file
    is damaged, full, out of reach, or held by another process for longer than we wait.
    """

    def __init__(self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer, self._reader = writer, reader
        # Coroutines share the connection, and so would share a transaction.
        self._writing = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path) -> AsyncIterator["Database"]:
        """Open the database, brought to the newest schema; a missing one is made, readable by its owner alone.

        Raises StoreTooNew, StoreForeign, StoreCorrupted, StoreLocked or StoreUnreachable.
        """
        await asyncio.to_thread(_prepare, path)
        async with AsyncExitStack() as connections:
            with in_our_words(path):
                writer = await connections.enter_async_context(_connect(path))
                reader = await connections.enter_async_context(_connect(path, query_only=True))
            yield cls(path, writer, reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Everything written inside is committed together, or, when an exception leaves the block, not at all."""
        async with self._writing:
            with in_our_words(self.path):
                async with _transaction(self._writer):
                    yield self._writer

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[aiosqlite.Connection]:
        """A reading connection that sees one committed state however long it reads."""
        with in_our_words(self.path):
            async with _connect(self.path, query_only=True) as connection:
                await connection.execute("BEGIN")
                yield connection

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[aiosqlite.Connection]:
        """A writing connection of its own, for work that takes seconds; others may write until it starts to."""
        with in_our_words(self.path):
            async with _connect(self.path) as connection:
                yield connection

    async def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """All rows of a query, from the last committed state."""
        with in_our_words(self.path):
            return [tuple(row) for row in await self._reader.execute_fetchall(sql, values)]

    async def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of a query, None when there is none."""
        found = await self.rows(sql, values)
        return found[0] if found else None

    async def write(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one statement in a transaction of its own; return how many rows it changed."""
        async with self.transaction() as connection:
            cursor = await connection.execute(sql, values)
            return cursor.rowcount


@asynccontextmanager
async def immediately(connection: aiosqlite.Connection) -> AsyncIterator[None]:
    """Hold the write lock on a connection that came from `apart`; commit at the end, undo on an exception."""
    async with _transaction(connection):
        yield


@asynccontextmanager
async def _transaction(connection: aiosqlite.Connection) -> AsyncIterator[None]:
    try:
        await connection.execute("BEGIN IMMEDIATE")
        yield
        await connection.execute("COMMIT")
    except BaseException:
        # Queued behind whatever the connection's thread is still doing, so a cancelled BEGIN is undone as well;
        # without an open transaction it does nothing.
        await asyncio.shield(connection.rollback())
        raise


def _prepare(path: Path) -> None:
    with reaching(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # SQLite gives its -wal and -shm files the same permissions
    with in_our_words(path):
        migrate(path, schema_scripts())


@asynccontextmanager
async def _connect(path: Path, *, query_only: bool = False) -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None) as connection:
        await connection.execute("PRAGMA foreign_keys = ON")
        # NORMAL loses nothing when the process dies, and at most the last moments when the power does.
        await connection.execute("PRAGMA synchronous = NORMAL")
        if query_only:
            await connection.execute("PRAGMA query_only = ON")
        yield connection
