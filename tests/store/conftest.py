"""A database in a file of its own for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.sqlite import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / "errata.sqlite3") as opened:
        yield opened
