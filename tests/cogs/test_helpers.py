"""Where a helper is at work the bot is silent."""

from collections.abc import Callable

from bot.modes import Mode
from bot.store.guild_edits import helper_roles
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import OTHER_PANIC, PANIC
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord


async def test_helpers_are_left_alone(scene: Scene) -> None:
    """H1: once a helper has written in a thread the bot is silent there, and never answers a helper unasked."""
    role = scene.fake.add_role(scene.guild, "helper")
    helper = scene.fake.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    scene.fake.say(helper, thread, "let me see")

    pasted = scene.fake.say(scene.ann, thread, PANIC)
    helpers_own = scene.fake.say(helper, scene.channel, OTHER_PANIC)

    await scene.fake.quiet(thread, after=pasted)
    await scene.fake.quiet(scene.channel, after=helpers_own)
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, scene.mention(PANIC)))


async def test_a_helper_who_comes_later_silences_the_thread(scene: Scene) -> None:
    """H1: a thread the bot has answered in is left to people as soon as a helper writes there."""
    role = scene.fake.add_role(scene.guild, "helper")
    helper = scene.fake.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = scene.fake.thread(scene.ann, scene.channel, "my build")
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, thread, PANIC))

    scene.fake.say(helper, thread, "let me see")
    last = scene.fake.say(scene.ben, thread, OTHER_PANIC)

    await scene.fake.quiet(thread, after=last)


async def test_a_helper_who_wrote_before_the_restart_counts(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """H1: whether a helper is at work is asked of Discord where this process has not seen it."""
    scene = stage()
    await scene.set_mode(Mode.EXACT)
    role = discord.add_role(scene.guild, "helper")
    helper = discord.add_user("helen", scene.guild, roles=[role])
    await scene.set(helper_roles(frozenset({int(role["id"])})))
    thread = discord.thread(scene.ann, scene.channel, "my build")
    discord.say(helper, thread, "let me see")

    with aimed(discord):
        async with scene.connected():
            discord.say(scene.ann, thread, PANIC)

            await discord.quiet(thread)
