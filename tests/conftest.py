"""Fixtures for every test, and the gate's rule that nothing may be skipped there."""

import os

import pytest

from tests.discord_standin.fixtures import discord, spec

__all__ = ["discord", "spec"]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ERRATA_NO_SKIPS set, a skipped test fails the run: it would look like one that passed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("ERRATA_NO_SKIPS"):
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{len(skipped)} tests were skipped, and ERRATA_NO_SKIPS forbids it", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
