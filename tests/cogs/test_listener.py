"""What the bot hears, and how it answers."""

from collections.abc import Callable

import pytest

from bot.modes import Mode
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import GUESS, OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import FORUM, text_file, visible_text


async def test_an_error_is_answered_with_one_card_that_pings_nobody(scene: Scene) -> None:
    """C1, C5: one message of the bot for one of a person, as a reply, without a ping."""
    question = scene.fake.say(scene.ann, scene.channel, f"@everyone look\n{PANIC}\n{OTHER_PANIC}")

    answer = await scene.fake.answer_to(question)

    await scene.fake.quiet(scene.channel, after=answer)
    assert "Server disconnected during initialization" in visible_text(answer)
    assert pings(answer) == []


@pytest.mark.parametrize(
    ("mode", "text", "speaks"),
    [
        (Mode.OFF, PANIC, False),
        (Mode.OFF, "<@me> " + PANIC, False),
        (Mode.MENTION, PANIC, False),
        (Mode.MENTION, "<@me> " + PANIC, True),
        (Mode.EXACT, PANIC, True),
        (Mode.EXACT, GUESS, False),
        (Mode.EXACT, "<@me> " + GUESS, True),
        (Mode.EXACT_AND_NEAREST, GUESS, True),
        (Mode.EXACT_AND_NEAREST, UNKNOWN, False),
        (Mode.EXACT_AND_NEAREST, "<@me> " + UNKNOWN, True),
    ],
)
async def test_a_mode_decides(scene: Scene, mode: Mode, text: str, speaks: bool) -> None:
    """C7, C8: a channel that is off is silent even when called; unasked, a sentence of regret is never said."""
    await scene.set_mode(mode, scene.channel)

    question = scene.fake.say(scene.ann, scene.channel, text.replace("<@me>", f"<@{scene.fake.bot['id']}>"))

    if speaks:
        assert await scene.fake.answer_to(question)
    else:
        await scene.fake.quiet(scene.channel)


async def test_no_match_on_request_says_what_was_looked_at(scene: Scene) -> None:
    """C8: who asked reads in one sentence what was looked at and how to add details."""
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(UNKNOWN)))

    assert "I looked at your message (2 lines)" in visible_text(answer)


async def test_nothing_happens_unasked_in_a_new_server(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """A server nobody has configured is answered only where the bot is mentioned."""
    scene = stage()
    with aimed(discord):
        async with scene.connected():
            scene.fake.say(scene.ann, scene.channel, PANIC)
            await scene.fake.quiet(scene.channel)

            assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC)))


async def test_a_thread_inherits_from_its_parent(scene: Scene) -> None:
    """C7: the mode of a channel holds in its threads."""
    await scene.set_mode(Mode.OFF, scene.channel)
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")

    scene.fake.say(scene.ann, thread, PANIC)
    await scene.fake.quiet(thread)
    await scene.set_mode(Mode.EXACT, scene.channel)

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, PANIC))


async def test_a_proxied_message_is_answered_once_at_most(scene: Scene) -> None:
    """A5: a proxy takes somebody's message away and posts it anew through a webhook; no second answer comes unasked."""
    original = scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.answer_to(original)

    scene.fake.delete(original)
    scene.fake.post_by_webhook(scene.channel, PANIC, name="Ann")

    await scene.fake.until(lambda: not scene.fake.bot_messages(scene.channel))
    await scene.fake.quiet(scene.channel)


async def test_direct_messages_are_questions(scene: Scene) -> None:
    """In a DM no mention is needed."""
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.fake.add_dm(scene.ann), PANIC))

    assert "Server disconnected" in visible_text(answer)


async def test_a_mention_reads_the_message_it_replies_to(scene: Scene) -> None:
    """B6: who replies to a paste and mentions the bot asks about the paste."""
    await scene.set_mode(Mode.MENTION, scene.channel)
    pasted = scene.fake.say(scene.ben, scene.channel, PANIC)

    question = scene.fake.say(scene.ann, scene.channel, scene.mention("what is this?"), reply_to=pasted)

    assert "Server disconnected" in visible_text(await scene.fake.answer_to(question))


async def test_a_reply_to_a_card_is_no_call(scene: Scene) -> None:
    """A reply pings whom it replies to; that alone asks for nothing."""
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))

    scene.fake.say(scene.ann, scene.channel, "thanks a lot", reply_to=answer)

    await scene.fake.quiet(scene.channel, after=answer)


async def test_a_forward_is_read_when_asked_for(scene: Scene) -> None:
    """B6: in a DM, where everything is a question, a forwarded message is read."""
    await scene.set_mode(Mode.OFF, scene.channel)
    original = scene.fake.say(scene.ben, scene.channel, OTHER_PANIC)

    question = scene.fake.forward(scene.ann, scene.fake.add_dm(scene.ann), original)

    assert "Gradient sync server" in visible_text(await scene.fake.answer_to(question))


async def test_a_forum_post_is_answered_in_its_thread(scene: Scene) -> None:
    """The first message of a post has the thread's id; it is answered like any other."""
    forum = scene.fake.add_channel(scene.guild, "help", FORUM, available_tags=[])

    _, question = scene.fake.forum_post(scene.ann, forum, "it panics", PANIC)

    assert await scene.fake.answer_to(question)


async def test_an_unanswered_error_is_kept_for_people(scene: Scene) -> None:
    """F5: what nobody knows waits with its jump link, without its text."""
    question = scene.fake.say(scene.ann, scene.channel, UNKNOWN, files=[text_file("x.log", "more")])

    async def kept() -> bool:
        return bool(await scene.parts.questions.groups(int(scene.guild["id"])))

    for _ in range(100):
        if await kept():
            break
        await scene.fake.quiet(scene.channel, 0.02)
    (group,) = await scene.parts.questions.groups(int(scene.guild["id"]))

    assert group.jump_urls == (
        f"https://discord.com/channels/{scene.guild['id']}/{scene.channel['id']}/{question['id']}",
    )
    assert group.redacted_texts == ()
