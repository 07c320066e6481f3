"""How many cores a process may use."""

from pathlib import Path

import pytest

from embeddings.cores import usable_cores


@pytest.mark.parametrize("quota", ["max 100000", "", "nonsense", "100 0"])
def test_without_a_quota_the_affinity_stands(tmp_path: Path, quota: str) -> None:
    """No limit, an unreadable one and none at all are the same."""
    (tmp_path / "cpu.max").write_text(quota)

    assert usable_cores(tmp_path / "cpu.max") == usable_cores(tmp_path / "absent") >= 1


@pytest.mark.parametrize("quota", ["100000 100000", "10000 100000"])
def test_a_containers_quota_cuts_the_cores(tmp_path: Path, quota: str) -> None:
    """One core, and a tenth of one, are one thread."""
    (tmp_path / "cpu.max").write_text(quota)

    assert usable_cores(tmp_path / "cpu.max") == 1
