"""Where a server wants it, a message that shows a credential is deleted and goes back to its author without it."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from bot.cogs.leaks import LeakWarnings, Place
from bot.cogs.replies import Shown
from bot.modes import Mode
from bot.store.guild_edits import deletes_secrets
from tests.cogs.conftest import Scene, posted
from tests.cogs.fake_answering import PANIC
from tests.cogs.test_administration import told
from tests.cogs.test_leaks import KEY, LEAKY, Closed, stays_silent
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import Payload, text_file, visible_text
from tests.discord_standin.permissions import Permission

SECRET = "a1B2c3D4"


@pytest_asyncio.fixture
async def strict(scene: Scene) -> Scene:
    """The server wants messages with secrets deleted, and the bot may do it."""
    await scene.set(deletes_secrets(deletes=True))
    may_delete(scene)
    return scene


@pytest_asyncio.fixture
async def patient(stage: Callable[..., Scene], discord: FakeDiscord) -> AsyncIterator[Scene]:
    """The same, and the bot waits a moment for more messages of one author."""
    scene = stage(burst_wait_seconds=0.3)
    await scene.set_mode(Mode.EXACT)
    await scene.set(deletes_secrets(deletes=True))
    may_delete(scene)
    with aimed(discord):
        async with scene.connected():
            yield scene


def may_delete(scene: Scene) -> None:
    role = scene.fake.add_role(scene.guild, "tidy", Permission.MANAGE_MESSAGES)
    scene.fake.give_role(scene.guild, scene.fake.bot, role)


def is_gone(scene: Scene, message: Payload) -> bool:
    return message["id"] not in scene.fake.world.messages


def deletions(scene: Scene) -> int:
    return sum(call.method == "DELETE" for call in scene.fake.calls)


async def returned(scene: Scene, person: Payload) -> Payload:
    """The one direct message a person got."""
    message = await scene.fake.bot_message(scene.fake.add_dm(person))
    assert len(scene.fake.bot_messages(scene.fake.add_dm(person))) == 1
    return message


def files_of(scene: Scene, message: Payload) -> dict[str, str]:
    """The files of a message by name, as whoever got it downloads them."""
    return {one["filename"]: scene.fake.cdn.read(one).decode() for one in message["attachments"]}


async def test_a_message_with_a_key_is_deleted_and_given_back_without_it(strict: Scene) -> None:
    """F3: gone from the channel, unanswered there; its author gets what was found, how to revoke it and the text."""
    question = strict.fake.say(strict.ann, strict.channel, LEAKY)

    message = await returned(strict, strict.ann)

    assert is_gone(strict, question)
    text = visible_text(message)
    assert "https://github.com/settings/tokens" in text
    assert "using [github token]" in text
    assert "panicked at" in text
    assert SECRET not in text
    await strict.fake.quiet(strict.channel, after=question)
    assert await strict.parts.answers.of_question(int(question["id"])) is None
    assert await strict.parts.questions.groups(int(strict.guild["id"])) == ()


async def test_the_text_posted_again_is_answered(strict: Scene) -> None:
    """F3: what comes back can be posted, shows nothing any more, and gets its card."""
    strict.fake.say(strict.ann, strict.channel, LEAKY)
    await returned(strict, strict.ann)

    again = strict.fake.say(strict.ann, strict.channel, f"{PANIC}\nusing [github token]")

    assert await strict.fake.answer_to(again)
    assert not is_gone(strict, again)
    await returned(strict, strict.ann)


async def test_long_texts_and_files_come_back_as_files(strict: Scene) -> None:
    """F3: whole, redacted and under their names; nothing of them in the channel."""
    long = f"{LEAKY}\n" + "and so on\n" * 180
    log = text_file("my run.log", f"{PANIC}\npassword=hunter2hunter2\n" + "x\n" * 3000)
    strict.fake.say(strict.ann, strict.channel, long, files=[log])

    message = await returned(strict, strict.ann)

    files = files_of(strict, message)
    assert set(files) == {"message.txt", "my_run.log"}
    assert files["message.txt"].startswith(PANIC)
    assert "using [github token]" in files["message.txt"]
    assert files["message.txt"].count("and so on") == 180
    assert files["my_run.log"].count("x\n") == 3000
    assert not any(hidden in text for text in files.values() for hidden in (SECRET, "hunter2"))
    assert strict.fake.bot_messages(strict.channel) == []


async def test_without_the_permission_it_is_a_warning_alone_and_the_admin_sees_it(scene: Scene) -> None:
    """E10, F3: nothing is tried, the question is answered, its author is warned, and `/errata status` says why."""
    await scene.set(deletes_secrets(deletes=True))
    question = scene.fake.say(scene.ann, scene.channel, LEAKY)

    text = visible_text(await returned(scene, scene.ann))

    assert "GitHub token" in text
    assert "deleted" not in text
    assert await scene.fake.answer_to(question)
    assert not is_gone(scene, question)
    assert deletions(scene) == 0
    status = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))
    assert "I lack: Manage Messages" in status


async def test_a_refusal_nobody_could_foresee_is_a_warning_alone(strict: Scene) -> None:
    """E10: Discord refuses once, and is not asked again for that message."""
    strict.fake.faults.inject(
        "DELETE", "/channels/*/messages/*", status=403, body={"code": 50013, "message": "Missing Permissions"}
    )
    question = strict.fake.say(strict.ann, strict.channel, LEAKY)

    assert "deleted your message" not in visible_text(await returned(strict, strict.ann))
    assert await strict.fake.answer_to(question)
    assert deletions(strict) == 1


async def test_who_has_not_wanted_it_keeps_their_messages(scene: Scene) -> None:
    """F3: off until the server chooses it, whatever the bot may do."""
    may_delete(scene)
    question = scene.fake.say(scene.ann, scene.channel, LEAKY)

    assert "deleted" not in visible_text(await returned(scene, scene.ann))
    assert not is_gone(scene, question)


async def test_who_takes_no_direct_messages_is_named_and_not_quoted(strict: Scene) -> None:
    """C5, F3: the channel reads that a message was deleted, its kind of secret and its author's name; no text, no ping."""
    strict.fake.close_dms(strict.ann)
    question = strict.fake.say(strict.ann, strict.channel, LEAKY)

    notice = await strict.fake.bot_message(strict.channel)

    assert is_gone(strict, question)
    text = visible_text(notice)
    assert f"<@{strict.ann['id']}>" in text
    assert "GitHub token" in text
    assert SECRET not in text
    assert "panicked" not in text
    assert pings(notice) == []
    last = strict.fake.say(strict.ann, strict.channel, f"and {KEY}?")
    await strict.fake.until(lambda: is_gone(strict, last))
    await strict.fake.quiet(strict.channel, after=notice)


