"""The command that fuzzes."""

import importlib.util
from pathlib import Path

import pytest

from tests.fuzzing.__main__ import main


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


def test_a_short_run_covers_more_than_its_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the fuzzer is installed six seconds are enough to try thousands of inputs; where not, that is said."""
    code = main(["decoding", "--minutes", "0.1", "--findings", str(tmp_path)])

    said = capsys.readouterr()
    if importlib.util.find_spec("atheris") is None:
        assert (code, "atheris is not installed" in said.err) == (2, True)
        return
    assert code == 0, said.out
    row = next(line for line in said.out.splitlines() if line.startswith("decoding"))
    assert int(row.split()[1].replace(",", "")) > 1_000
