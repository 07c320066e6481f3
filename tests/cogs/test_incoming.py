"""A Discord message as a paste."""

import discord
import pytest

from bot.cogs.incoming import calls, digest_of, replied_to, without_mentions_of
from bot.modes import Mode
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC
from tests.discord_standin.payloads import Payload, Upload, text_file, visible_text

CI_REPORT = {
    "title": "Build 12 failed",
    "description": "step: cargo run",
    "fields": [{"name": "output", "value": PANIC, "inline": False}],
}


async def received(scene: Scene, message: Payload) -> discord.Message:
    """The message as discord.py gives it to the bot."""
    channel = scene.client.get_partial_messageable(int(message["channel_id"]), guild_id=int(scene.guild["id"]))
    return await channel.fetch_message(int(message["id"]))


async def read(scene: Scene, message: Payload, *, asked: bool) -> Paste:
    found = await received(scene, message)
    paste, _ = await scene.client.reader.traced(found, asked=asked, me=int(scene.fake.bot["id"]))
    return paste


@pytest.fixture
async def quiet(scene: Scene) -> Scene:
    """The scene where the bot answers nothing by itself, so that a test reads what it wants to."""
    await scene.set_mode(Mode.OFF)
    return scene


async def test_a_ci_post_is_analysed_on_request(quiet: Scene) -> None:
    """B7: the embeds of a webhook's message are read when somebody uses the message menu on it."""
    report = quiet.fake.post_by_webhook(quiet.channel, name="CI", embeds=[CI_REPORT])

    asked = await quiet.fake.message_menu(quiet.ann, quiet.channel, "Explain this error", report)
    (reply,) = await quiet.fake.until(lambda: [one for one in asked.replies if visible_text(one)])

    assert "Server disconnected" in visible_text(reply)
    assert quiet.knows.texts == [f"Build 12 failed\nstep: cargo run\noutput\n{PANIC}"]


async def test_a_ci_post_is_never_analysed_by_itself(scene: Scene) -> None:
    """B7, A5: neither the embeds nor the text of a webhook's message start anything, with a mention in it or without."""
    scene.fake.post_by_webhook(scene.channel, name="CI", embeds=[CI_REPORT])
    scene.fake.post_by_webhook(scene.channel, scene.mention(PANIC), name="CI", embeds=[CI_REPORT])
    scene.fake.say(scene.ann, scene.channel, "look", embeds=[CI_REPORT])

    await scene.fake.quiet(scene.channel)
    assert scene.knows.texts == ["look"]


async def test_a_ci_post_is_read_by_who_replies_to_it(scene: Scene) -> None:
    """B6, B7: a mention in reply to a CI's post asks about the post."""
    report = scene.fake.post_by_webhook(scene.channel, name="CI", embeds=[CI_REPORT])

    question = scene.fake.say(scene.ann, scene.channel, scene.mention("what is this?"), reply_to=report)

    assert "Server disconnected" in visible_text(await scene.fake.answer_to(question))


async def test_everything_comes_in_the_order_a_reader_meets_it(quiet: Scene) -> None:
    """B6: one's own text and files, then what is forwarded or replied to; a mention of the bot is no text."""
    original = quiet.fake.say(quiet.ben, quiet.channel, "first words", files=[text_file("old.log", "old")])
    question = quiet.fake.say(
        quiet.ann, quiet.channel, quiet.mention("why?"), files=[text_file("new.log", "new")], reply_to=original
    )

    asked = await read(quiet, question, asked=True)
    seen = await read(quiet, question, asked=False)

    assert asked == Paste(
        (Part("why?"), Part("new", "new.log"), Part("first words"), Part("old", "old.log")), asked=True
    )
    assert seen == Paste((Part("why?"), Part("new", "new.log")), asked=False)


async def test_a_reply_to_the_bots_own_card_does_not_read_the_card(scene: Scene) -> None:
    """Its own words are nobody's error."""
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
    question = scene.fake.say(scene.ann, scene.channel, "and now?", reply_to=answer)

    assert (await read(scene, question, asked=True)).parts == (Part("and now?"),)


async def test_a_forward_is_read_on_request_alone(quiet: Scene) -> None:
    """B6: the snapshot's text and files are read when somebody asks."""
    original = quiet.fake.say(quiet.ben, quiet.channel, "forwarded", files=[text_file("a.log", "log")])
    forward = quiet.fake.forward(quiet.ann, quiet.channel, original)

    assert (await read(quiet, forward, asked=True)).parts == (Part("forwarded"), Part("log", "a.log"))
    assert (await read(quiet, forward, asked=False)).is_empty


