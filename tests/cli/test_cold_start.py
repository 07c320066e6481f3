"""What answering from a pattern loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.panics import PANICS, SERVER_DISCONNECTED
from tests.shared_data import REPOSITORY

# Each takes from a third of a second to several to import.
HEAVY = {"torch", "sentence_transformers", "transformers", "scipy", "sklearn", "discord", "aiohttp", "jsonschema_rs"}

_LIST_MODULES = """
import sys
from bot.cli.main import run
try:
    run(["--data-dir", sys.argv[1], *sys.argv[2:]])
except SystemExit as end:
    code = end.code
print("MODULES", int(code), *sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.blackbox
def test_an_answer_from_a_pattern_loads_nothing_slow(tmp_path: Path) -> None:
    """`errata ask` imports neither torch nor Discord where the pattern tier answers."""
    ended = subprocess.run(
        (sys.executable, "-c", _LIST_MODULES, str(tmp_path), "ask", PANICS[SERVER_DISCONNECTED]),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    said = ended.stdout.splitlines()
    assert "Exact match" in said
    _, code, *modules = said[-1].split()
    assert code == "0"
    assert HEAVY.isdisjoint(modules)
    assert "hyperscan" in modules or "ahocorasick_rs" in modules  # the list is not empty by mistake


@pytest.mark.blackbox
def test_help_loads_next_to_nothing(tmp_path: Path) -> None:
    """The command line itself needs neither numpy nor pydantic."""
    ended = subprocess.run(
        (sys.executable, "-c", _LIST_MODULES, str(tmp_path), "--help"),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    modules = ended.stdout.splitlines()[-1].split()
    assert HEAVY.union({"numpy", "pydantic", "hyperscan"}).isdisjoint(modules)
