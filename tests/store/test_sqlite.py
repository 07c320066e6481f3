"""The database file: its transactions, and what can be wrong with it."""

import asyncio
import sqlite3
import stat
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import faults, migrations, sqlite
from bot.store.errors import StoreCorrupted, StoreForeign, StoreLocked, StoreTooNew, StoreUnreachable
from bot.store.meta import MetaStore
from bot.store.sqlite import Database

_INSERT = "INSERT INTO meta VALUES ('c', 'd')"


async def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    """A closed database holds what was committed, and opening it again changes nothing."""
    path = tmp_path / "new" / "folder" / "errata.sqlite3"
    async with Database.open(path) as database:
        await MetaStore(database).set("greeting", "hello")

    async with Database.open(path) as database:
        assert await MetaStore(database).get("greeting") == "hello"


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Nobody else on the machine may read the database or its journal."""
    async with Database.open(tmp_path / "errata.sqlite3") as database:
        await MetaStore(database).set("a", "b")

        modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}

    assert modes == {0o600}


async def test_journal_is_wal_and_foreign_keys_hold(database: Database) -> None:
    """The settings of the file and of the connection are those we rely on."""
    assert await database.row("PRAGMA journal_mode") == ("wal",)
    with pytest.raises(sqlite3.IntegrityError):
        await database.write("INSERT INTO answer_records VALUES (1, 0, 'x')")


async def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    """An exception inside the block undoes what the block wrote."""

    async def fail_in_the_middle() -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO meta VALUES ('a', 'b')")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        await fail_in_the_middle()

    assert await database.rows("SELECT * FROM meta") == []


async def test_statements_done_together_are_done_all_or_none(database: Database) -> None:
    """What fails in the middle undoes what came before it, and the next write finds the way free."""

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        await database.together(work)

    assert await database.rows("SELECT * FROM meta") == []
    assert await database.together(lambda connection: connection.execute(_INSERT).rowcount) == 1
    assert await database.write("UPDATE meta SET value = 'd' WHERE name = 'c'") == 1
    assert await database.rows("SELECT * FROM meta") == [("c", "d")]


async def test_what_is_done_together_keeps_foreign_keys(database: Database) -> None:
    """The connection for whole transactions is set up like the others."""
    with pytest.raises(sqlite3.IntegrityError):
        await database.together(lambda it: it.execute("INSERT INTO answer_records VALUES (1, 0, 'x')"))


async def test_a_failed_statement_of_its_own_leaves_nothing(database: Database) -> None:
    """One statement is one transaction: its second row fails, so its first is not there either."""
    with pytest.raises(sqlite3.IntegrityError):
        await database.write("INSERT INTO meta VALUES ('a', 'b'), ('a', 'c')")

    assert await database.rows("SELECT * FROM meta") == []
    assert await database.write(_INSERT) == 1


async def test_who_is_cancelled_while_work_is_done_leaves_it_whole(database: Database) -> None:
    """The transaction comes to its end in its own thread: all of it is there, and the next one is not held up."""
    running = threading.Event()

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        running.set()
        time.sleep(0.1)
        connection.execute("INSERT INTO meta VALUES ('e', 'f')")

    task = asyncio.create_task(database.together(work))
    await asyncio.to_thread(running.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await database.write(_INSERT) == 1
    assert await database.rows("SELECT name FROM meta ORDER BY name") == [("a",), ("c",), ("e",)]


async def test_a_cancelled_transaction_leaves_nothing_and_holds_no_lock(database: Database) -> None:
    """A task cancelled while it writes does not keep the next one from writing."""
    entered = asyncio.Event()

    async def never_ends() -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO meta VALUES ('a', 'b')")
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(never_ends())
    await entered.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    await database.write("INSERT INTO meta VALUES ('c', 'd')")
    assert await database.rows("SELECT name FROM meta") == [("c",)]


async def test_transactions_of_one_process_do_not_mix(database: Database) -> None:
    """E4: of many coroutines that write at once, those that fail undo their own rows and nobody else's."""

    async def write(number: int) -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO meta VALUES (?, '')", (f"{number:02}",))
            await asyncio.sleep(0)
            if number % 2:
                raise RuntimeError(str(number))

    await asyncio.gather(*(write(number) for number in range(20)), return_exceptions=True)

    assert await database.rows("SELECT name FROM meta ORDER BY name") == [(f"{n:02}",) for n in range(0, 20, 2)]


async def test_readers_see_only_what_is_committed(database: Database) -> None:
    """G1: a query in the middle of somebody's transaction sees the state before it."""
    async with database.transaction() as connection:
        await connection.execute("INSERT INTO meta VALUES ('a', 'b')")

        assert await database.rows("SELECT * FROM meta") == []

    assert await database.rows("SELECT * FROM meta") == [("a", "b")]


async def test_a_snapshot_stays_as_it_was(database: Database) -> None:
    """What is written while a snapshot is read is not in it."""
    async with database.snapshot() as connection:
        before = list(await connection.execute_fetchall("SELECT * FROM meta"))
        await database.write("INSERT INTO meta VALUES ('a', 'b')")
        after = list(await connection.execute_fetchall("SELECT * FROM meta"))

    assert before == after == []


async def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    """A file of a newer version is left alone, and the sentence says what to do."""
    path = tmp_path / "errata.sqlite3"
    async with Database.open(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")

    with pytest.raises(StoreTooNew, match=r"schema 999.*install the newer Errata"):
        async with Database.open(path):
            pass


async def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    """Tables of somebody else are not migrated."""
    path = tmp_path / "errata.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")

    with pytest.raises(StoreForeign, match="another program"):
        async with Database.open(path):
            pass


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Garbage is named as such, without a traceback's words."""
    path = tmp_path / "errata.sqlite3"
    path.write_bytes(b"this is no database, and long enough to look like one" * 100)

    with pytest.raises(StoreCorrupted, match="damaged or is no database"):
        async with Database.open(path):
            pass


async def test_damaged_pages_are_one_sentence(tmp_path: Path) -> None:
    """Damage that is met only later is told in the same words."""
    path = tmp_path / "errata.sqlite3"
    async with Database.open(path) as database:
        for number in range(200):
            await MetaStore(database).set(f"{number:03}", "x" * 500)
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)

    with pytest.raises(StoreCorrupted):
        async with Database.open(path) as database:
            await database.rows("SELECT * FROM meta")


async def test_a_locked_database_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that never lets go is named as the reason, after the wait."""
    path = tmp_path / "errata.sqlite3"
    async with Database.open(path):
        pass
    for module in (faults, migrations, sqlite):
        monkeypatch.setattr(module, "BUSY_TIMEOUT_SECONDS", 0.1)

    async with Database.open(path) as database:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLocked, match="in use by another process"):
                await MetaStore(database).set("a", "b")

        await MetaStore(database).set("a", "c")
        assert await MetaStore(database).get("a") == "c"


async def test_a_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    """A data folder that cannot be one is named."""
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnreachable, match="its folder is a file"):
        async with Database.open(tmp_path / "file" / "errata.sqlite3"):
            pass


async def test_errors_of_the_body_are_not_ours(tmp_path: Path) -> None:
    """A file missing somewhere else is not reported as trouble with the database."""
    with pytest.raises(PermissionError):
        async with Database.open(tmp_path / "errata.sqlite3") as database, database.transaction():
            raise PermissionError("something else")
