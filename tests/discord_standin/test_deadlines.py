"""The rules of interaction tokens, kept without a clock."""

from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
import pytest_asyncio
from discord import app_commands

from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload
from tests.discord_standin.spec import Spec

Asked = discord.Interaction[discord.Client]


class Careless(discord.Client):
    """Keeps what it was asked and answers nothing by itself."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.02)
        self.tree = app_commands.CommandTree(self)
        self.asked: list[Asked] = []

    async def setup_hook(self) -> None:
        @self.tree.command(description="Wait")
        async def wait(interaction: Asked) -> None:
            self.asked.append(interaction)

        @self.tree.command(description="Hurry")
        async def hurry(interaction: Asked) -> None:
            self.asked.append(interaction)
            await interaction.response.defer()

        await self.tree.sync()


@pytest_asyncio.fixture
async def stage(spec: Spec) -> AsyncIterator[tuple[FakeDiscord, Careless, Payload, Payload]]:
    fake = await FakeDiscord(spec, acknowledge_seconds=0.2).start()
    guild = fake.add_guild()
    channel, ann = fake.add_channel(guild), fake.add_user("ann", guild)
    bot = Careless()
    with aimed(fake):
        async with connected(bot, fake):
            yield fake, bot, channel, ann
    await fake.stop()


Stage = tuple[FakeDiscord, Careless, Payload, Payload]


async def test_a_late_acknowledgement_is_unknown(stage: Stage) -> None:
    """Nobody acknowledged in time: the person is told, and the bot's answer is 10062."""
    fake, bot, channel, ann = stage

    with pytest.raises(AssertionError, match="did not respond"):
        await fake.slash(ann, channel, "wait")

    with pytest.raises(discord.NotFound, match="10062"):
        await bot.asked[0].response.send_message("late")


async def test_there_is_one_acknowledgement(stage: Stage) -> None:
    """A second one is 40060, and a modal is none after a deferral."""
    fake, bot, channel, ann = stage
    await fake.slash(ann, channel, "hurry")

    modal = discord.ui.Modal(title="Late")
    modal.add_item(discord.ui.TextDisplay("x"))
    bot.asked[0].response._response_type = None  # so that discord.py lets it pass
    with pytest.raises(discord.HTTPException, match="40060"):
        await bot.asked[0].response.send_modal(modal)


async def test_a_token_is_good_for_fifteen_minutes(stage: Stage) -> None:
    """Afterwards followups and edits are 50027."""
    fake, bot, channel, ann = stage
    asked = await fake.slash(ann, channel, "hurry")
    await bot.asked[0].followup.send("in time")

    asked.pass_time(901)

    for late in (bot.asked[0].followup.send("late"), bot.asked[0].edit_original_response(content="late")):
        with pytest.raises(discord.HTTPException, match="50027"):
            await late
    assert [reply["content"] for reply in asked.replies] == ["in time"]


async def test_too_many_suggestions_and_wrong_kinds_are_refused(stage: Stage) -> None:
    """A command cannot be answered with suggestions; that is a violation."""
    fake, bot, channel, ann = stage
    with pytest.raises(AssertionError):
        await fake.slash(ann, channel, "wait")
    asked = next(iter(fake.interactions.values()))
    asked.pass_time(-5)
    url = f"{fake.api_base}/interactions/{asked.id}/{asked.token}/callback"

    async with aiohttp.ClientSession() as http, http.post(url, json={"type": 8, "data": {"choices": []}}) as answer:
        status, body = answer.status, await answer.json()

    assert (status, body["code"]) == (400, 50035)
    assert fake.violations
    assert bot.asked