async def test_what_is_not_read_is_named_when_somebody_asks(quiet: Scene) -> None:
    """A6, E13: unasked an unreadable file is passed over; asked it is named with its reason."""
    files = [Upload("a.png", b"\x89PNG", "image/png"), text_file("a.py", "print()")]
    message = quiet.fake.say(quiet.ann, quiet.channel, "see", files=files)

    assert await read(quiet, message, asked=False) == Paste((Part("see"),), asked=False)
    assert await read(quiet, message, asked=True) == Paste(
        (Part("see"), Part("print()", "a.py")), asked=True, skipped=(SkippedPart("a.png", Skipped.PICTURE),)
    )


@pytest.mark.parametrize("asked", [True, False])
async def test_more_files_than_allowed_are_named(quiet: Scene, asked: bool) -> None:
    """E1: of many files the first are read, whatever their kind the rest is said to be too much."""
    files = [text_file(f"{number}.log", str(number)) for number in range(7)]
    message = quiet.fake.say(quiet.ann, quiet.channel, files=files)

    paste = await read(quiet, message, asked=asked)

    assert [part.text for part in paste.parts] == ["0", "1", "2", "3", "4"]
    assert paste.skipped == (SkippedPart("5.log", Skipped.TOO_BIG), SkippedPart("6.log", Skipped.TOO_BIG))
    assert len(quiet.fake.cdn.requests) == 5


async def test_one_bad_file_does_not_lose_the_others(quiet: Scene) -> None:
    """E1: a file that was deleted meanwhile is named, the rest of the message is read."""
    files = [Upload("gone.log", b"x", gone=True), text_file("b.log", "b")]
    message = quiet.fake.say(quiet.ann, quiet.channel, "text", files=files)

    paste = await read(quiet, message, asked=False)

    assert paste.parts == (Part("text"), Part("b", "b.log"))
    assert paste.skipped == (SkippedPart("gone.log", Skipped.UNREACHABLE),)


async def test_the_clients_own_file_is_the_message(quiet: Scene) -> None:
    """B3: message.txt has no name of its own in the paste."""
    message = quiet.fake.say(quiet.ann, quiet.channel, "long " * 1000)

    (part,) = (await read(quiet, message, asked=False)).parts

    assert part.name is None
    assert part.text.startswith("long long")


async def test_a_digest_follows_text_and_files(quiet: Scene) -> None:
    """D8: an edit of the text or the files changes it; a preview, a pin or the bot's reading it do not."""
    message = quiet.fake.say(quiet.ann, quiet.channel, "a", files=[text_file("a.log", "x")])
    first = digest_of(await received(quiet, message))

    quiet.fake.unfurl(message, [{"type": "rich", "title": "preview"}])
    quiet.fake.pin(message)
    assert digest_of(await received(quiet, message)) == first
    quiet.fake.edit(message, "b")
    edited = digest_of(await received(quiet, message))
    message["attachments"].clear()

    assert len({first, edited, digest_of(await received(quiet, message))}) == 3


async def test_who_is_called(quiet: Scene) -> None:
    """A mention of the bot, or of the role it came with, is a call; of others, and of nobody, is none."""
    bot_role = next(role for role in quiet.guild["roles"] if role.get("tags", {}).get("bot_id"))
    said = {
        text: quiet.fake.say(quiet.ann, quiet.channel, text)
        for text in (quiet.mention("hi"), f"<@&{bot_role['id']}> hi", f"<@{quiet.ben['id']}> hi", "hi")
    }
    guild = quiet.client.get_guild(int(quiet.guild["id"]))
    assert quiet.client.user is not None

    called = [calls(await received(quiet, message), quiet.client.user, guild) for message in said.values()]

    assert called == [True, True, False, False]


async def test_only_a_reply_replies(quiet: Scene) -> None:
    """A forward refers to a message as well, and is no reply."""
    original = quiet.fake.say(quiet.ben, quiet.channel, "x")
    reply = await received(quiet, quiet.fake.say(quiet.ann, quiet.channel, "y", reply_to=original))
    forward = await received(quiet, quiet.fake.forward(quiet.ann, quiet.channel, original))

    assert (target := replied_to(reply)) is not None
    assert target.id == int(original["id"])
    assert replied_to(forward) is None


def test_other_peoples_mentions_stay() -> None:
    """They may be part of what was printed."""
    assert without_mentions_of("<@1> <@!1> <@12> <@&1>", 1) == "  <@12> <@&1>"
