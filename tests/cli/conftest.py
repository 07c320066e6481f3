"""A command line with a data folder, for every test of this folder."""

from pathlib import Path

import pytest

from tests.cli.errata_command import Errata


@pytest.fixture
def errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Errata:
    """`errata` as somebody runs it who has set nothing, from a folder of their own."""
    for variable in ("ERRATA_TOKEN", "ERRATA_CONFIG", "ERRATA_LANGUAGE", "ERRATA_SHARED", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return Errata(tmp_path / "data", monkeypatch)
