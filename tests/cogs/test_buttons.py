"""What the buttons of a card do, and for whom."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bot.modes import Mode
from bot.store.answers import State
from bot.store.feedback import Votes
from bot.store.guild_edits import helper_roles, language
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import KNOWN, OTHER_PANIC, PANIC
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.payloads import Payload, visible_text, walk
from tests.discord_standin.permissions import Permission
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED


@pytest.fixture
async def answered(scene: Scene) -> tuple[Payload, Payload]:
    """Ann's question with a further error in it, and its card."""
    question = scene.fake.say(scene.ann, scene.channel, PANIC)
    answer = await scene.fake.answer_to(question)
    await scene.fake.until(lambda: answer["components"])
    for _ in range(100):
        known = await scene.parts.answers.of_question(int(question["id"]))
        if known is not None and known.state is State.POSTED:
            break
        await scene.fake.quiet(scene.channel, 0.01, after=answer)
    return question, answer


async def told(scene: Scene, interaction: Interaction) -> str:
    """What the person alone reads."""
    replies = await scene.fake.until(lambda: [reply for reply in interaction.replies if visible_text(reply)])
    assert all(reply["flags"] & 64 for reply in replies)
    return visible_text(replies[0])


def _unanswered(scene: Scene, question: Payload) -> bool:
    return not scene.fake.answers_to(question)


