"""Commands, suggestions, menus, buttons, selects and modals."""

import pytest

from tests.discord_standin.aiming import connected
from tests.discord_standin.bot_under_test import Bot
from tests.discord_standin.conftest import Scene
from tests.discord_standin.interactions import NotOffered
from tests.discord_standin.payloads import Payload, text_file, visible_text
from tests.discord_standin.permissions import Permission


def owner(scene: Scene) -> Payload:
    found: Payload = scene.fake.world.users[scene.guild["owner_id"]]
    return found


async def test_a_subcommand_is_deferred_and_followed_up(either_scene: Scene) -> None:
    """The first followup takes the place of "is thinking", still ephemeral, and no channel route finds it."""
    fake = either_scene.fake

    asked = await fake.slash(either_scene.ann, either_scene.channel, "error explain", text="boom")
    await fake.until(lambda: not asked.thinking)

    assert asked.ephemeral
    assert [visible_text(reply) for reply in asked.replies] == ["### Answer\nboom"]
    assert fake.bot_messages(either_scene.channel) == []
    channel = either_scene.bot.get_partial_messageable(int(either_scene.channel["id"]))
    with pytest.raises(Exception, match="10008"):
        await channel.fetch_message(int(asked.replies[0]["id"]))


async def test_files_and_people_are_options(scene: Scene) -> None:
    """Attachment and user options arrive resolved."""
    asked = await scene.fake.slash(
        scene.ann, scene.channel, "error read", file=text_file("log.txt", "boom"), whose=scene.ann
    )

    assert asked.replies[0]["content"] == "log.txt of ann: boom"


async def test_suggestions_come_for_subcommands(scene: Scene) -> None:
    """Autocomplete gives up to 25 choices."""
    choices = await scene.fake.autocomplete(scene.ann, scene.channel, "error explain", "text", "Na")

    assert len(choices) == 25
    assert choices[0] == {"name": "Na0", "value": "Na0"}


async def test_the_client_refuses_what_it_would_not_show(scene: Scene) -> None:
    """Unknown commands, missing and foreign options and lacking rights never reach the bot."""
    fake, ann, channel = scene.fake, scene.ann, scene.channel

    for command, options in (
        ("nothing", {}),
        ("error", {}),
        ("error nothing", {}),
        ("error explain", {}),
        ("error explain", {"text": "x" * 4001}),
        ("error explain", {"text": "x", "more": 1}),
        ("admin settings language", {}),
    ):
        with pytest.raises(NotOffered):
            await fake.slash(ann, channel, command, options)
    assert not fake.interactions


async def test_a_message_menu_reads_its_message(scene: Scene) -> None:
    """The menu hands over the message it was used on."""
    question = scene.fake.say(scene.ann, scene.channel, "hello there")

    used = await scene.fake.message_menu(scene.ann, scene.channel, "Explain this error", question)

    assert used.replies[0]["content"] == "About: hello there"


async def test_an_app_installed_by_a_person_works_in_foreign_servers(scene: Scene) -> None:
    """There the bot is no member: it answers through the interaction, at most five times more, and no other way."""
    fake = scene.fake
    foreign = fake.add_guild("foreign", bot_permissions=None)
    channel, bob = fake.add_channel(foreign), fake.add_user("bob", foreign)
    message = fake.say(bob, channel, "NameError: far")

    used = await fake.message_menu(bob, channel, "Explain this error", message)
    counted = await fake.slash(bob, channel, "error count", times=7)
    await fake.wait_call("POST", counted.token, where=lambda call: call.status == 400)

    assert used.owners == {"1": bob["id"]}
    assert used.replies[0]["content"].startswith("About: NameError")
    assert len(counted.followups) == 5
    assert scene.bot.seen == []
    with pytest.raises(Exception, match="50001"):
        await scene.bot.get_partial_messageable(int(channel["id"])).send("hello")
    with pytest.raises(NotOffered):
        await fake.slash(fake.world.users[foreign["owner_id"]], channel, "admin settings language")


