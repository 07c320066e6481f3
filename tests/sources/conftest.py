"""Paste sites on this machine, and a fetcher that finds them."""

from collections.abc import AsyncIterator

import pytest_asyncio

from bot.sources.safe_fetching import SafeFetcher
from tests.sources.paste_sites import PasteSites, paste_sites


@pytest_asyncio.fixture
async def sites() -> AsyncIterator[PasteSites]:
    """The sites, with nothing on them."""
    async with paste_sites() as made:
        yield made


@pytest_asyncio.fixture
async def fetcher(sites: PasteSites) -> AsyncIterator[SafeFetcher]:
    """What reads from the sites, and takes their address for a public one."""
    async with sites.fetcher() as made:
        yield made
