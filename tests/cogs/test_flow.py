"""One answer for one question, through edits, deletions, restarts and floods."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from bot.modes import Mode
from bot.records.outline import Outline
from tests.cogs.conftest import Scene, comes_true, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import MessageFlag, visible_text


async def test_hostile_records_and_pastes_ping_nobody(scene: Scene) -> None:
    """C5: mentions in a record or a log are inert on a send, on an edit and on a followup."""
    hostile = f"@everyone @here <@{scene.ben['id']}> <@&{scene.guild['roles'][0]['id']}> [x](https://evil.example)"
    for record_id, entry in scene.knows.entries_by_id.items():
        assert not isinstance(entry, Outline)
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
