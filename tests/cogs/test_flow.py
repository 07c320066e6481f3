"""One answer for one question, through edits, deletions, restarts and floods."""

import asyncio
import io
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from bot.logs import _Discreet
from bot.modes import Mode
from bot.store.answers import Claim, Claimed
from tests.cogs.conftest import Scene, comes_true, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import MessageFlag, text_file, visible_text
from tests.discord_standin.permissions import Permission


async def test_an_edited_question_gets_its_answer_changed(scene: Scene) -> None:
    """D8: the card follows the question, in the same message."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    answer = await scene.fake.answer_to(question)

    scene.fake.edit(question, OTHER_PANIC)

    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))
    assert len(scene.fake.bot_messages(scene.channel)) == 1


async def test_hostile_records_and_pastes_ping_nobody(scene: Scene) -> None:
    """C5: mentions in a record or a log are inert on a send, on an edit and on a followup."""
    hostile = f"@everyone @here <@{scene.ben['id']}> <@&{scene.guild['roles'][0]['id']}> [x](https://evil.example)"
    for record_id, entry in scene.knows.entries_by_id.items():
        scene.knows.entries_by_id[record_id] = replace(entry, documentation=hostile, solutions=(hostile,))
    question = scene.fake.say(scene.ann, scene.channel, f"{hostile}\n{PANIC}")
    answer = await scene.fake.answer_to(question)
    assert pings(answer) == []

    scene.fake.edit(question, f"{hostile}\n{OTHER_PANIC}")
    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))
    more = await scene.fake.click(scene.ben, answer, label="More")
    (details,) = await scene.fake.until(lambda: more.replies)
    scene.fake.edit(question, f"{hostile}\n{PANIC}")
    await scene.fake.until(lambda: "Server disconnected" in visible_text(answer))
    await scene.fake.click(scene.ann, answer, label="Not my error")
    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))

    assert pings(answer) == pings(details) == []
    for call in scene.fake.calls:
        if call.method in {"POST", "PATCH"} and isinstance(call.body, dict) and "components" in call.body:
            assert call.body["allowed_mentions"]["parse"] == []


async def test_an_answer_is_withdrawn_when_the_error_is_edited_away_and_comes_back_with_it(scene: Scene) -> None:
    """D8: an edit that removes the error removes the card, and one that brings it back brings the card back."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await posted(scene, question)

    scene.fake.edit(question, "never mind")
    await scene.fake.until(lambda: not scene.fake.answers_to(question))
    scene.fake.edit(question, PANIC)

    assert await scene.fake.answer_to(question)


async def test_a_sentence_of_regret_becomes_a_card(scene: Scene) -> None:
    """D8: who asked and then adds the output to the message gets the card in the place of the sentence."""
    question = scene.fake.say(scene.ann, scene.channel, scene.mention("it is broken"))
    answer = await scene.fake.answer_to(question)
    assert "saw nothing that reads like an error" in visible_text(answer)

    scene.fake.edit(question, scene.mention(PANIC))

    await scene.fake.until(lambda: "Server disconnected" in visible_text(answer))


async def test_previews_and_pins_change_nothing(scene: Scene) -> None:
    """D8: updates in which nobody edited anything are ignored."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await posted(scene, question)
    asked = len(scene.knows.texts)

    scene.fake.unfurl(question, [{"title": "a preview"}])
    scene.fake.pin(question)
    scene.fake.edit(question, f"{PANIC} ")  # Discord takes the space away, and calls it an edit
    await scene.fake.quiet(scene.channel)

    assert len(scene.knows.texts) == asked


async def test_a_deleted_question_takes_its_answer_along(scene: Scene) -> None:
    """D8, F4: nothing is left of a deleted question, neither in the channel nor in the store."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await posted(scene, question)

    scene.fake.delete(question)

    await scene.fake.until(lambda: not scene.fake.bot_messages(scene.channel))
    await asyncio.sleep(0.1)
    assert await scene.parts.answers.of_question(int(question["id"])) is None


