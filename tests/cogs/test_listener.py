"""What the bot hears, and what it leaves alone."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.modes import Mode
from bot.store.guilds import helper_roles, muted
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import GUESS, OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import FORUM, Upload, text_file, visible_text
from tests.discord_standin.permissions import Permission


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


async def test_helpers_are_left_alone(scene: Scene) -> None:
    """H1: once a helper has written in a thread the bot is silent there, and never answers a helper unasked."""
    role = scene.fake.add_role(scene.guild, "helper")
    helper = scene.fake.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    scene.fake.say(helper, thread, "let me see")

    pasted = scene.fake.say(scene.ann, thread, PANIC)
    helpers_own = scene.fake.say(helper, scene.channel, OTHER_PANIC)

    await scene.fake.quiet(thread, after=pasted)
    await scene.fake.quiet(scene.channel, after=helpers_own)
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, scene.mention(PANIC)))


async def test_a_helper_who_comes_later_silences_the_thread(scene: Scene) -> None:
    """H1: a thread the bot has answered in is left to people as soon as a helper writes there."""
    role = scene.fake.add_role(scene.guild, "helper")
    helper = scene.fake.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, PANIC))

    scene.fake.say(helper, thread, "let me see")
    last = scene.fake.say(scene.ben, thread, OTHER_PANIC)

    await scene.fake.quiet(thread, after=last)


async def test_a_helper_who_wrote_before_the_restart_counts(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """H1: whether a helper is at work is asked of Discord where this process has not seen it."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    role = discord.add_role(scene.guild, "helper")
    helper = discord.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = discord.thread(scene.ann, scene.channel, "my build")
    discord.say(helper, thread, "let me see")

    with aimed(discord):
        async with scene.connected():
            discord.say(scene.ann, thread, PANIC)

            await discord.quiet(thread)


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


async def test_a_long_message_made_a_file_is_the_message(scene: Scene) -> None:
    """B3: Discord's client uploads a long message as message.txt; its text is read as the message."""
    question = scene.fake.say(scene.ann, scene.channel, "starting\n" * 600 + PANIC)

    assert question["attachments"]
    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize(
    "file",
    [
        text_file("service.py", PANIC),
        text_file("style.css", PANIC),
        text_file("data.csv", PANIC),
        text_file("README.md", PANIC),
        text_file("README.txt", PANIC),
        Upload("screenshot.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        Upload("build.log", b"\x89PNG\r\n\x1a\n" + bytes(100), "text/plain"),
        Upload("empty.log", b""),
    ],
)
async def test_files_that_are_no_logs_get_silence(scene: Scene, file: Upload) -> None:
    """A6: source, tables, documents, pictures and empty files are never answered unasked."""
    scene.fake.say(scene.ann, scene.channel, "look at this", files=[file])

    await scene.fake.quiet(scene.channel)


@pytest.mark.parametrize("name", ["build.log", "output.txt"])
async def test_logs_are_read_unasked(scene: Scene, name: str) -> None:
    """A log file with a documented error is answered like a message."""
    question = scene.fake.say(scene.ann, scene.channel, "help", files=[text_file(name, PANIC)])

    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (Upload("tool.exe", b"MZ" + bytes(50), "application/x-msdownload"), "a kind of file I cannot read"),
        (Upload("big.log", b"x", declared_size=100_000_000), "too big"),
        (Upload("liar.log", b"x" * 3000, declared_size=10), "too big"),
        (Upload("gone.log", b"x", gone=True), "could not fetch"),
        (Upload("empty.log", b"  \n"), "no text in"),
        (Upload("zeros.log", bytes(400)), "a kind of file I cannot read"),
        (Upload("typed.log", b"x", served_type="image/png"), "a kind of file I cannot read"),
    ],
)
async def test_each_failure_of_a_file_has_its_own_reason(
    stage: Callable[..., Scene], discord: FakeDiscord, file: Upload, reason: str
) -> None:
    """E1, E13: what is wrong with a file is told as it is, and the rest of the message is still read."""
    scene = stage(max_attachment_bytes=2000)
    with aimed(discord):
        async with scene.connected():
            question = discord.say(scene.ann, scene.channel, scene.mention(UNKNOWN), files=[file])

            text = visible_text(await discord.answer_to(question))

    assert reason in text
    assert "I looked at your message" in text
    if file.declared_size == 100_000_000:
        assert not discord.cdn.requests


async def test_a_file_that_never_comes_is_given_up(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """E5: a download that stalls ends with its timeout, and the answer says so."""
    monkeypatch.setattr(scene.client.reader._downloads, "_timeout_seconds", 0.2)
    slow = Upload("slow.log", b"x" * 800, seconds_per_chunk=5)

    question = scene.fake.say(scene.ann, scene.channel, scene.mention(), files=[slow])

    assert "could not fetch" in visible_text(await scene.fake.answer_to(question))


async def test_files_are_fetched_from_the_cdn_alone(scene: Scene) -> None:
    """E5: an attachment that claims to lie elsewhere is not fetched."""
    message = scene.fake.mailbox.make(
        scene.channel, scene.ann, {"content": scene.mention()}, [text_file("a.log", PANIC)]
    )
    message["attachments"][0]["url"] = "http://169.254.169.254/attachments/1/2/a.log"

    scene.fake.emit_message("MESSAGE_CREATE", message)

    assert "could not fetch" in visible_text(await scene.fake.answer_to(message))


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


@pytest.mark.parametrize("missing", [Permission.SEND_MESSAGES, Permission.READ_MESSAGE_HISTORY])
async def test_missing_permissions_are_silent_and_not_tried(scene: Scene, missing: Permission) -> None:
    """E10: where the bot may not answer it does not try to."""
    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], deny=missing)

    scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC))

    await scene.fake.quiet(scene.channel)
    assert scene.fake.refused_requests == []
