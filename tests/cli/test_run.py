"""`errata run` and `python -m bot`, as processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.panics import GRADIENT_SYNC, PANICS, SERVER_DISCONNECTED
from tests.shared_data import REPOSITORY

pytestmark = pytest.mark.blackbox


def bot(data_dir: Path, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot` with these arguments, to its end; nothing of the outer environment's settings is there."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}
    return subprocess.run(
        (sys.executable, "-m", "bot", *arguments),
        input=stdin,
        env=inherited | {"ERRATA_DATA_DIR": str(data_dir), "PYTHONPATH": str(REPOSITORY)} | more,
        cwd=data_dir.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_token_it_is_the_bot_in_the_terminal(tmp_path: Path) -> None:
    """One line says how to give it a token; pasted blocks are answered one by one, and the end of the input is 0."""
    pastes = f"{PANICS[SERVER_DISCONNECTED]}\n\n{PANICS[GRADIENT_SYNC]}\n"

    ended = bot(tmp_path / "data", "run", stdin=pastes)

    assert ended.returncode == 0
    assert ended.stdout.count("Exact match") == 2
    assert [line for line in ended.stderr.splitlines() if "ERRATA_TOKEN" in line] == ended.stderr.splitlines()


def test_a_token_that_is_none_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """A token with the word Bot before it is a setting that cannot be used: 2, and the token is not repeated (F1)."""
    ended = bot(tmp_path / "data", "run", ERRATA_TOKEN="Bot abc.def.ghi")

    assert ended.returncode == 2
    assert "without spaces or the word Bot" in ended.stderr
    assert "abc.def.ghi" not in ended.stderr


def test_leaving_waits_for_no_thread(tmp_path: Path) -> None:
    """A thread that cannot be interrupted, as one that imports torch, keeps nobody; what was written is written (E14)."""
    program = """
import asyncio, sys, time
from bot.cli.run import leave

async def end():
    loading = asyncio.create_task(asyncio.to_thread(time.sleep, 30))
    await asyncio.sleep(0.1)
    sys.stdout.write("last words")
    leave(3)

asyncio.run(end())
"""
    ended = subprocess.run(
        (sys.executable, "-c", program), cwd=REPOSITORY, capture_output=True, text=True, timeout=20, check=False
    )

    assert ended.returncode == 3
    assert ended.stdout == "last words"


def test_a_terminal_of_another_encoding_gets_no_traceback(tmp_path: Path) -> None:
    """What ASCII cannot show becomes a question mark."""
    ended = bot(tmp_path / "data", "ask", PANICS[SERVER_DISCONNECTED], PYTHONIOENCODING="ascii")

    assert ended.returncode == 0
    assert "Exact match" in ended.stdout
    assert ended.stderr == ""
