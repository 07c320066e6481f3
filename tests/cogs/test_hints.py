"""A paste too poor to answer is told what is missing: on request, and once in a thread."""

from collections.abc import Callable

import pytest

from bot.modes import Mode
from bot.store.guild_edits import language
from tests.cogs.conftest import Scene, posted
from tests.cogs.fake_answering import PANIC, UNKNOWN
from tests.cogs.test_administration import told
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import Payload, Upload, visible_text
from tests.pastes.packing import README, zipped

CUT = "thread 'main' panicked at src/main.rs:4:5:"
MISSING = "The message of the panic is missing"


def thread_of(scene: Scene, person: Payload) -> Payload:
    return scene.fake.thread(person, scene.channel, "my build")


async def test_on_request_it_is_said_what_is_missing(scene: Scene) -> None:
    """C8: what was looked at, and the one sentence for that toolchain instead of general advice."""
    question = scene.fake.say(scene.ann, scene.channel, scene.mention(f"what is this?\n{CUT}"))

    text = visible_text(await scene.fake.answer_to(question))

    assert "I looked at your message (2 lines) and know no documented error in it." in text
    assert MISSING in text
    assert "post the whole output" not in text


async def test_a_command_says_it_as_well(scene: Scene) -> None:
    """C8: for who asked alone."""
    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", text="make: *** [all] Error 2")

    assert "That is only how make ends" in await told(scene, asked)


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.EXACT_AND_NEAREST])
async def test_in_a_channel_nobody_asked_about_it_is_silent(scene: Scene, mode: Mode) -> None:
    """C8: automatic mode without a match says nothing, however poor the paste."""
    await scene.set_mode(mode)
    question = scene.fake.say(scene.ann, scene.channel, CUT)

    await scene.fake.quiet(scene.channel, after=question)


async def test_in_a_thread_it_is_one_sentence(scene: Scene) -> None:
    """C8, C5: unasked nothing but what is missing; nobody is pinged."""
    question = scene.fake.say(scene.ann, thread_of(scene, scene.ann), CUT)

    answer = await scene.fake.answer_to(question)

    assert visible_text(answer).startswith(MISSING)
    assert "I looked at" not in visible_text(answer)
    assert pings(answer) == []


async def test_a_forum_post_counts_as_a_thread(scene: Scene) -> None:
    """C8: that is where people ask."""
    forum = scene.fake.add_forum(scene.guild)
    _, question = scene.fake.forum_post(scene.ann, forum, "help", CUT)

    assert MISSING in visible_text(await scene.fake.answer_to(question))


async def test_in_a_thread_it_is_said_once(scene: Scene) -> None:
    """C8: not again for a second poor paste, by whomever, nor after a card."""
    thread = thread_of(scene, scene.ann)
    await posted(scene, scene.fake.say(scene.ann, thread, CUT))
    second = scene.fake.say(scene.ann, thread, CUT)
    third = scene.fake.say(scene.ben, thread, CUT)
    await scene.fake.quiet(thread, after=third)
    assert scene.fake.answers_to(second) == []

    other = thread_of(scene, scene.ben)
    await posted(scene, scene.fake.say(scene.ann, other, PANIC))
    last = scene.fake.say(scene.ann, other, CUT)
    await scene.fake.quiet(other, after=last)


