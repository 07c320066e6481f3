"""`errata sync` killed at random moments ends where an undisturbed one ends."""

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.dataset_standin import Document, published, record, serving, sha256
from tests.shared_data import REPOSITORY

REPOSITORIES, RECORDS_EACH = 30, 100
WORDS = ("gradient", "socket", "ledger", "turbine", "mailbox", "compass", "lantern", "harbour", "anvil", "prism")


def catalogue() -> list[Document]:
    """3,000 records of 30 repositories."""
    return [
        record(
            number,
            f"example/project-{number % REPOSITORIES}",
            f"{WORDS[number % 10]} {WORDS[number // 10 % 10]} {WORDS[number // 100 % 10]} number {number} is out of order",
        )
        for number in range(REPOSITORIES * RECORDS_EACH)
    ]


def sync(data_dir: Path, base: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "--data-dir", str(data_dir), "sync", "--all", "--base", base, "--json"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def digests(data_dir: Path) -> dict[str, str]:
    """Of every derived file, but for those that tell when they were written, and the number of the attempt."""
    passed_over = {"current", "building.lock", "manifest.json"}
    return {
        re.sub(r"generation-\d+", "generation", str(path.relative_to(data_dir))): sha256(path.read_bytes())
        for folder in ("patterns", "index")
        for path in sorted((data_dir / folder).rglob("*"))
        if path.is_file() and path.name not in passed_over
    }


def held(data_dir: Path) -> list[tuple[object, ...]]:
    """Every row of the catalogue, but for when it was written."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(data_dir / "errata.sqlite3")) as connection:
        return [
            row
            for query in (
                "SELECT * FROM record_facts ORDER BY id",
                "SELECT id, body_json, source FROM record_bodies ORDER BY id",
                "SELECT version FROM catalogue",
                "SELECT * FROM dataset_records ORDER BY id",
                "SELECT * FROM dataset_repositories ORDER BY repo",
                "SELECT version, manifest_json FROM dataset",
            )
            for row in connection.execute(query)
        ]


@pytest.mark.blackbox
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1, 2])
def test_three_kills_change_nothing(tmp_path: Path, seed: int) -> None:
    """Issue 4: SIGKILL at three random moments; catalogue, patterns and index are those of an undisturbed sync.

    And then a second sync fetches the manifest alone.
    """
    chance = random.Random(seed)
    with serving(published(catalogue())) as server:
        began = time.monotonic()
        undisturbed = sync(tmp_path / "undisturbed", server.base)
        assert undisturbed.wait(300) == 0, undisturbed.communicate()
        took = time.monotonic() - began

        asked = 0
        for _ in range(3):
            # Each time from the beginning, so that late moments are met too: what is done already makes it faster.
            killed = sync(tmp_path / "killed", server.base)
            try:
                killed.wait(chance.uniform(0.15, 0.95) * took)
            except subprocess.TimeoutExpired:
                killed.send_signal(signal.SIGKILL)
            killed.communicate()
        server.forget()
        last = sync(tmp_path / "killed", server.base)
        assert last.wait(300) == 0, last.communicate()
        asked = len(server.asked)

        assert held(tmp_path / "killed") == held(tmp_path / "undisturbed")
        assert digests(tmp_path / "killed") == digests(tmp_path / "undisturbed")
        assert digests(tmp_path / "killed")
        assert asked <= 3 + REPOSITORIES

        server.forget()
        second = sync(tmp_path / "killed", server.base)
        assert second.wait(300) == 0
        assert server.asked == ["/data/manifest.json"]


@pytest.mark.blackbox
def test_what_was_fetched_before_a_kill_is_not_fetched_again(tmp_path: Path) -> None:
    """Killed when twelve repositories are whole on disk: they are not asked for a second time."""
    with serving(published(catalogue())) as server:
        running: list[subprocess.Popen[bytes]] = []

        def written() -> set[str]:
            return {path.stem for path in (tmp_path / "data" / "sync" / "repos").rglob("*.about")}

        def kill_at_the_twelfth(_path: str) -> None:
            if len(written()) >= 12:
                running[0].send_signal(signal.SIGKILL)

        server.before_answer = kill_at_the_twelfth
        running.append(sync(tmp_path / "data", server.base))
        running[0].communicate()
        whole = written()
        assert 12 <= len(whole) < REPOSITORIES
        server.before_answer = lambda _path: None
        server.forget()

        again = sync(tmp_path / "data", server.base)

        assert again.wait(300) == 0, again.communicate()
        asked = {path.rpartition("/")[2] for path in server.asked}
        assert not whole & asked
        assert "index.json.gz" not in asked
        assert len(asked) == 1 + REPOSITORIES - len(whole)
