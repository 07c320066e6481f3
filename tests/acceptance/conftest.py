"""The assembled pipeline, filled once for all tests of this folder and opened for each."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.answering import Answering
from tests.acceptance import invented, invented_kinds
from tests.acceptance.pipeline import fill, pipeline, seeds


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the seeds and all invented records."""
    folder = tmp_path_factory.mktemp("filled")
    fill(folder, [*seeds(), *invented.CATALOGUE, *invented_kinds.KINDS])
    return folder


@pytest_asyncio.fixture
async def answering(filled: Path) -> AsyncIterator[Answering]:
    """The pipeline over the seeds and all invented records, without a model."""
    async with pipeline(filled) as opened:
        yield opened