async def test_once_also_holds_after_a_restart(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """C8, E15: what was said is remembered by the store."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            thread = thread_of(scene, scene.ann)
            await posted(scene, scene.fake.say(scene.ann, thread, CUT))
        async with scene.connected():
            last = scene.fake.say(scene.ann, thread, CUT)
            await scene.fake.quiet(thread, after=last)


async def test_asking_in_the_thread_still_gets_an_answer(scene: Scene) -> None:
    """C8: once is for who did not ask."""
    thread = thread_of(scene, scene.ann)
    await posted(scene, scene.fake.say(scene.ann, thread, CUT))

    assert MISSING in visible_text(await scene.fake.answer_to(scene.fake.say(scene.ann, thread, scene.mention(CUT))))


async def test_the_hint_follows_its_message(scene: Scene) -> None:
    """D8: it stays while something is missing, becomes a card when the rest is added, and goes with the message."""
    question = scene.fake.say(scene.ann, thread_of(scene, scene.ann), CUT)
    answer = await scene.fake.answer_to(question)
    await posted(scene, question)

    scene.fake.edit(question, f"my build breaks\n{CUT}")
    await scene.fake.until(lambda: len(scene.knows.texts) == 2)
    assert MISSING in visible_text(answer)
    scene.fake.edit(question, PANIC)
    await scene.fake.until(lambda: "Server disconnected" in visible_text(answer))
    scene.fake.delete(question)

    thread = scene.fake.world.channels[question["channel_id"]]
    await scene.fake.until(lambda: not scene.fake.bot_messages(thread))


async def test_a_whole_error_that_is_merely_unknown_gets_no_hint(scene: Scene) -> None:
    """C8: nothing is missing from it, so nothing is said."""
    thread = thread_of(scene, scene.ann)
    question = scene.fake.say(scene.ann, thread, UNKNOWN)

    await scene.fake.quiet(thread, after=question)


async def test_talk_in_a_thread_gets_no_hint(scene: Scene) -> None:
    """A1: what does not read like an error is not asked to be completed."""
    thread = thread_of(scene, scene.ann)
    question = scene.fake.say(scene.ann, thread, "make: *** [all] Error 2")  # no error to this fake

    await scene.fake.quiet(thread, after=question)


@pytest.mark.parametrize("mode", [Mode.OFF, Mode.MENTION])
async def test_modes_hold_in_threads(scene: Scene, mode: Mode) -> None:
    """C7: off is off, and mention waits to be asked."""
    await scene.set_mode(mode)
    thread = thread_of(scene, scene.ann)
    question = scene.fake.say(scene.ann, thread, CUT)

    await scene.fake.quiet(thread, after=question)


async def test_who_opted_out_gets_no_hint(scene: Scene) -> None:
    """C10: it is an automatic reply like any other."""
    await scene.parts.people.opt_out(int(scene.ann["id"]), scene.clock())
    thread = thread_of(scene, scene.ann)
    question = scene.fake.say(scene.ann, thread, CUT)

    await scene.fake.quiet(thread, after=question)


async def test_a_burst_is_judged_as_a_whole(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """C4: what one message lacks the next one brings."""
    scene = stage(burst_wait_seconds=0.3)
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            thread = thread_of(scene, scene.ann)
            scene.fake.say(scene.ann, thread, "the flux compensator is out of flux")
            last = scene.fake.say(scene.ann, thread, f"{CUT}\nthe flux compensator is out of flux")
            await scene.fake.quiet(thread, 0.8, after=last)


async def test_it_is_said_in_the_servers_language(scene: Scene) -> None:
    """A German server's people read German."""
    await scene.set(language("de"))

    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, thread_of(scene, scene.ann), CUT))

    assert "Die Meldung der Panic fehlt" in visible_text(answer)


async def test_a_card_names_what_was_not_read_to_who_asked(scene: Scene) -> None:
    """B4, C8: one line with its reason, below the answer; unasked there is none."""
    files = [Upload("report.zip", zipped({"a.log": PANIC, "README": README}), "application/zip")]
    asked = scene.fake.say(scene.ann, scene.channel, scene.mention("what is it?"), files=files)
    unasked = scene.fake.say(scene.ben, thread_of(scene, scene.ben), "look", files=files)

    assert "Not read: report.zip/README (no log)" in visible_text(await scene.fake.answer_to(asked))
    assert "Not read" not in visible_text(await scene.fake.answer_to(unasked))


async def test_the_menu_names_what_was_not_read(scene: Scene) -> None:
    """B4: so does the card for the eyes of who used the menu."""
    files = [Upload("core.1", b"\x7fELF\x02\x01" + bytes(10) + b"\x04\x00" + bytes(500), None)]
    message = scene.fake.say(scene.ben, thread_of(scene, scene.ben), PANIC, files=files)

    text = await told(scene, await scene.fake.message_menu(scene.ann, scene.channel, "Explain this error", message))

    assert "Not read: core.1 (a memory dump)" in text