async def test_an_app_of_ones_own_works_in_private_channels(scene: Scene) -> None:
    """Between two people the app answers through the interaction, in the context of a private channel."""
    private = scene.fake.add_private_channel(scene.fake.add_user("bob"))
    message = scene.fake.say(scene.ann, private, "NameError: between us")

    used = await scene.fake.message_menu(scene.ann, private, "Explain this error", message)

    assert used.owners == {"1": scene.ann["id"]}
    assert used.replies
    assert scene.bot.seen == []


async def test_replies_are_ephemeral_where_external_apps_are_off(scene: Scene) -> None:
    """Without USE_EXTERNAL_APPS the answer of a person's own app is for them alone."""
    fake = scene.fake
    foreign = fake.add_guild("foreign", bot_permissions=None)
    channel, bob = fake.add_channel(foreign), fake.add_user("bob", foreign)
    fake.overwrite(channel, foreign["roles"][0], deny=Permission.USE_EXTERNAL_APPS)

    used = await fake.slash(bob, channel, "error read", file=text_file("a.txt", "x"))

    assert used.ephemeral
    assert fake.bot_messages(channel) == []


async def test_buttons_work_after_a_restart_and_in_ephemerals(scene: Scene) -> None:
    """A stateless button of an old message is acknowledged by a new process; its ephemeral answer has buttons too."""
    fake = scene.fake
    answer = await fake.answer_to(fake.say(scene.ann, scene.channel, "NameError: x"))
    await scene.bot.close()
    new = Bot()

    async with connected(new, fake):
        thanks = await fake.click(scene.ann, answer, label="up")
        again = await fake.click(scene.ann, thanks.replies[0], label="down")

    assert new.votes == [(7, "up"), (7, "down")]
    assert again.ephemeral
    with pytest.raises(NotOffered, match="one person"):
        await fake.click(owner(scene), thanks.replies[0], label="down")


async def test_selects_of_every_kind(scene: Scene) -> None:
    """String, channel and user selects arrive with what their ids stand for, and may update the message."""
    fake = scene.fake
    message = await fake.bot_message(scene.channel, fake.say(scene.ann, scene.channel, "choose"))

    await fake.select(scene.ann, message, "fruit", ["Pear"])
    assert message["content"] == "fruit Pear"
    await fake.select(scene.ann, message, "where", [scene.channel])
    assert message["content"] == "where general"
    await fake.select(scene.ann, message, "who", [scene.ann])
    assert message["content"] == "who ann"
    with pytest.raises(NotOffered):
        await fake.select(scene.ann, message, "fruit", ["Stone"])


async def test_a_form_is_filled_by_its_labels(scene: Scene) -> None:
    """Text, string, channel and role selects and files are sent; what is not given keeps its default."""
    opened = await scene.fake.slash(owner(scene), scene.channel, "admin settings form")
    values = {
        "Channels": [scene.channel],
        "Helpers": [scene.guild["roles"][1]],
        "Log": [text_file("a.txt", "boom")],
    }

    sent = await scene.fake.submit_modal(opened, values)

    assert sent.replies[0]["content"] == (
        "name=Ann; system=['Linux']; channels=['general']; helpers=['errata']; log=['boom']"
    )


async def test_a_form_of_switches(scene: Scene) -> None:
    """Radio groups, checkbox groups and checkboxes; a required one cannot be left out."""
    opened = await scene.fake.slash(owner(scene), scene.channel, "admin settings switches")

    with pytest.raises(NotOffered):
        await scene.fake.submit_modal(opened, {})
    with pytest.raises(NotOffered):
        await scene.fake.submit_modal(opened, {"Mode": "on", "Nothing": 1})
    sent = await scene.fake.submit_modal(opened, {"Mode": "on", "Kinds": ["b", "a"], "Loud": True})

    assert sent.replies[0]["content"] == "mode=on kinds=['a', 'b'] loud=True"