async def test_a_deleted_question_nobody_could_answer_is_forgotten(scene: Scene) -> None:
    """F4: deleting the message removes what was kept of it for people."""
    question = scene.fake.say(scene.ann, scene.channel, UNKNOWN)
    guild_id = int(scene.guild["id"])
    await comes_true(lambda: scene.parts.questions.groups(guild_id))

    scene.fake.delete(question)

    async def forgotten() -> bool:
        return not await scene.parts.questions.groups(guild_id)

    await comes_true(forgotten)


async def test_purged_questions_take_their_answers_along(scene: Scene) -> None:
    """D8: a moderator's purge counts as deleting each message."""
    questions = [scene.fake.say(person, scene.channel, PANIC) for person in (scene.ann, scene.ben)]
    for question in questions:
        await posted(scene, question)

    scene.fake.delete_many(questions)

    await scene.fake.until(lambda: not scene.fake.bot_messages(scene.channel))


async def test_edits_and_deletions_are_followed_after_a_restart(
    stage: Callable[..., Scene], discord: FakeDiscord
) -> None:
    """D8: what was answered before a restart is still followed after it."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            edited = discord.say(scene.ann, scene.channel, PANIC)
            deleted = discord.say(scene.ben, scene.channel, OTHER_PANIC)
            await posted(scene, edited)
            await posted(scene, deleted)
        async with scene.connected():
            answer = discord.answers_to(edited)[0]

            discord.edit(edited, OTHER_PANIC)
            discord.delete(deleted)

            await discord.until(lambda: "Gradient sync" in visible_text(answer))
            await discord.until(lambda: len(discord.bot_messages(scene.channel)) == 1)


async def test_a_question_deleted_while_it_is_answered_leaves_no_orphan(scene: Scene) -> None:
    """E11: the question goes while its answer is on the way; no answer stands in the end."""
    scene.knows.held = asyncio.Event()
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.until(lambda: scene.knows.texts)

    scene.fake.delete(question)
    await asyncio.sleep(0.05)
    scene.knows.held.set()

    await scene.fake.quiet(scene.channel)
    assert scene.fake.bot_messages(scene.channel) == []


async def test_a_question_deleted_while_its_answer_is_posted_leaves_no_orphan(scene: Scene) -> None:
    """E11: Discord took our message just before the question went; our message goes, too."""
    fault = scene.fake.faults.inject("POST", "/channels/*/messages", after=True, hold=True)
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    await fault.struck.wait()

    scene.fake.delete(question)
    await asyncio.sleep(0.05)
    fault.released.set()

    await scene.fake.until(lambda: not scene.fake.bot_messages(scene.channel))


async def test_messages_of_one_moment_get_one_answer(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """C4: several messages of one author within seconds are read together and answered once."""
    scene = stage(burst_wait_seconds=0.3)
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            discord.say(scene.ann, scene.channel, "hello")
            discord.say(scene.ben, scene.channel, "good morning")
            question = discord.say(scene.ann, scene.channel, PANIC)
            discord.say(scene.ann, scene.channel, OTHER_PANIC)

            assert await discord.answer_to(question)
            await discord.quiet(scene.channel, 0.5)

    assert len(discord.bot_messages(scene.channel)) == 1
    assert f"hello\n{PANIC}\n{OTHER_PANIC}" in scene.knows.texts


async def test_a_waiting_message_is_answered_as_it_reads_in_the_end(
    stage: Callable[..., Scene], discord: FakeDiscord
) -> None:
    """C4, D8: what is edited or deleted before its author pauses is answered as it is then, or not at all."""
    scene = stage(burst_wait_seconds=0.3)
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            edited = discord.say(scene.ann, scene.channel, PANIC)
            deleted = discord.say(scene.ben, scene.channel, PANIC)
            discord.edit(edited, OTHER_PANIC)
            discord.delete(deleted)

            answer = await discord.answer_to(edited)
            await discord.quiet(scene.channel, 0.3, after=answer)

    assert scene.knows.texts == [OTHER_PANIC]


async def test_a_record_is_not_posted_twice_to_one_person(scene: Scene) -> None:
    """C2: within the window the same record is not shown again unasked, but to who asks it is."""
    first = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
    scene.clock.pass_time(minutes=2)

    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel, after=first)
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(PANIC)))
    scene.clock.pass_time(minutes=9)
    scene.fake.say(scene.ben, scene.channel, "unrelated")
    scene.clock.pass_time(minutes=2)

    question = scene.fake.say(scene.ben, scene.channel, PANIC, at=scene.clock() - timedelta(seconds=1))
    assert await scene.fake.answer_to(question)


async def test_a_record_is_not_posted_twice_in_one_thread(scene: Scene) -> None:
    """C2: in a thread the same record is shown once, whoever pastes it."""
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    first = await scene.fake.answer_to(scene.fake.say(scene.ann, thread, PANIC))
    scene.clock.pass_time(minutes=2)

    scene.fake.say(scene.ben, thread, PANIC)

    await scene.fake.quiet(thread, after=first)


async def test_an_outage_gets_one_card_and_links_to_it(scene: Scene) -> None:
    """C3: many people paste one error at the same time; one card is posted, and one-line links to it."""
    people = [scene.fake.add_user(f"person{number}", scene.guild) for number in range(6)]
    questions = [scene.fake.say(person, scene.channel, PANIC) for person in people]
    answers = [await scene.fake.answer_to(question) for question in questions]

    cards = [answer for answer in answers if "What to do" in visible_text(answer)]
    links = [answer for answer in answers if answer not in cards]

    assert len(cards) == 1
    for link in links:
        text = visible_text(link)
        assert f"https://discord.com/channels/{scene.guild['id']}/{scene.channel['id']}/{cards[0]['id']}" in text
        assert "\n" not in text


async def test_a_link_becomes_a_card_when_the_card_never_came(scene: Scene) -> None:
    """C3: whoever posts the first card may fail; the next one does not point to nothing."""
    scene.fake.faults.inject("POST", "/channels/*/messages", status=400, body={"code": 200000, "message": "AutoMod"})
    scene.fake.say(scene.ann, scene.channel, PANIC)

    answer = await scene.fake.answer_to(scene.fake.say(scene.ben, scene.channel, PANIC))

    assert "What to do" in visible_text(answer)


async def test_a_flood_gets_one_busy_notice_and_nothing_else(scene: Scene) -> None:
    """C6, E13: where too much waits, one channel reads at most one notice in a window; who did not ask reads none."""
    scene.knows.busy = True
    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)

    questions = [scene.fake.say(scene.ann, scene.channel, scene.mention(f"{PANIC} {n}")) for n in range(5)]
    await scene.fake.answer_to(questions[0])

    await scene.fake.quiet(scene.channel)
    (notice,) = scene.fake.bot_messages(scene.channel)
    assert "answering many questions" in visible_text(notice)


async def test_the_queue_is_bounded(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """C6: beyond the bound messages are turned away instead of waiting for ever."""
    monkeypatch.setattr(scene.client.listener._bursts, "_most", 3)
    scene.knows.held = asyncio.Event()
    for number in range(6):
        scene.fake.say(scene.fake.add_user(f"p{number}", scene.guild), scene.channel, scene.mention(UNKNOWN))
    await scene.fake.until(lambda: scene.fake.bot_messages(scene.channel))

    scene.knows.held.set()
    await scene.fake.until(lambda: len(scene.fake.bot_messages(scene.channel)) == 4)
    await scene.fake.quiet(scene.channel)

    busy = [m for m in scene.fake.bot_messages(scene.channel) if "many questions" in visible_text(m)]
    assert len(busy) == 1
    assert len(scene.knows.texts) == 3


async def test_pastes_at_the_same_time_do_not_mix(scene: Scene) -> None:
    """E4: twenty people paste two errors at once; everybody is answered about their own."""
    channels = [scene.fake.add_channel(scene.guild, f"c{number}") for number in range(20)]
    texts = [PANIC if number % 2 else OTHER_PANIC for number in range(20)]
    people = [scene.fake.add_user(f"p{number}", scene.guild) for number in range(20)]

    questions = [scene.fake.say(p, c, t) for p, c, t in zip(people, channels, texts, strict=True)]
    answers = [visible_text(await scene.fake.answer_to(question)) for question in questions]

    for text, answer in zip(texts, answers, strict=True):
        assert ("Server disconnected" in answer) == (text is PANIC)


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


async def test_nothing_posted_carries_a_preview(scene: Scene) -> None:
    """D7: every message is made of components alone, under whose links Discord puts no preview."""
    asked = scene.fake.say(scene.ann, scene.channel, scene.mention("broken, see https://example.org"))
    await scene.fake.answer_to(asked)
    card = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
    link = await scene.fake.answer_to(scene.fake.say(scene.ben, scene.channel, PANIC))
    more = await scene.fake.click(scene.ben, card, label="More")
    await scene.fake.until(lambda: more.replies)

    posted = [*scene.fake.bot_messages(scene.channel), *more.replies]
    assert len(posted) == 4
    assert "https://" in visible_text(link)
    for message in posted:
        assert MessageFlag.COMPONENTS_V2 & message["flags"]
        assert message["content"] == ""
        assert message["embeds"] == []


async def test_what_has_reached_its_age_is_removed(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """F4: the running bot removes answers after 30 days and unanswered questions after 90, proven with a clock."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    guild_id = int(scene.guild["id"])

    async def left(answers: int, questions: int) -> bool:
        kept = await scene.parts.people.kept(int(scene.ann["id"]))
        return (len(kept.answers), len(kept.questions)) == (answers, questions)

    with aimed(discord):
        async with scene.connected():
            await posted(scene, discord.say(scene.ann, scene.channel, PANIC))
            discord.say(scene.ann, scene.channel, UNKNOWN)
            await comes_true(lambda: scene.parts.questions.groups(guild_id))
        for days, answers, questions in ((29, 1, 1), (2, 0, 1), (60, 0, 0)):
            scene.clock.pass_time(days=days)
            async with scene.connected():
                await comes_true(partial(left, answers, questions))
                await asyncio.sleep(0.05)
                assert await left(answers, questions)


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


async def test_leaving_a_server_removes_what_was_kept(scene: Scene) -> None:
    """F4: settings and answers of a server are gone once the bot was removed from it."""
    await posted(scene, scene.fake.say(scene.ann, scene.channel, PANIC))

    scene.fake.outage(scene.guild)
    await asyncio.sleep(0.1)
    assert await scene.parts.guilds.known() == (int(scene.guild["id"]),)
    scene.fake.recover(scene.guild)
    scene.fake.remove_bot(scene.guild)

    for _ in range(100):
        if not await scene.parts.guilds.known():
            break
        await asyncio.sleep(0.02)
    assert await scene.parts.guilds.known() == ()


async def test_a_server_left_while_the_bot_was_away_is_forgotten(
    stage: Callable[..., Scene], discord: FakeDiscord
) -> None:
    """F4: the same when nobody told the bot because it was not running."""
    scene = stage()
    other = discord.add_guild("other")
    await scene.set_mode(Mode.EXACT)
    discord.remove_bot(scene.guild)

    with aimed(discord):
        async with scene.connected():
            for _ in range(100):
                if not await scene.parts.guilds.known():
                    break
                await asyncio.sleep(0.02)

    assert other
    assert await scene.parts.guilds.known() == ()
