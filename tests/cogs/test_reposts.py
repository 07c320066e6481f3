"""Messages that a proxy takes away and posts anew."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from unittest.mock import MagicMock

import discord as discord_py
import pytest

from bot.cogs.reposts import WITHIN, Reposts
from bot.modes import Mode
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload, visible_text

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def message(number: int, text: str, channel: int = 1, author: int = 7) -> MagicMock:
    made = MagicMock(spec=discord_py.Message)
    made.id, made.content, made.channel.id, made.author.id = number, text, channel, author
    return made


def test_a_repost_is_known_by_the_words_it_repeats() -> None:
    """A5: a proxy leaves its marks out and keeps the rest; other channels and other words are not its own."""
    reposts = Reposts()
    reposts.note(message(1, "A: <@9> it broke -a"), NOW)

    assert reposts.take(message(2, "<@9> it broke", channel=2), NOW) is None
    assert reposts.take(message(3, "<@9> it broke, really"), NOW) is None
    assert reposts.take(message(4, ""), NOW) is None
    original = reposts.take(message(5, "<@9> it broke"), NOW)

    assert original is not None
    assert (original.message_id, original.author_id) == (1, 7)


def test_each_message_is_repeated_once_and_soon() -> None:
    """A5: a second re-post of it, or one after half a minute, is a webhook's message like any other."""
    reposts = Reposts()
    reposts.note(message(1, "<@9> a"), NOW)
    reposts.note(message(2, "<@9> a"), NOW + timedelta(seconds=1))

    taken = [reposts.take(message(3, "<@9> a"), NOW + timedelta(seconds=2)) for _ in range(3)]
    reposts.note(message(4, "<@9> a"), NOW)

    assert [original and original.message_id for original in taken] == [2, 1, None]
    assert reposts.take(message(5, "<@9> a"), NOW + WITHIN + timedelta(seconds=1)) is None


def test_no_more_are_remembered_than_needed() -> None:
    """However many call the bot within half a minute, little is kept."""
    reposts = Reposts()
    for number in range(1000):
        reposts.note(message(number, f"<@9> {number}"), NOW)

    assert len(reposts._calls) == 200


class Proxied:
    """Ann, who writes through a proxy, in a server where the bot waits a moment before it answers."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.fake = scene, scene.fake
        self.text = scene.mention(PANIC)

    def write(self) -> Payload:
        return self.fake.say(self.scene.ann, self.scene.channel, f"A: {self.text}")

    def repost(self) -> Payload:
        return self.fake.post_by_webhook(self.scene.channel, self.text, name="Ann's other name")


@pytest.fixture
async def proxied(stage: Callable[..., Scene], discord: FakeDiscord) -> Proxied:
    scene = stage(burst_wait_seconds=0.3)
    await scene.set_mode(Mode.MENTION)
    return Proxied(scene)


@pytest.mark.parametrize("deleted_first", [True, False])
async def test_a_proxied_call_is_answered_once(proxied: Proxied, discord: FakeDiscord, deleted_first: bool) -> None:
    """A5: whichever comes first, the deletion or the re-post, one answer stands, and it is Ann's to dismiss (D9)."""
    with aimed(discord):
        async with proxied.scene.connected():
            original = proxied.write()
            if deleted_first:
                discord.delete(original)
            repost = proxied.repost()
            if not deleted_first:
                discord.delete(original)

            answer = await discord.answer_to(repost)
            await discord.quiet(proxied.scene.channel, 0.5, after=answer)
            assert discord.bot_messages(proxied.scene.channel) == [answer]
            await discord.click(proxied.scene.ann, answer, label="Dismiss")
            await discord.until(lambda: not discord.bot_messages(proxied.scene.channel))


async def test_a_message_that_stands_beside_its_repost_is_answered_itself(
    proxied: Proxied, discord: FakeDiscord
) -> None:
    """A5: where a proxy leaves the message, the message is answered and the re-post is not."""
    with aimed(discord):
        async with proxied.scene.connected():
            original = proxied.write()
            proxied.repost()

            answer = await discord.answer_to(original)
            await discord.quiet(proxied.scene.channel, 0.5, after=answer)

            assert discord.bot_messages(proxied.scene.channel) == [answer]


async def test_a_slow_proxy_moves_the_answer(proxied: Proxied, discord: FakeDiscord) -> None:
    """A5: a message that was answered and then taken away takes its answer along; the re-post gets the one answer."""
    with aimed(discord):
        async with proxied.scene.connected():
            original = proxied.write()
            await discord.answer_to(original)

            repost = proxied.repost()
            discord.delete(original)

            await discord.answer_to(repost)
            await discord.until(lambda: len(discord.bot_messages(proxied.scene.channel)) == 1)
            await discord.quiet(proxied.scene.channel, 0.5)


async def test_a_repost_of_what_was_answered_is_left_alone(proxied: Proxied, discord: FakeDiscord) -> None:
    """A5: a second copy of a message whose answer stands gets none of its own."""
    with aimed(discord):
        async with proxied.scene.connected():
            answer = await discord.answer_to(proxied.write())

            proxied.repost()

            await discord.quiet(proxied.scene.channel, 0.8, after=answer)


async def test_a_bots_message_is_no_call_to_repeat(proxied: Proxied, discord: FakeDiscord) -> None:
    """A5: what another bot says to this one is nobody's question, through a webhook neither."""
    other = discord.add_user("other", proxied.scene.guild, bot=True)
    with aimed(discord):
        async with proxied.scene.connected():
            discord.delete(discord.say(other, proxied.scene.channel, proxied.text))
            proxied.repost()

            await discord.quiet(proxied.scene.channel, 0.8)


async def test_a_repost_that_calls_nobody_is_left_alone(proxied: Proxied, discord: FakeDiscord) -> None:
    """A5: unasked, a webhook's message is never answered, not even one that repeats a call's words."""
    await proxied.scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with proxied.scene.connected():
            original = proxied.write()
            discord.post_by_webhook(proxied.scene.channel, PANIC)
            discord.delete(original)
            discord.post_by_webhook(proxied.scene.channel, proxied.scene.mention("who are you?"))

            await discord.quiet(proxied.scene.channel, 0.8)


async def test_a_proxied_question_is_followed(proxied: Proxied, discord: FakeDiscord) -> None:
    """D8: the re-post's answer goes with the re-post, and belongs to the person in the store (F4)."""
    with aimed(discord):
        async with proxied.scene.connected():
            discord.delete(proxied.write())
            repost = proxied.repost()
            answer = await discord.answer_to(repost)
            kept = await proxied.scene.parts.answers.of_question(int(repost["id"]))
            assert kept is not None
            assert kept.author_id == int(proxied.scene.ann["id"])

            discord.edit(repost, proxied.scene.mention("never mind"))
            await discord.until(lambda: "nothing that reads like an error" in visible_text(answer))
            discord.delete(repost)

            await discord.until(lambda: not discord.bot_messages(proxied.scene.channel))