async def test_an_edit_that_brings_a_key_takes_message_and_answer_along(strict: Scene) -> None:
    """D8, F3: the card goes with its question."""
    question = strict.fake.say(strict.ann, strict.channel, PANIC)
    await posted(strict, question)

    strict.fake.edit(question, LEAKY)

    assert "using [github token]" in visible_text(await returned(strict, strict.ann))
    assert is_gone(strict, question)
    await strict.fake.until(lambda: not strict.fake.bot_messages(strict.channel))


async def test_who_asks_about_a_leaking_message_is_answered(strict: Scene) -> None:
    """F3: the message goes, its author gets it back; the question of somebody else stands and has its answer."""
    await strict.set_mode(Mode.MENTION)
    leaked = strict.fake.say(strict.ann, strict.channel, LEAKY)
    question = strict.fake.say(strict.ben, strict.channel, strict.mention("what is this?"), reply_to=leaked)

    answer = await strict.fake.answer_to(question)

    assert is_gone(strict, leaked)
    assert "Server disconnected" in visible_text(answer)
    assert SECRET not in visible_text(answer)
    assert "using [github token]" in visible_text(await returned(strict, strict.ann))
    await stays_silent(strict, strict.ben)


async def test_of_a_burst_only_the_leaking_message_goes(patient: Scene) -> None:
    """C4, F3: what was written beside it stands and is answered."""
    question = patient.fake.say(patient.ann, patient.channel, PANIC)
    leaked = patient.fake.say(patient.ann, patient.channel, f"with {KEY}")

    assert await patient.fake.answer_to(question)
    assert is_gone(patient, leaked)
    assert not is_gone(patient, question)
    assert "with [github token]" in visible_text(await returned(patient, patient.ann))


async def test_posts_of_bots_and_webhooks_are_left_alone(strict: Scene) -> None:
    """A5, F3: what a CI posts is nobody's message, also when somebody asks about it."""
    post = strict.fake.post_by_webhook(strict.channel, LEAKY)
    question = strict.fake.say(strict.ben, strict.channel, strict.mention(), reply_to=post)

    assert await strict.fake.answer_to(question)
    assert not is_gone(strict, post)
    assert deletions(strict) == 0


async def test_a_proxys_repost_goes_once_its_original_is_gone(patient: Scene) -> None:
    """A5, F3: it shows the person's key in the channel; the person, not the webhook, gets the text back."""
    original = patient.fake.say(patient.ann, patient.channel, f"A: {patient.mention(LEAKY)}")
    repost = patient.fake.post_by_webhook(patient.channel, patient.mention(LEAKY), name="Alter")
    patient.fake.delete(original)

    await patient.fake.until(lambda: is_gone(patient, repost))
    assert "using [github token]" in visible_text(await returned(patient, patient.ann))
    assert patient.fake.bot_messages(patient.channel) == []


