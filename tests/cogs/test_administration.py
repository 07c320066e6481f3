"""What admins set and see."""

import pytest

from bot.modes import Mode
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import OTHER_PANIC, PANIC
from tests.discord_standin.interactions import Interaction, NotOffered
from tests.discord_standin.payloads import Payload, visible_text
from tests.discord_standin.permissions import Permission
from tests.sample_entries import SERVER_DISCONNECTED


async def told(scene: Scene, interaction: Interaction) -> str:
    """What the admin alone reads."""
    (reply,) = await scene.fake.until(lambda: [one for one in interaction.replies if visible_text(one)])
    assert reply["flags"] & 64
    return visible_text(reply)


async def fill_in(scene: Scene, values: dict[str, object]) -> str:
    opened = await scene.fake.slash(scene.admin, scene.channel, "errata settings")
    return await told(scene, await scene.fake.submit_modal(opened, values))


async def test_a_channel_is_switched_off_by_the_real_form(scene: Scene) -> None:
    """C7: set through the command, effective at the next message, in the channel and its threads."""
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))

    text = await fill_in(scene, {"Channels": [scene.channel], "Mode": ["off"]})

    assert f"<#{scene.channel['id']}>: off" in text
    last = scene.fake.say(scene.ben, scene.channel, scene.mention(PANIC))
    thread = scene.fake.thread(scene.ben, scene.channel, "t")
    last_in_thread = scene.fake.say(scene.ben, thread, scene.mention(PANIC))
    await scene.fake.quiet(scene.channel, after=last)
    await scene.fake.quiet(thread, after=last_in_thread)


async def test_everything_in_the_form_is_kept_and_shown_again(scene: Scene) -> None:
    """G7: helper roles, cooldown, language and the mode of all channels; the next form shows them; all is logged."""
    role = scene.fake.add_role(scene.guild, "helper")

    await fill_in(scene, {"Mode": ["exact"], "Helper roles": [role], "Cooldown": ["3600"], "Language": ["de"]})
    text = await fill_in(scene, {})

    settings = await scene.parts.guilds.settings(int(scene.guild["id"]))
    assert (settings.default_mode, settings.cooldown_seconds, settings.language) == (Mode.EXACT, 3600, "de")
    assert settings.helper_role_ids == {int(role["id"])}
    assert "Nothing has changed" in text
    log = await scene.parts.guilds.log(int(scene.guild["id"]))
    assert {change.name for change in log} >= {"default_mode", "helper_roles", "cooldown_seconds", "language"}
    assert {change.user_id for change in log} == {int(scene.admin["id"])}


async def test_the_last_change_can_be_taken_back(scene: Scene) -> None:
    """G7: undo takes back a whole form, newest first, until nothing is left."""
    await fill_in(scene, {"Cooldown": ["3600"], "Language": ["de"]})

    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata undo"))

    settings = await scene.parts.guilds.settings(int(scene.guild["id"]))
    assert (settings.cooldown_seconds, settings.language) == (None, None)
    assert "Taken back" in text
    await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata undo"))
    last = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata undo"))
    assert "no change to take back" in last


async def test_who_helps_is_asked_anew_when_the_roles_change(scene: Scene) -> None:
    """H1, G7: a thread that was nobody's is a helper's once the role of who wrote there is a helper's role."""
    role = scene.fake.add_role(scene.guild, "helper")
    helper = scene.fake.add_user("helen", scene.guild, roles=[role])
    await fill_in(scene, {"Helper roles": [scene.fake.add_role(scene.guild, "other")]})
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    scene.fake.say(helper, thread, "let me see")
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, PANIC))

    await fill_in(scene, {"Helper roles": [role]})

    last = scene.fake.say(scene.ben, thread, OTHER_PANIC)
    await scene.fake.quiet(thread, after=last)


async def test_mute_and_unmute(scene: Scene) -> None:
    """G7: a muted record is never shown unasked, until it is unmuted."""
    muted = await scene.fake.slash(scene.admin, scene.channel, "errata mute", record=SERVER_DISCONNECTED.id)
    assert SERVER_DISCONNECTED.id in await told(scene, muted)
    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)

    unmuted = await scene.fake.slash(scene.admin, scene.channel, "errata unmute", record=SERVER_DISCONNECTED.id)
    await told(scene, unmuted)

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
    unknown = await scene.fake.slash(scene.admin, scene.channel, "errata mute", record="nobody/nothing")
    assert "no such record" in await told(scene, unknown)
    choices = await scene.fake.autocomplete(scene.admin, scene.channel, "errata mute", "record", "sync")
    assert len(choices) == 1


async def test_who_may_not_manage_the_server_is_not_offered_it_and_is_refused(scene: Scene) -> None:
    """G7: Discord does not offer the command; where an override offers it, the right is asked for again."""
    with pytest.raises(NotOffered):
        await scene.fake.slash(scene.ann, scene.channel, "errata settings")

    for command in scene.fake.commands[None]:
        command["default_member_permissions"] = None
    for name in ("errata settings", "errata undo", "errata status"):
        assert "Manage Server" in await told(scene, await scene.fake.slash(scene.ann, scene.channel, name))


async def test_a_form_is_checked_again_when_it_is_sent(scene: Scene) -> None:
    """G7: who lost the right while filling in changes nothing."""
    opened = await scene.fake.slash(scene.admin, scene.channel, "errata settings")
    member = scene.fake.world.member(scene.guild["id"], scene.admin["id"])
    assert member is not None
    member["roles"].clear()

    text = await told(scene, await scene.fake.submit_modal(opened, {"Language": ["de"]}))

    assert "Manage Server" in text
    assert (await scene.parts.guilds.settings(int(scene.guild["id"]))).language is None


async def test_status_tells_what_is_served(scene: Scene) -> None:
    """Version, catalogue, index, latency and the mode here, and that nothing is missing."""
    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))

    for part in ("Version ", "cafe0123cafe0123", "3 documented errors", "hashed-tokens", "latency", "exact+nearest"):
        assert part in text
    assert "every permission I need" in text


@pytest.mark.parametrize(
    ("denied", "told_as"),
    [
        (Permission.SEND_MESSAGES, "I lack: Send Messages"),
        (Permission.READ_MESSAGE_HISTORY, "I lack: Read Message History"),
        (Permission.ATTACH_FILES, "It would help to have: Attach Files"),
    ],
)
async def test_status_names_what_is_missing_in_words(scene: Scene, denied: Permission, told_as: str) -> None:
    """E10: the admin reads which permission is missing in this channel."""
    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], deny=denied)

    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))

    assert told_as in text


async def test_status_tells_of_a_refusal_and_of_muted_records(scene: Scene) -> None:
    """E10: a refusal nobody could foresee, AutoMod's for instance, is shown with its code."""
    scene.fake.faults.inject(
        "POST", "/channels/*/messages", status=403, body={"code": 50013, "message": "Missing Permissions"}
    )
    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)
    await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata mute", record=SERVER_DISCONNECTED.id))

    text = await told(scene, await scene.fake.slash(scene.admin, scene.channel, "errata status"))

    assert "code 50013" in text
    assert f"One muted error: `{SERVER_DISCONNECTED.id}`" in text


async def test_the_form_is_in_the_admins_language(scene: Scene) -> None:
    """The interface follows the language of the client."""
    opened = await scene.fake.slash(scene.admin, scene.channel, "errata settings", locale="de")

    assert opened.modal["title"] == "Einstellungen von Errata"
    labels: list[Payload] = opened.modal["components"]
    assert [label["label"] for label in labels] == ["Kanäle", "Modus", "Helferrollen", "Abstand", "Sprache"]
