"""What people see and decide about themselves."""

from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC, UNKNOWN
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.payloads import Payload, visible_text


async def told(scene: Scene, interaction: Interaction) -> Payload:
    (reply,) = await scene.fake.until(lambda: [one for one in interaction.replies if visible_text(one)])
    assert reply["flags"] & 64
    return reply


async def test_people_see_and_delete_what_is_kept(scene: Scene) -> None:
    """F4: everything kept is shown and handed over as a file; after deleting it nothing is left."""
    await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
    question = scene.fake.say(scene.ann, scene.channel, scene.mention(UNKNOWN))
    answer = await scene.fake.answer_to(question)
    await scene.fake.quiet(scene.channel, 0.1, after=answer)

    shown = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy show"))
    assert "2 answered messages" in visible_text(shown)
    assert "one unanswered question" in visible_text(shown)
    file = scene.fake.cdn.read(shown["attachments"][0]).decode()
    assert f"/{scene.channel['id']}/{question['id']}" in file
    assert "cdn" not in file

    deleted = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy delete"))
    assert "Deleted: 3 entries" in visible_text(deleted)
    again = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy show"))
    assert "nothing is kept of you" in visible_text(again)


async def test_people_opt_out_and_in(scene: Scene) -> None:
    """C10: the command is effective with the next message, and deleting one's data does not undo it."""
    await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy opt-out"))
    await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy delete"))
    scene.fake.say(scene.ann, scene.channel, PANIC)
    await scene.fake.quiet(scene.channel)
    shown = await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy show"))
    assert "left alone since" in visible_text(shown)

    await told(scene, await scene.fake.slash(scene.ann, scene.channel, "privacy opt-in"))

    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, PANIC))
