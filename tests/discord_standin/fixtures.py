"""The fixtures tests/conftest.py offers."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.spec import Spec
from tests.shared_data import shared_file


@pytest.fixture(scope="session")
def spec() -> Spec:
    """Discord's API description, compiled once for all tests."""
    return Spec(shared_file("discord/openapi.json"))


@pytest_asyncio.fixture
async def discord(spec: Spec) -> AsyncIterator[FakeDiscord]:
    """A started stand-in; the test fails where anything was sent that Discord does not allow."""
    fake = await FakeDiscord(spec).start()
    yield fake
    await fake.stop()
    fake.assert_no_violations()
