"""The answer follows its question: edited, taken back, given after all (D8, E11)."""

import asyncio
from collections.abc import Callable

from bot.modes import Mode
from tests.cogs.conftest import Scene, comes_true, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import visible_text


async def test_an_edited_question_gets_its_answer_changed(scene: Scene) -> None:
    """D8: the card follows the question, in the same message."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    answer = await scene.fake.answer_to(question)

    scene.fake.edit(question, OTHER_PANIC)

    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))
    assert len(scene.fake.bot_messages(scene.channel)) == 1


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