async def test_more_shows_everything_to_who_asks(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """More is ephemeral and holds what the card leaves out."""
    text = await told(scene, await scene.fake.click(scene.ben, answered[1], label="More"))

    assert SERVER_DISCONNECTED.solutions[4][:30] in text
    assert "Related errors" in text


async def test_long_code_comes_as_a_file(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """Code that is too long for a chat is handed over whole, as a file."""
    code = "\n".join(f"let line_{number} = {number};" for number in range(400))
    scene.knows.entries_by_id[SERVER_DISCONNECTED.id] = replace(SERVER_DISCONNECTED, example_fix=code)

    clicked = await scene.fake.click(scene.ben, answered[1], label="More")
    reply = (await scene.fake.until(lambda: clicked.replies))[0]

    assert code in scene.fake.cdn.read(reply["attachments"][0]).decode()


async def test_helpful_is_counted_once(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """A vote counts once for each person."""
    for _ in range(2):
        assert "Thank you" in await told(scene, await scene.fake.click(scene.ben, answered[1], label="Helpful"))

    assert await scene.parts.feedback.of_record(SERVER_DISCONNECTED.id) == Votes(helpful=1)


async def test_not_my_error_offers_the_next_candidate_and_then_withdraws(
    scene: Scene, answered: tuple[Payload, Payload]
) -> None:
    """The asker's objection puts the next candidate on the card; when none is left the card goes. Both are kept."""
    question, answer = answered

    await scene.fake.click(scene.ann, answer, label="Not my error")
    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))
    await scene.fake.click(scene.ann, answer, label="Not my error")

    await scene.fake.until(lambda: not scene.fake.answers_to(question))
    assert await scene.parts.feedback.of_record(SERVER_DISCONNECTED.id) == Votes(not_mine=1)
    assert await scene.parts.feedback.of_record(GRADIENT_SYNC.id) == Votes(not_mine=1)


async def test_a_strangers_objection_is_only_counted(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """D9: who may not decide about the card votes, and the card stands as it is."""
    before = visible_text(answered[1])

    text = await told(scene, await scene.fake.click(scene.ben, answered[1], label="Not my error"))

    assert "noted" in text
    assert visible_text(answered[1]) == before
    assert await scene.parts.feedback.of_record(SERVER_DISCONNECTED.id) == Votes(not_mine=1)


async def test_asker_helper_and_moderator_can_dismiss(scene: Scene) -> None:
    """D9: any one of the three rights is enough, and nobody else's click does it."""
    helpers = scene.fake.add_role(scene.guild, "helper")
    moderators = scene.fake.add_role(scene.guild, "moderator", Permission.MANAGE_MESSAGES)
    await scene.set(helper_roles(frozenset({int(helpers["id"])})))
    helper = scene.fake.add_user("helen", scene.guild, roles=[helpers])
    moderator = scene.fake.add_user("mo", scene.guild, roles=[moderators])
    askers = [scene.fake.add_user(f"asker{number}", scene.guild) for number in range(3)]
    channels = [scene.fake.add_channel(scene.guild, f"c{number}") for number in range(3)]

    for asker, channel, person in zip(askers, channels, (askers[0], helper, moderator), strict=True):
        question = scene.fake.say(asker, channel, PANIC)
        answer = await scene.fake.answer_to(question)
        assert "Only who asked" in await told(scene, await scene.fake.click(scene.ben, answer, label="Dismiss"))
        assert scene.fake.answers_to(question)

        await scene.fake.click(person, answer, label="Dismiss")

        await scene.fake.until(partial(_unanswered, scene, question))


async def test_a_dismissed_answer_stays_dismissed(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """D9: editing the question does not bring it back."""
    question, answer = answered
    await scene.fake.click(scene.ann, answer, label="Dismiss")
    await scene.fake.until(lambda: not scene.fake.answers_to(question))

    scene.fake.edit(question, OTHER_PANIC)

    await scene.fake.quiet(scene.channel)


async def test_further_errors_stand_behind_a_button(scene: Scene) -> None:
    """C1: what else a log holds is listed for who asks, each with its card."""
    question = scene.fake.say(scene.ann, scene.channel, f"{PANIC}\n{OTHER_PANIC}")
    answer = await scene.fake.answer_to(question)

    listed = await scene.fake.click(scene.ben, answer, label="One more error in this log")
    (listing,) = await scene.fake.until(lambda: listed.replies)
    shown = await scene.fake.click(scene.ben, listing, label="Show")
    (card,) = await scene.fake.until(lambda: shown.replies)

    assert "Gradient sync server" in visible_text(card)
    assert await told(scene, await scene.fake.click(scene.ben, card, label="More"))
    await scene.fake.click(scene.ben, card, label="Dismiss")
    await scene.fake.until(lambda: card["id"] not in scene.fake.world.messages)


async def test_buttons_work_in_the_next_process(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """E9: a card posted before a restart has all its buttons after it."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            question = discord.say(scene.ann, scene.channel, PANIC)
            answer = await discord.answer_to(question)
        async with scene.connected():
            assert await told(scene, await discord.click(scene.ben, answer, label="More"))
            assert await told(scene, await discord.click(scene.ben, answer, label="Helpful"))
            await discord.click(scene.ann, answer, label="Dismiss")
            await discord.until(lambda: not discord.answers_to(question))


async def test_buttons_work_in_direct_messages(scene: Scene) -> None:
    """E9: in a DM its one reader may do everything."""
    dm = scene.fake.add_dm(scene.ann)
    question = scene.fake.say(scene.ann, dm, PANIC)
    answer = await scene.fake.answer_to(question)

    assert await told(scene, await scene.fake.click(scene.ann, answer, label="More"))
    await scene.fake.click(scene.ann, answer, label="Not my error")
    await scene.fake.until(lambda: "Gradient sync" in visible_text(answer))
    await scene.fake.click(scene.ann, answer, label="Dismiss")

    await scene.fake.until(lambda: not scene.fake.answers_to(question))


async def test_a_record_that_is_gone_is_told(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """An old button whose record was removed from the catalogue says so."""
    scene.knows.entries_by_id.clear()

    text = await told(scene, await scene.fake.click(scene.ben, answered[1], label="More"))

    assert "no longer in the catalogue" in text
    scene.knows.entries_by_id.update(KNOWN)


async def test_an_error_behind_a_button_is_one_calm_line(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """E7: the person reads an incident number, nothing of the cause."""
    scene.knows.entries_by_id = None  # type: ignore[assignment]  # makes every lookup fail

    text = await told(scene, await scene.fake.click(scene.ben, answered[1], label="More"))

    assert "incident" in text
    assert "NoneType" not in text


async def test_a_late_interaction_is_swallowed(
    scene: Scene, answered: tuple[Payload, Payload], caplog: pytest.LogCaptureFixture
) -> None:
    """E8: where Discord says 10062 nobody is told anything, and no incident is made of it."""
    scene.fake.faults.inject(
        "POST", "/interactions/*/*/callback", status=404, body={"code": 10062, "message": "Unknown interaction"}
    )
    scene.fake.acknowledge_seconds = 0.3
    with pytest.raises(AssertionError, match="not acknowledged"):
        await scene.fake.click(scene.ben, answered[1], label="More")

    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_the_switch_silences_buttons(scene: Scene, answered: tuple[Payload, Payload]) -> None:
    """C10: a click on an old card is told that the bot is silent, and changes nothing."""
    question, answer = answered
    scene.settings.silence_file.touch()

    assert "silent" in await told(scene, await scene.fake.click(scene.ann, answer, label="More"))
    assert "silent" in await told(scene, await scene.fake.click(scene.ann, answer, label="Dismiss"))

    assert scene.fake.answers_to(question)


async def test_a_servers_language_is_that_of_its_cards(scene: Scene) -> None:
    """Cards are in the server's language, what one person reads is in that person's."""
    await scene.set(language("de"))
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))

    assert "Was zu tun ist" in visible_text(answer)
    assert any(part.get("label") == "Mehr" for part in walk(answer["components"]))
    assert "Thank you" in await told(scene, await scene.fake.click(scene.ann, answer, label="Hilfreich"))
