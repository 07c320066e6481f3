"""The command that fuzzes."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.__main__ import main
from tests.shared_data import REPOSITORY


def test_an_unknown_target_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names what there is."""
    assert main(["reders"]) == 2
    assert "no such target: reders; there are: readers, decompression, redaction" in capsys.readouterr().err


def test_without_the_fuzzer_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody needs it but for this command, so it may be missing."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert main(["readers"]) == 2
    assert "pip install -e '.[fuzz]'" in capsys.readouterr().err


def test_a_short_run_covers_more_than_its_seeds(tmp_path: Path) -> None:
    """Where the fuzzer is installed six seconds are enough to try thousands of inputs; where not, that is said."""
    # In a process of its own: what Linux tells a process it took at most begins with what its parent took, and the
    # one that runs all tests takes more than an input may.
    said = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", "decoding", "--minutes", "0.1", "--findings", str(tmp_path)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,  # its code is looked at
        timeout=120,
    )
    if importlib.util.find_spec("atheris") is None:
        assert (said.returncode, "atheris is not installed" in said.stderr) == (2, True)
        return
    assert said.returncode == 0, said.stdout
    row = next(line for line in said.stdout.splitlines() if line.startswith("decoding"))
    assert int(row.split()[1].replace(",", "")) > 1_000
