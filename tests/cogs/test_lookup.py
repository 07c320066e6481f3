"""Commands by which people ask."""

import asyncio

import pytest

from bot.modes import Mode
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import OTHER_PANIC, PANIC, UNKNOWN
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.payloads import Payload, Upload, text_file, visible_text, walk
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED


async def told(scene: Scene, interaction: Interaction) -> Payload:
    """The one reply, which the person alone reads."""
    (reply,) = await scene.fake.until(lambda: [one for one in interaction.replies if visible_text(one)])
    assert reply["flags"] & 64
    return reply


async def test_a_text_is_explained(scene: Scene) -> None:
    """`/error explain text:…` answers with a card for the asker alone."""
    reply = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error explain", text=PANIC))

    assert "Server disconnected" in visible_text(reply)
    assert scene.fake.bot_messages(scene.channel) == []


async def test_a_file_is_explained(scene: Scene) -> None:
    """`/error explain file:…` reads the file."""
    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", file=text_file("run.log", OTHER_PANIC))

    assert "Gradient sync" in visible_text(await told(scene, asked))


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (Upload("a.png", b"\x89PNG", "image/png"), "I do not read pictures here"),
        (Upload("a.mp4", b"film", "video/mp4"), "a kind of file I cannot read"),
        (Upload("a.log", b"x", declared_size=100_000_000), "too big"),
        (Upload("a.log", b"x", gone=True), "could not fetch"),
    ],
)
async def test_a_file_that_cannot_be_read_is_told_as_such(scene: Scene, file: Upload, reason: str) -> None:
    """E1, E13: each outcome has its own sentence."""
    reply = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error explain", file=file))

    assert reason in visible_text(reply)


async def test_without_options_a_large_field_opens(scene: Scene) -> None:
    """What does not fit into an option goes into a form."""
    opened = await scene.fake.slash(scene.ann, scene.channel, "error explain")

    submitted = await scene.fake.submit_modal(opened, {"What the program printed": PANIC})

    assert "Server disconnected" in visible_text(await told(scene, submitted))


async def test_unknown_errors_are_told_in_one_sentence(scene: Scene) -> None:
    """C8: on request, no match says what was looked at."""
    reply = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error explain", text=UNKNOWN))

    assert "I looked at your message (2 lines)" in visible_text(reply)


async def test_a_slow_model_is_waited_for_after_the_acknowledgement(scene: Scene) -> None:
    """E8: the acknowledgement comes at once, however long the answer takes."""
    scene.fake.acknowledge_seconds = 0.5
    scene.knows.held = asyncio.Event()

    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=PANIC)
    assert asked.thinking
    await asyncio.sleep(0.6)
    scene.knows.held.set()

    assert await told(scene, asked)


async def test_busy_is_told_to_who_asked(scene: Scene) -> None:
    """E13: too much to do is told as what it is."""
    scene.knows.busy = True

    reply = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error explain", text=PANIC))

    assert "many questions" in visible_text(reply)


async def test_an_error_of_ours_is_a_number(scene: Scene) -> None:
    """E7: neither the cause nor a traceback reaches anybody."""
    scene.knows.breaks_with = RuntimeError("/home/secret/path")

    text = visible_text(await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error explain", text="x")))

    assert "incident" in text
    assert "secret" not in text


async def test_the_message_menu_works_where_the_bot_is_off(scene: Scene) -> None:
    """The menu answers its user alone, in a channel that is switched off, too."""
    await scene.set_mode(Mode.OFF, scene.channel)
    message = scene.fake.say(scene.ben, scene.channel, PANIC, files=[text_file("more.log", "x")])

    asked = await scene.fake.message_menu(scene.ann, scene.channel, "Explain this error", message)

    assert "Server disconnected" in visible_text(await told(scene, asked))


async def test_the_message_menu_works_in_servers_the_bot_is_not_in(scene: Scene) -> None:
    """E9: installed by a person, the menu and the buttons of its card work where the bot was never invited to."""
    elsewhere = scene.fake.add_guild("elsewhere", bot_permissions=None)
    channel = scene.fake.add_channel(elsewhere)
    scene.fake.join(elsewhere, scene.ann)
    scene.fake.installed_by.add(scene.ann["id"])
    message = scene.fake.say(scene.fake.add_user("stranger", elsewhere), channel, PANIC)

    asked = await scene.fake.message_menu(scene.ann, channel, "Explain this error", message)
    card = await told(scene, asked)
    more = await scene.fake.click(scene.ann, card, label="More")
    assert SERVER_DISCONNECTED.solutions[4][:20] in visible_text(await told(scene, more))
    await scene.fake.click(scene.ann, card, label="Not my error")
    await scene.fake.until(lambda: "Gradient sync" in visible_text(card))
    await scene.fake.click(scene.ann, card, label="Dismiss")

    await scene.fake.until(lambda: card["id"] not in scene.fake.world.messages)


async def test_commands_work_in_private_channels(scene: Scene) -> None:
    """Between two people, one of whom has the app."""
    scene.fake.installed_by.add(scene.ann["id"])
    channel = scene.fake.add_private_channel(scene.ann)

    assert await told(scene, await scene.fake.slash(scene.ann, channel, "error explain", text=PANIC))


async def test_search_suggests_from_memory_and_lists(scene: Scene) -> None:
    """E8: suggestions are there at once; the list has a button to each card."""
    choices = await scene.fake.autocomplete(scene.ann, scene.channel, "error search", "words", "sync")
    assert [choice["value"] for choice in choices] == [GRADIENT_SYNC.id]
    repos = await scene.fake.autocomplete(scene.ann, scene.channel, "error search", "repo", "burn", words="x")
    assert [choice["value"] for choice in repos] == ["tracel-ai/burn"]

    listing = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "error search", words="server"))
    shows = [part for part in walk(listing["components"]) if part.get("label") == "Show"]
    shown = await scene.fake.click(scene.ann, listing, shows[0]["custom_id"])

    assert len(shows) == 2
    assert await told(scene, shown)


async def test_a_picked_suggestion_is_its_card(scene: Scene) -> None:
    """The value of a suggestion is a record's number, and gives the record."""
    found = await scene.fake.slash(scene.ann, scene.channel, "error search", words=GRADIENT_SYNC.id)

    assert "Gradient sync" in visible_text(await told(scene, found))


async def test_nothing_found_is_told(scene: Scene) -> None:
    """A search without a hit says so."""
    found = await scene.fake.slash(scene.ann, scene.channel, "error search", words="zzz")

    assert "No documented error" in visible_text(await told(scene, found))


async def test_a_record_is_shown_by_its_number(scene: Scene) -> None:
    """`/error show` shows the card, in the language of who asks."""
    shown = await scene.fake.slash(scene.ann, scene.channel, "error show", record=GRADIENT_SYNC.id, locale="de")
    assert "Aus dem Katalog" in visible_text(await told(scene, shown))

    unknown = await scene.fake.slash(scene.ann, scene.channel, "error show", record="nobody/nothing")
    assert "no such record" in visible_text(await told(scene, unknown))


async def test_the_switch_silences_commands(scene: Scene) -> None:
    """C10: while the switch is on a command says for one's eyes only that the bot is silent; suggestions are empty."""
    scene.settings.silence_file.touch()

    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=PANIC)

    assert "silent" in visible_text(await told(scene, asked))
    assert await scene.fake.autocomplete(scene.ann, scene.channel, "error search", "words", "s") == []
