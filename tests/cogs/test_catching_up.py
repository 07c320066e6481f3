"""What happened while nobody told the bot."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from bot.cogs.incoming import digest_of
from bot.cogs.listener import MOST_FOLLOWED
from bot.modes import Mode
from bot.store.answers import Claim, State
from tests.cogs.conftest import Scene, comes_true, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload, text_file, visible_text
from tests.discord_standin.permissions import Permission


@pytest.fixture
async def away(stage: Callable[..., Scene]) -> Scene:
    """A scene to be connected twice."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    return scene


async def follows(scene: Scene, question: Payload) -> bool:
    """The store knows the question as it reads now."""
    channel = scene.client.get_partial_messageable(int(question["channel_id"]), guild_id=int(scene.guild["id"]))
    answer = await scene.parts.answers.of_question(int(question["id"]))
    return answer is not None and answer.digest == digest_of(await channel.fetch_message(int(question["id"])))


async def test_edits_and_deletions_are_followed_that_happened_while_the_bot_was_off(
    away: Scene, discord: FakeDiscord
) -> None:
    """D8: the next process looks at the questions of the last hour; what nobody touched is not read again."""
    people = [discord.add_user(f"p{number}", away.guild) for number in range(3)]
    channels = [discord.add_channel(away.guild, f"c{number}") for number in range(3)]
    with aimed(discord):
        async with away.connected():
            said = [discord.say(*where, PANIC) for where in zip(people[:2], channels[:2], strict=True)]
            said.append(discord.say(people[2], channels[2], PANIC, files=[text_file("x.log", "more")]))
            edited, deleted, untouched = said
            for question in said:
                await posted(away, question)
            discord.edit(untouched, f"{PANIC}\nis what it says")
            await discord.until(lambda: len(away.knows.texts) == 4)
            await comes_true(partial(follows, away, untouched))
        answers = [discord.answers_to(question)[0] for question in said]
        discord.edit(edited, OTHER_PANIC)
        discord.delete(deleted)
        discord.unfurl(untouched, [{"type": "rich", "title": "a preview"}])
        away.knows.texts.clear()
        discord.cdn.requests.clear()

        async with away.connected():
            await discord.until(lambda: "Gradient sync" in visible_text(answers[0]))
            await discord.until(lambda: not discord.bot_messages(channels[1]))

            async def forgotten() -> bool:
                return await away.parts.answers.of_question(int(deleted["id"])) is None

            await comes_true(forgotten)
            assert "Server disconnected" in visible_text(answers[2])
            assert away.knows.texts == [OTHER_PANIC]
            assert discord.cdn.requests == []


async def test_a_new_session_catches_up_as_a_new_process_does(away: Scene, discord: FakeDiscord) -> None:
    """D8, E14: after op 9 Discord does not repeat what was missed."""
    with aimed(discord):
        async with away.connected():
            question = discord.say(away.ann, away.channel, PANIC)
            await posted(away, question)
            discord.world.messages.pop(question["id"])  # deleted, and nobody was told

            discord.gateway.invalidate(resumable=False)

            await discord.until(lambda: not discord.bot_messages(away.channel), what="the deletion", timeout_seconds=20)


async def test_old_answers_are_left_as_they_are(away: Scene, discord: FakeDiscord) -> None:
    """C9: what is older than an hour costs no request."""
    with aimed(discord):
        async with away.connected():
            question = discord.say(away.ann, away.channel, PANIC)
            await posted(away, question)
        discord.edit(question, OTHER_PANIC)
        away.clock.pass_time(minutes=61)

        async with away.connected():
            await discord.quiet(away.channel)

    assert [call for call in discord.calls if call.path.endswith(f"/messages/{question['id']}")] == []


async def test_looking_is_bounded_and_asks_a_closed_channel_once(away: Scene, discord: FakeDiscord) -> None:
    """E10: at most so many messages are fetched, and a channel that refuses is not asked for the next one."""
    closed = discord.add_channel(away.guild, "closed")
    discord.overwrite(closed, away.guild["roles"][1], deny=Permission.VIEW_CHANNEL)
    for number in range(MOST_FOLLOWED + 30):
        channel = closed if number % 4 == 0 else away.channel
        claim = Claim(
            question_id=number + 1,
            channel_id=int(channel["id"]),
            guild_id=int(away.guild["id"]),
            author_id=int(away.ann["id"]),
            digest="d",
            record_ids=("4df974a0eb9a8beb",),
        )
        at = away.clock() - timedelta(seconds=200 - number)
        await away.parts.answers.claim(claim, at)
        await away.parts.answers.posted(number + 1, 10_000 + number, at)

    def fetched() -> list[str]:
        return [call.path for call in discord.calls if call.method == "GET" and "/messages/" in call.path]

    newest, oldest = MOST_FOLLOWED + 30, 31
    with aimed(discord):
        async with away.connected():
            await discord.until(lambda: any(path.endswith(f"/{oldest + 1}") for path in fetched()), timeout_seconds=20)
            await discord.quiet(away.channel, 0.2)

    assert fetched()[0].endswith(f"/{newest}")
    assert len([path for path in fetched() if f"/channels/{closed['id']}/" in path]) == 1
    assert len(discord.refused_requests) == 1
    assert not any(path.endswith(f"/{oldest - 1}") for path in fetched())
    left = await away.parts.answers.of_question(1)
    assert left is not None
    assert left.state is State.POSTED
