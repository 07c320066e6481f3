"""What the bot leaves alone: who wants no answer, what is old or closed, and where it may not speak."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.modes import Mode
from bot.store.guild_edits import muted
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import OTHER_PANIC, PANIC
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import visible_text
from tests.discord_standin.permissions import Permission


async def test_bots_webhooks_and_notes_are_left_alone(scene: Scene) -> None:
    """A5: other bots, webhooks and Discord's own notes never trigger, nor do the bot's own cards; a mention or not."""
    other = scene.fake.add_user("other", scene.guild, bot=True)

    for text in (PANIC, scene.mention(PANIC)):
        scene.fake.emit_message(
            "MESSAGE_CREATE", scene.fake.mailbox.make(scene.channel, scene.fake.bot, {"content": text})
        )
        scene.fake.say(other, scene.channel, text)
        scene.fake.post_by_webhook(scene.channel, text)
    scene.fake.say(scene.ann, scene.channel, PANIC, type=7)

    await scene.fake.quiet(scene.channel)
    assert scene.knows.texts == []


@pytest.mark.parametrize("tag", ["Solved", "needs-human", "✅ resolved"])
async def test_closed_posts_are_left_alone(scene: Scene, tag: str) -> None:
    """H1: a post tagged as solved or as needing a human gets no automatic answer."""
    forum = scene.fake.add_forum(scene.guild, tags=[tag])

    thread, _ = scene.fake.forum_post(scene.ann, forum, "it panics", PANIC, tags=[tag])

    await scene.fake.quiet(thread)


async def test_people_who_opted_out_are_answered_only_when_they_ask(scene: Scene) -> None:
    """C10: nothing is posted to them unasked."""
    await scene.parts.people.opt_out(int(scene.ann["id"]), scene.clock())

    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC)))


async def test_the_switch_silences_the_bot_at_once(scene: Scene) -> None:
    """C10: a file in the data folder silences the bot without a restart, and taking it away lets it speak again."""
    scene.settings.silence_file.touch()
    scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC))
    await scene.fake.quiet(scene.channel)

    scene.settings.silence_file.unlink()

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC)))


async def test_the_switch_holds_for_what_was_begun_before_it(scene: Scene) -> None:
    """C10: an answer on its way is not posted, and one that stands is not changed while the bot is silent."""
    standing = scene.fake.say(scene.ben, scene.channel, PANIC)
    answer = await scene.fake.answer_to(standing)
    scene.knows.held = asyncio.Event()
    scene.fake.say(scene.ann, scene.channel, scene.mention(OTHER_PANIC))
    await scene.fake.until(lambda: len(scene.knows.texts) == 2)

    scene.settings.silence_file.touch()
    scene.knows.held.set()
    scene.fake.edit(standing, OTHER_PANIC)

    await scene.fake.quiet(scene.channel, after=answer)
    assert "Server disconnected" in visible_text(answer)
    assert len(scene.knows.texts) == 2


async def test_muted_records_are_not_shown_unasked(scene: Scene) -> None:
    """A record muted in a server is shown there only to who asks."""
    await scene.set(muted("4df974a0eb9a8beb", is_muted=True))

    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC)))


async def test_old_messages_get_no_answer(scene: Scene) -> None:
    """C9: a message written long before it arrives is nobody's question any more."""
    scene.fake.say(scene.ann, scene.channel, PANIC, at=datetime.now(UTC) - timedelta(hours=1))

    await scene.fake.quiet(scene.channel)


async def test_nothing_is_posted_to_what_was_written_while_the_bot_was_away(
    stage: Callable[..., Scene], discord: FakeDiscord
) -> None:
    """C9: after a restart old messages stay unanswered."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    discord.say(scene.ann, scene.channel, PANIC)

    with aimed(discord):
        async with scene.connected():
            await discord.quiet(scene.channel)


async def test_a_preview_of_an_old_message_is_no_question(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """C9: Discord's own additions to what was written before a restart are no edits, and start nothing."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    before = discord.say(scene.ann, scene.channel, f"{PANIC} https://example.org")

    with aimed(discord):
        async with scene.connected():
            discord.unfurl(before, [{"type": "rich", "title": "a preview"}])
            discord.pin(before)

            await discord.quiet(scene.channel)


@pytest.mark.parametrize("missing", [Permission.SEND_MESSAGES, Permission.READ_MESSAGE_HISTORY])
async def test_missing_permissions_are_silent_and_not_tried(scene: Scene, missing: Permission) -> None:
    """E10: where the bot may not answer it does not try to."""
    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], deny=missing)

    scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC))

    await scene.fake.quiet(scene.channel)
    assert scene.fake.refused_requests == []
