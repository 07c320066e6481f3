"""The bot as a process of its own."""

import sys
from pathlib import Path

import pytest

from tests.discord_standin import bot_under_test
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.process import running_process, start_process

ARGV = (sys.executable, bot_under_test.__file__)


@pytest.mark.blackbox
async def test_a_process_answers_stops_and_comes_back(discord: FakeDiscord, tmp_path: Path) -> None:
    """It answers, ends on SIGTERM with 0, is killed by SIGKILL, and an old button works in the next one."""
    guild = discord.add_guild()
    channel, ann = discord.add_channel(guild), discord.add_user("ann", guild)

    async with running_process(discord, tmp_path, argv=ARGV) as bot:
        answer = await discord.answer_to(discord.say(ann, channel, "NameError: x"))
        assert await bot.stop() == 0
    assert "stopped" in bot.stdout
    assert str(tmp_path) in bot.stdout

    async with running_process(discord, tmp_path, argv=ARGV) as bot:
        bot.kill()
        assert await bot.wait() == -9
    async with running_process(discord, tmp_path, argv=ARGV):
        thanks = await discord.click(ann, answer, label="up")
    assert thanks.ephemeral
    assert len(discord.gateway.identifies) == 3


@pytest.mark.blackbox
async def test_a_process_that_fails_is_told_with_its_output(discord: FakeDiscord, tmp_path: Path) -> None:
    """`ready` fails at once where the process ended, and quotes what it wrote."""
    process = await start_process(discord, tmp_path, argv=(sys.executable, "-c", "print('no'); raise SystemExit(3)"))

    await process.says("no")
    assert await process.wait() == 3
    with pytest.raises(AssertionError, match=r"(?s)ended with 3.*no"):
        await process.ready()


@pytest.mark.blackbox
async def test_a_process_can_be_killed_while_its_answer_is_on_the_way(discord: FakeDiscord, tmp_path: Path) -> None:
    """A held request tells when it has come; the process dies without an answer, which was posted all the same."""
    guild = discord.add_guild()
    channel, ann = discord.add_channel(guild), discord.add_user("ann", guild)
    fault = discord.faults.inject("POST", "/channels/*/messages", after=True, hold=True)

    async with running_process(discord, tmp_path, argv=ARGV) as bot:
        question = discord.say(ann, channel, "NameError: x")
        await fault.struck.wait()
        bot.kill()
        await bot.wait()
    fault.released.set()

    assert len(discord.answers_to(question)) == 1
