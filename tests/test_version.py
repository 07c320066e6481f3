"""One place knows the version."""

from importlib import metadata

import pytest

from bot.version import installed_version


def test_the_version_is_that_of_the_installed_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pip has installed is what both edges show."""
    monkeypatch.setattr(metadata, "version", {"errata-bot": "1.2.3"}.__getitem__)

    assert installed_version() == "1.2.3"


def test_a_checkout_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an installation there is no version, and the edges say so in their own words."""

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)

    assert installed_version() is None
