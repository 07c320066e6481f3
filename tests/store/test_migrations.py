"""Numbered migrations, applied once however many ask for them."""

import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrations import migrate, schema_scripts
from bot.store.sqlite import Database
from tests.shared_data import REPOSITORY

# A table by a script that fails when it runs twice, and slow enough for two to meet.
RACER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from bot.store.migrations import migrate, schema_scripts

    path, start = Path(sys.argv[1]), float(sys.argv[2])
    scripts = schema_scripts()
    time.sleep(max(0, start - time.time()))
    migrate(path, scripts)
    print("done")
    """
)


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    """Six real processes open a new file at the same moment; all succeed, and the schema is whole."""
    import time

    path = tmp_path / "errata.sqlite3"
    start = time.time() + 1.5
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(path), str(start)],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]

    ends = [racer.communicate(timeout=60) for racer in racers]

    assert [end for end, _ in ends] == ["done\n"] * 6, [error for _, error in ends]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(schema_scripts()),)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_only_what_is_new_is_applied(tmp_path: Path) -> None:
    """An older file gets the scripts it lacks and keeps its rows."""
    path = tmp_path / "db"
    migrate(path, [(1, "CREATE TABLE one (x); INSERT INTO one VALUES (7);")])

    migrate(
        path,
        [
            (1, "this would fail;"),
            (2, "CREATE TABLE two (x);\n-- a comment; with a semicolon\nINSERT INTO two VALUES (8);"),
        ],
    )

    assert {"one", "two"} <= tables(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM one, two").fetchall() == [(7, 8)]


def test_a_script_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """Scripts are applied together or not at all."""
    path = tmp_path / "db"
    migrate(path, [(1, "CREATE TABLE one (x);")])

    with pytest.raises(sqlite3.OperationalError):
        migrate(path, [(1, ""), (2, "CREATE TABLE two (x);"), (3, "CREATE TABLE three (x); nonsense;")])

    assert "two" not in tables(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_scripts_are_numbered_without_a_gap() -> None:
    """The shipped scripts run from 1 on, each holding something."""
    scripts = schema_scripts()

    assert [number for number, _ in scripts] == list(range(1, len(scripts) + 1))
    assert all(script.strip() for _, script in scripts)


async def test_families_of_an_older_file_are_known_afterwards(tmp_path: Path) -> None:
    """Records stored before there was a column for it get the family that stands in their text."""
    path = tmp_path / "errata.sqlite3"
    before = [script for script in schema_scripts() if script[0] < 7]
    migrate(path, before)
    columns = "id, fingerprint, repo, message, pattern, tags_json, related_json, analyzed_sha"
    with closing(sqlite3.connect(path)) as connection:
        for record_id, body in (("a", '{"backgroundTag":"lost","x":1}'), ("b", '{"backgroundTag":null}'), ("c", "{}")):
            connection.execute(
                f"INSERT INTO record_facts ({columns}) VALUES (?, '', 'r/r', '', '', '', '', '')", record_id
            )
            connection.execute("INSERT INTO record_bodies VALUES (?, ?, '', '')", (record_id, body))
        connection.commit()

    async with Database.open(path) as database:
        assert await database.rows("SELECT id, family FROM record_facts") == [("a", "lost"), ("b", None), ("c", None)]
