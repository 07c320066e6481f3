"""The one file in which everything is kept that outlives the process."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.store.faults import BUSY_TIMEOUT_SECONDS, in_our_words, reaching
from bot.store.migrations import migrate, schema_scripts

FILE_NAME = "errata.sqlite3"

# NORMAL loses nothing when the process dies, and at most the last moments when the power does.
_SETTINGS = ("PRAGMA foreign_keys = ON", "PRAGMA synchronous = NORMAL")

Value = str | int | float | bytes | None
Row = tuple[Any, ...]
T = TypeVar("T")


class Database:
    """An open database: connections that write, of which one does at a time, and one that reads what was committed.

    Writing is one transaction at a time, in the order it was asked for. Every method raises a StoreError when the file
    is damaged, full, out of reach, or held by another process for longer than we wait.
    """

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection, swift: "_SwiftWriter"
    ) -> None:
        self.path = path
        self._writer, self._reader, self._swift = writer, reader, swift
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
                swift = connections.enter_context(_swift_writer(path))
            yield cls(path, writer, reader, swift)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Everything written inside is committed together, or, when an exception leaves the block, not at all."""
        async with self._writing:
            with in_our_words(self.path):
                async with _transaction(self._writer):
                    yield self._writer

    async def together(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some statements as one transaction, or, when `work` raises, none of them; return what it returns.

        work: runs in another thread, so it does nothing but SQL. Who is cancelled meanwhile does not learn whether it
        was done. A `transaction` goes to SQLite's thread and back for every statement; this goes there once.
        """
        async with self._writing:
            with in_our_words(self.path):
                return await self._swift.run(work)

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
        async with self._writing:
            with in_our_words(self.path):
                # A statement by itself is a transaction. BEGIN and COMMIT would be two more ways to SQLite's thread.
                cursor = await self._writer.execute(sql, values)
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


class _SwiftWriter:
    """A connection and its thread: a transaction is begun, worked on and committed in one go."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection, self._thread = connection, thread

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transaction, work)

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        with self._connection:  # commits, or undoes everything on an exception
            return work(self._connection)


@contextmanager
def _swift_writer(path: Path) -> Iterator[_SwiftWriter]:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
    # The thread ends first: nothing is at work on a connection that is closed.
    with closing(connection), ThreadPoolExecutor(1, "swift-writer") as thread:
        for setting in _SETTINGS:
            connection.execute(setting)
        yield _SwiftWriter(connection, thread)


@asynccontextmanager
async def _connect(path: Path, *, query_only: bool = False) -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None) as connection:
        for setting in _SETTINGS:
            await connection.execute(setting)
        if query_only:
            await connection.execute("PRAGMA query_only = ON")
        yield connection
