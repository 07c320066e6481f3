"""The small bot, connected to a stand-in by either of the two ways; and requests without any bot."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from tests.discord_standin.aiming import aimed, connected, wire_arguments
from tests.discord_standin.bot_under_test import Bot
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload
from tests.discord_standin.spec import Spec


@dataclass(slots=True)
class Scene:
    """A guild with one channel, Ann in it, and the bot connected."""

    fake: FakeDiscord
    guild: Payload
    channel: Payload
    ann: Payload
    bot: Bot


@pytest_asyncio.fixture
async def scene(discord: FakeDiscord) -> AsyncIterator[Scene]:
    """The small bot in one channel with Ann, by replaced class attributes."""
    with aimed(discord):
        async with _set(discord) as scene:
            yield scene


@pytest_asyncio.fixture
async def wire_scene(spec: Spec) -> AsyncIterator[Scene]:
    """The same with nothing in discord.py replaced: it says https://discord.com."""
    fake = await FakeDiscord(spec).start(tls=True)
    async with _set(fake, **wire_arguments(fake)) as scene:
        yield scene
    await fake.stop()
    fake.assert_no_violations()


@contextlib.asynccontextmanager
async def _set(fake: FakeDiscord, **arguments: Any) -> AsyncIterator[Scene]:
    guild = fake.add_guild()
    channel, ann = fake.add_channel(guild), fake.add_user("ann", guild)
    bot = Bot(**arguments)
    async with connected(bot, fake):
        yield Scene(fake, guild, channel, ann, bot)


@pytest.fixture(params=["scene", "wire_scene"])
def either_scene(request: pytest.FixtureRequest) -> Scene:
    """The scene, once by each way."""
    found: Scene = request.getfixturevalue(request.param)
    return found


class Wire:
    """Requests without a library that would check them first."""

    def __init__(self, fake: FakeDiscord, http: aiohttp.ClientSession) -> None:
        self.fake = fake
        self._http = http
        self.channel = fake.add_channel(fake.add_guild())

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {self.fake.token}"}
        async with self._http.request(method, self.fake.api_base + path, json=body, headers=headers) as answer:
            return answer.status, await answer.json() if answer.status != 204 else None

    async def send(self, **body: Any) -> tuple[int, Any]:
        return await self.call("POST", f"/channels/{self.channel['id']}/messages", body)


@pytest_asyncio.fixture
async def wire(spec: Spec) -> AsyncIterator[Wire]:
    """A stand-in whose violations the test itself looks at."""
    fake = await FakeDiscord(spec).start()
    async with aiohttp.ClientSession() as http:
        yield Wire(fake, http)
    await fake.stop()