async def test_a_repost_goes_with_the_original_that_was_deleted_for_it(patient: Scene) -> None:
    """A5, F3: a proxy that leaves the original standing would leave the key in the channel."""
    original = patient.fake.say(patient.ann, patient.channel, f"A: {patient.mention(LEAKY)}")
    repost = patient.fake.post_by_webhook(patient.channel, patient.mention(LEAKY), name="Alter")

    await patient.fake.until(lambda: is_gone(patient, original) and is_gone(patient, repost))
    assert patient.fake.bot_messages(patient.channel) == []


async def test_a_harmless_repost_of_a_standing_message_stays(strict: Scene) -> None:
    """A5, F3: without a secret nothing is deleted, and the one answer is the original's."""
    original = strict.fake.say(strict.ann, strict.channel, strict.mention(PANIC))
    repost = strict.fake.post_by_webhook(strict.channel, strict.mention(PANIC), name="Alter")

    assert await strict.fake.answer_to(original)
    assert not is_gone(strict, repost)
    assert deletions(strict) == 0


async def test_a_message_that_comes_twice_is_deleted_and_returned_once(strict: Scene) -> None:
    """E15, F3: a redelivery finds it done."""
    question = strict.fake.say(strict.ann, strict.channel, LEAKY)
    strict.fake.emit_message("MESSAGE_CREATE", question)

    await returned(strict, strict.ann)
    await strict.fake.quiet(strict.fake.add_dm(strict.ann))

    assert deletions(strict) == 1


async def test_two_who_meet_one_message_at_once_delete_it_once(strict: Scene) -> None:
    """E15: both learn that it is gone."""
    question = strict.fake.say(strict.ann, strict.channel, "nothing to see")
    place = Place(int(strict.channel["id"]), int(strict.channel["id"]), int(strict.guild["id"]))
    shown = [Shown(KEY, int(question["id"]), int(strict.ann["id"]))]

    both = await asyncio.gather(*(strict.client.leaks.take_down(place, shown) for _ in range(2)))

    assert both == [{int(question["id"])}] * 2
    assert deletions(strict) == 1
    await returned(strict, strict.ann)


@pytest.mark.parametrize("how", ["off", "silenced", "mention"])
async def test_where_nothing_is_read_nothing_is_deleted(strict: Scene, how: str) -> None:
    """C7, C10, F3: off is off, the switch is the switch, and what nobody asked about is not looked at."""
    if how == "silenced":
        strict.settings.silence_file.touch()
    else:
        await strict.set_mode(Mode(how), strict.channel)
    question = strict.fake.say(strict.ann, strict.channel, LEAKY)

    await stays_silent(strict, strict.ann)
    assert not is_gone(strict, question)


async def test_the_menu_deletes_as_well(strict: Scene) -> None:
    """F3: whoever asks what a message means, its author gets it back; who asked reads the card."""
    await strict.set_mode(Mode.MENTION)
    leaked = strict.fake.say(strict.ann, strict.channel, LEAKY)

    card = await told(strict, await strict.fake.message_menu(strict.ben, strict.channel, "Explain this error", leaked))

    assert "Server disconnected" in card
    assert "using [github token]" in visible_text(await returned(strict, strict.ann))
    assert is_gone(strict, leaked)


async def test_direct_messages_are_not_deleted(strict: Scene) -> None:
    """F3: nobody else reads them, and Discord would not let the bot."""
    dm = strict.fake.add_dm(strict.ann)
    question = strict.fake.say(strict.ann, dm, LEAKY)

    await strict.fake.until(lambda: len(strict.fake.bot_messages(dm)) == 2)
    assert not is_gone(strict, question)


async def test_a_discord_that_takes_nothing_is_survived(scene: Scene) -> None:
    """E10: no deletion, no word, no exception."""
    await scene.set(deletes_secrets(deletes=True))
    leaks = LeakWarnings(Closed(), scene.parts.guilds, scene.settings, lambda _: False, scene.clock)
    place = Place(int(scene.channel["id"]), int(scene.channel["id"]), int(scene.guild["id"]))

    assert await leaks.take_down(place, [Shown(KEY, 7, 8)]) == frozenset()


async def test_personal_data_alone_delete_nothing(strict: Scene) -> None:
    """F3: nobody can log in with an address, so it stays what it is: redacted where it is quoted."""
    question = strict.fake.say(strict.ann, strict.channel, f"{PANIC}\nbob@mail.example 203.0.113.77 /home/bobsmith/x")

    assert await strict.fake.answer_to(question)
    assert not is_gone(strict, question)


async def test_nothing_sent_holds_the_key(strict: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """F1, F3: in no request to Discord, no file and no log line, whichever way the message was written."""
    caplog.set_level("DEBUG", logger="bot")
    strict.fake.say(strict.ann, strict.channel, LEAKY, files=[text_file(f"{KEY}.log", LEAKY)])

    message = await returned(strict, strict.ann)

    assert not [call for call in strict.fake.calls if SECRET in f"{call.path} {call.query} {call.body}"]
    assert not any(SECRET in f"{name}{text}" for name, text in files_of(strict, message).items())
    assert SECRET not in caplog.text
