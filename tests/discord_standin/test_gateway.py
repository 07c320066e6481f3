"""Connections that break, and what comes of them."""

import asyncio

import discord
import pytest

from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.bot_under_test import Bot
from tests.discord_standin.conftest import Scene
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Intent


@pytest.mark.parametrize("how", ["op 7", "close 4000", "cut"])
async def test_a_resumed_session_misses_nothing(scene: Scene, how: str) -> None:
    """What happens while the bot is away is replayed, with no second IDENTIFY."""
    gateway = scene.fake.gateway
    if how == "op 7":
        gateway.ask_to_reconnect()
    else:
        gateway.drop(4000 if how == "close 4000" else None)

    question = scene.fake.say(scene.ann, scene.channel, "plain while away")
    await scene.fake.answer_to(question, timeout_seconds=10)
    await scene.fake.until(lambda: "resumed" in scene.bot.events)

    assert (len(gateway.identifies), gateway.resumes) == (1, 1)
    assert scene.bot.events == ["ready", "resumed"]


async def test_a_lost_session_is_identified_again(scene: Scene) -> None:
    """Op 9 without resumption costs an IDENTIFY; discord.py waits five seconds before it."""
    scene.fake.gateway.invalidate(resumable=False)

    await scene.fake.until(lambda: scene.bot.events == ["ready", "ready"], timeout_seconds=15)

    assert len(scene.fake.gateway.identifies) == 2


async def test_op_9_may_be_resumable(scene: Scene) -> None:
    """Op 9 with d=true asks for RESUME."""
    scene.fake.gateway.invalidate(resumable=True)

    await scene.fake.until(lambda: "resumed" in scene.bot.events, timeout_seconds=15)

    assert len(scene.fake.gateway.identifies) == 1


async def test_heartbeats_are_answered_unless_muted(discord: FakeDiscord) -> None:
    """A short interval makes heartbeats; muted acknowledgements are none."""
    discord.gateway.heartbeat_ms = 40
    discord.gateway.mute_acks = True
    with aimed(discord):
        bot = Bot()
        async with connected(bot, discord):
            await discord.until(lambda: ("op", 1) in [entry[:2] for entry in discord.gateway.log])
            quiet_latency = bot.latency
            discord.gateway.mute_acks = False
            await discord.until(lambda: bot.latency < 10)

    assert quiet_latency == float("inf")


async def test_wrong_token_and_missing_intent_are_told_apart(discord: FakeDiscord) -> None:
    """A token the API does not know is 401, one the gateway does not know 4004, an intent that is off 4014."""
    import discord as library

    with aimed(discord):
        with pytest.raises(library.LoginFailure):
            await Bot().login("another token")
        discord.gateway.privileged = Intent(0)
        with pytest.raises(library.PrivilegedIntentsRequired):
            async with connected(Bot(), discord):
                pass
        async with connected(Bot(content=False), discord):
            pass
        bot = Bot(content=False)
        await bot.login(discord.token)
        discord.gateway._token = "renewed meanwhile"
        with pytest.raises(library.ConnectionClosed) as closed:
            await bot.connect()
        await bot.close()

    assert closed.value.code == 4004


async def test_first_connections_can_be_refused(discord: FakeDiscord) -> None:
    """A refused first connection ends discord.py 2.7.1's connect with its masked error (#10520); the next one works."""
    discord.gateway.refuse_next = 1
    with aimed(discord):
        with pytest.raises(Exception, match="sequence"):
            async with connected(Bot(), discord):
                pass
        async with connected(Bot(), discord):
            pass

    assert discord.gateway.log[0] == ("refused",)
    assert len(discord.gateway.identifies) == 1


async def test_compression_is_a_stream(scene: Scene) -> None:
    """discord.py asks for zstd-stream, which our own zstandard brings, and reads two hundred messages from it."""
    compressions = [entry[1].get("compress") for entry in scene.fake.gateway.log if entry[0] == "open"]

    for number in range(200):
        scene.fake.say(scene.ann, scene.channel, f"chat {number}")
    await scene.fake.until(lambda: len(scene.bot.seen) == 200)

    assert compressions == ["zstd-stream"]
    assert scene.bot.seen[-1] == "chat 199"
    assert isinstance(scene.bot, discord.Client)


async def test_events_keep_their_payload(scene: Scene) -> None:
    """An event shows the world as it was, even where the bot reads it after the world went on."""
    scene.fake.gateway.drop(None)
    question = scene.fake.say(scene.ann, scene.channel, "chat before")
    scene.fake.edit(question, "chat after")

    await scene.fake.until(lambda: scene.bot.seen, timeout_seconds=10)
    await asyncio.sleep(0)

    assert scene.bot.seen == ["chat before"]
