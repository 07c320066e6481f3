"""Where the shipped records are."""

from pathlib import Path

import pytest

from bot.sources import seeds
from tests.shared_data import REPOSITORY


def test_a_checkout_has_them_at_its_top() -> None:
    """In a checkout nothing is copied: seeds/ itself is read."""
    assert seeds.shipped_seeds() == REPOSITORY / "seeds"


def test_an_installed_package_brings_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside a wheel the folder lies in the package, and wins over a `seeds` that happens to lie beside it."""
    package = tmp_path / "site-packages" / "bot"
    monkeypatch.setattr(seeds, "_PACKAGE", package)
    with pytest.raises(FileNotFoundError, match="the shipped records are missing"):
        seeds.shipped_seeds()

    (package.parent / "seeds").mkdir(parents=True)
    (package / "shipped_seeds").mkdir(parents=True)

    assert seeds.shipped_seeds() == package / "shipped_seeds"
