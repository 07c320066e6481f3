"""Brings a database file to the schema this program knows."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from bot.store.errors import StoreForeign, StoreTooNew
from bot.store.faults import BUSY_TIMEOUT_SECONDS, is_busy

# "Erra" in ASCII. SQLite keeps it in the file's header, so that somebody else's database is told from an empty one.
APPLICATION_ID = 0x45727261


def schema_scripts() -> list[tuple[int, str]]:
    """The numbered scripts of bot/store/schema, as (number, SQL), in their order; numbers run from 1 without a gap."""
    found = sorted(
        (int(script.name[:4]), script.read_text(encoding="utf-8"))
        for script in (files("bot.store") / "schema").iterdir()
        if script.name.endswith(".sql")
    )
    numbers = [number for number, _ in found]
    if numbers != list(range(1, len(found) + 1)):
        raise AssertionError(f"schema scripts are numbered {numbers}, not 1, 2, 3 …")
    return found


def migrate(path: Path, scripts: list[tuple[int, str]]) -> None:
    """Apply each of `scripts` that was not yet applied, all in one transaction; blocking.

    Safe when several processes do it at the same moment: one applies, the others wait and find it done. A process that
    dies half-way leaves the file as it was.

    Raises StoreTooNew and StoreForeign; sqlite3's own errors are not translated here.
    """
    known = scripts[-1][0]
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)) as connection:
        if _applied(connection, path, known) == known:
            return
        _switch_to_wal(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read again: another process may have been first while this one waited for the lock.
            applied = _applied(connection, path, known)
            for number, script in scripts[applied:]:
                for statement in _statements(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _applied(connection: sqlite3.Connection, path: Path, known: int) -> int:
    """The number of the last script applied to this file, 0 for a new one."""
    # One statement and so one moment: another process may be in the middle of its commit.
    applied, owner, tables = connection.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if owner != APPLICATION_ID and (owner or applied or tables):
        raise StoreForeign(path)
    if applied > known:
        raise StoreTooNew(path, applied, known)
    return int(applied)


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Set the journal to WAL, waiting for others: SQLite's own waiting does not cover this one statement."""
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one; sqlite3's executescript would commit the transaction they belong to."""
    statement = ""
    for piece in re.split("(?<=;)", script):  # a semicolon may also stand in a text or a comment
        statement += piece
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
