"""Permissions decide what the bot sees, may do, and is told it may do."""

import pytest

from tests.discord_standin.conftest import Scene
from tests.discord_standin.payloads import text_file
from tests.discord_standin.permissions import Permission


@pytest.mark.parametrize(
    ("taken", "said", "code"),
    [
        (Permission.SEND_MESSAGES, "echo hi", 50013),
        (Permission.EMBED_LINKS, "embed", 50013),
        (Permission.ATTACH_FILES, "file", 50013),
        (Permission.READ_MESSAGE_HISTORY, "plain", 160002),
    ],
)
async def test_a_missing_permission_is_refused(scene: Scene, taken: Permission, said: str, code: int) -> None:
    """What an overwrite takes from the bot's role is refused with Discord's code."""
    bot_role = scene.guild["roles"][1]
    scene.fake.overwrite(scene.channel, bot_role, deny=taken)

    scene.fake.say(scene.ann, scene.channel, said)
    await scene.fake.until(lambda: scene.bot.errors)

    assert scene.bot.errors == [code]
    assert scene.fake.refused_requests


async def test_threads_have_a_permission_of_their_own(scene: Scene) -> None:
    """SEND_MESSAGES is not SEND_MESSAGES_IN_THREADS; a thread takes its parent's overwrites."""
    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], deny=Permission.SEND_MESSAGES_IN_THREADS)
    thread = scene.fake.thread(scene.ann, scene.channel, "talk")

    scene.fake.say(scene.ann, thread, "plain")
    await scene.fake.until(lambda: scene.bot.errors)
    question = scene.fake.say(scene.ann, scene.channel, "plain")

    assert scene.bot.errors == [50013]
    assert await scene.fake.answer_to(question)


async def test_a_hidden_channel_sends_no_events(scene: Scene) -> None:
    """What the bot cannot see does not reach it, and asking for it is 50001; a person's overwrite comes last."""
    fake = scene.fake
    fake.overwrite(scene.channel, scene.guild["roles"][1], deny=Permission.VIEW_CHANNEL)

    fake.say(scene.ann, scene.channel, "plain")
    with pytest.raises(Exception, match="50001"):
        await scene.bot.get_partial_messageable(int(scene.channel["id"])).send("hello")
    assert scene.bot.seen == []

    fake.overwrite(scene.channel, fake.bot, allow=Permission.VIEW_CHANNEL)
    assert await fake.answer_to(fake.say(scene.ann, scene.channel, "plain"))


async def test_interactions_tell_what_the_app_may(scene: Scene) -> None:
    """`app_permissions` is computed for the channel of the interaction."""
    owner = scene.fake.world.users[scene.guild["owner_id"]]
    before = await scene.fake.slash(owner, scene.channel, "admin settings language", locale="de")
    scene.fake.overwrite(scene.channel, scene.guild["roles"][1], deny=Permission.EMBED_LINKS)

    after = await scene.fake.slash(owner, scene.channel, "admin settings language")

    assert before.replies[0]["content"] == "de embeds=True"
    assert after.replies[0]["content"] == "en-US embeds=False"


async def test_leaving_and_joining_guilds(scene: Scene) -> None:
    """An invitation is GUILD_CREATE, a kick GUILD_DELETE, and an outage is no kick."""
    fake, bot = scene.fake, scene.bot
    other = fake.add_guild("other", bot_permissions=None)
    channel, bob = fake.add_channel(other), fake.add_user("bob", other)

    fake.say(bob, channel, "plain")
    fake.invite_bot(other)
    question = fake.say(bob, channel, "plain")
    await fake.answer_to(question)
    fake.outage(scene.guild)
    fake.remove_bot(other)
    await fake.until(lambda: "left other" in bot.events)

    assert "joined other" in bot.events
    assert "left support" not in bot.events
    assert bot.seen == ["plain"]
    with pytest.raises(Exception, match="50001"):
        await bot.get_partial_messageable(int(channel["id"])).send("hello")


async def test_closed_direct_messages_are_refused(scene: Scene) -> None:
    """Writing to somebody who takes no DMs is 50007."""
    direct = scene.fake.add_dm(scene.ann)
    scene.fake.close_dms(scene.ann)

    scene.fake.say(scene.ann, direct, "plain", files=[text_file("a.txt", "x")])
    await scene.fake.until(lambda: scene.bot.errors)

    assert scene.bot.errors == [50007]
