"""What goes wrong at Discord and here, and what is left of it: no answer lost, none doubled (E7, E10, E14, E15)."""

import asyncio
import io
import logging
from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.logs import _Discreet
from bot.modes import Mode
from bot.store.answers import Claim, Claimed
from tests.cogs.conftest import Scene, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import text_file
from tests.discord_standin.permissions import Permission


async def test_a_message_that_comes_twice_is_answered_once(scene: Scene) -> None:
    """E15: a replayed event finds the question claimed."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await posted(scene, question)

    scene.fake.emit_message("MESSAGE_CREATE", question)

    await scene.fake.quiet(scene.channel)
    assert len(scene.fake.answers_to(question)) == 1


@pytest.mark.parametrize("landed", [True, False])
async def test_a_claim_of_a_dead_process_is_brought_to_an_end(
    stage: Callable[..., Scene], discord: FakeDiscord, landed: bool
) -> None:
    """E15: whether Discord took the dead process's message or not, one answer stands in the end."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    question = discord.say(scene.ann, scene.channel, PANIC)
    claim = Claim(
        question_id=int(question["id"]),
        channel_id=int(scene.channel["id"]),
        guild_id=int(scene.guild["id"]),
        author_id=int(scene.ann["id"]),
        digest="of the first process",
        record_ids=("4df974a0eb9a8beb",),
    )
    assert isinstance(await scene.parts.answers.claim(claim, scene.clock()), Claimed)
    if landed:
        reply = {"content": "the dead process's answer", "message_reference": {"message_id": question["id"]}}
        discord.mailbox.make(scene.channel, discord.bot, reply)

    with aimed(discord):
        async with scene.connected():
            await posted(scene, question)
            await discord.quiet(scene.channel)

    assert len(discord.answers_to(question)) == 1


async def test_an_old_claim_is_given_up(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """C9, E15: a claim nobody waits for any more is released without a word."""
    scene = stage()
    question = discord.say(scene.ann, scene.channel, PANIC)
    claim = Claim(
        question_id=int(question["id"]),
        channel_id=int(scene.channel["id"]),
        guild_id=int(scene.guild["id"]),
        author_id=int(scene.ann["id"]),
        digest="x",
        record_ids=("4df974a0eb9a8beb",),
    )
    await scene.parts.answers.claim(claim, scene.clock() - timedelta(hours=1))

    with aimed(discord):
        async with scene.connected():
            await discord.quiet(scene.channel)

    assert await scene.parts.answers.of_question(int(question["id"])) is None


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_server_error_delays_an_answer_and_does_not_double_it(scene: Scene, status: int) -> None:
    """E14, E15: Discord takes the message and fails to say so; the repeat has the same nonce, one message stands."""
    scene.fake.faults.inject("POST", "/channels/*/messages", status=status, after=True)
    question = scene.fake.say(scene.ann, scene.channel, PANIC)

    await scene.fake.until(
        lambda: len([c for c in scene.fake.calls if c.path.endswith("/messages")]) >= 2, timeout_seconds=8
    )
    await posted(scene, question)

    assert len(scene.fake.answers_to(question)) == 1


async def test_a_connection_that_breaks_while_posting_does_not_double_an_answer(scene: Scene) -> None:
    """E15: the same when the connection is cut after the message was taken."""
    scene.fake.faults.inject("POST", "/channels/*/messages", drop=True, after=True)
    question = scene.fake.say(scene.ann, scene.channel, PANIC)

    await scene.fake.until(
        lambda: len([c for c in scene.fake.calls if c.path.endswith("/messages")]) >= 2, timeout_seconds=8
    )
    await posted(scene, question)

    assert len(scene.fake.answers_to(question)) == 1


async def test_a_refusal_by_discord_is_not_repeated(scene: Scene) -> None:
    """E10: after 50013 the channel is left alone for some minutes."""
    scene.fake.faults.inject(
        "POST", "/channels/*/messages", status=403, body={"code": 50013, "message": "Missing Permissions"}, times=9
    )

    for number in range(4):
        scene.fake.say(scene.ann, scene.channel, scene.mention(f"{PANIC} {number}"))
        await scene.fake.quiet(scene.channel, 0.1)

    assert len(scene.fake.refused_requests) == 1


async def test_a_channel_is_tried_again_once_its_permissions_have_changed(scene: Scene) -> None:
    """E10: an admin who corrects the permissions does not wait for the minutes to pass."""
    scene.fake.faults.inject(
        "POST", "/channels/*/messages", status=403, body={"code": 50013, "message": "Missing Permissions"}
    )
    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.until(lambda: scene.fake.refused_requests)
    await scene.fake.quiet(scene.channel, 0.1)

    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], allow=Permission.SEND_MESSAGES)
    await asyncio.sleep(0.1)

    assert await scene.fake.answer_to(scene.fake.say(scene.ben, scene.channel, PANIC))


async def test_a_channel_that_goes_while_it_is_answered_harms_nothing(scene: Scene) -> None:
    """E11: the channel is deleted, the thread locked; the bot answers elsewhere as before."""
    scene.knows.held = asyncio.Event()
    doomed = scene.fake.add_channel(scene.guild, "doomed")
    thread = scene.fake.thread(scene.ann, scene.channel, "soon locked")
    scene.fake.say(scene.ann, doomed, PANIC)
    scene.fake.say(scene.ben, thread, PANIC)
    await scene.fake.until(lambda: len(scene.knows.texts) == 2)

    scene.fake.remove_channel(doomed)
    scene.fake.archive(thread, archived=True, locked=True)
    scene.knows.held.set()

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, OTHER_PANIC))
    assert scene.fake.answers_to(scene.fake.world.messages[thread["last_message_id"]]) == []


async def test_our_own_error_is_logged_without_the_paste(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """E7, F1: when answering breaks the channel reads nothing; the log has an incident number and nothing pasted."""
    lines = io.StringIO()
    as_configured = _Discreet(logging.Formatter("%(message)s %(incident)s"), ())
    scene.knows.breaks_with = RuntimeError(f"cannot read {PANIC!r} and {UNKNOWN!r}")

    last = scene.fake.say(scene.ann, scene.channel, PANIC, files=[text_file("x.log", UNKNOWN)])
    await scene.fake.quiet(scene.channel, after=last)
    edited = scene.fake.say(scene.ann, scene.channel, "hello")
    await scene.fake.quiet(scene.channel, 0.1, after=last)
    scene.fake.edit(edited, UNKNOWN)
    await scene.fake.quiet(scene.channel, 0.1, after=last)
    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=PANIC)
    await scene.fake.until(lambda: asked.replies)

    incidents = [record for record in caplog.records if hasattr(record, "incident")]
    for record in incidents:
        lines.write(as_configured.format(record))
    assert len(incidents) == 4
    assert "RuntimeError: cannot read" in lines.getvalue()
    assert "Server disconnected" not in lines.getvalue()
    assert "flux compensator" not in lines.getvalue()
