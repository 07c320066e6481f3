"""What people write, and what the bot writes back."""

import pytest
from discord import AllowedMentions, HTTPException, TextChannel

from tests.discord_standin.bot_under_test import Card
from tests.discord_standin.conftest import Scene
from tests.discord_standin.messages import pings
from tests.discord_standin.payloads import FORUM, Upload, text_file, visible_text
from tests.discord_standin.permissions import Permission


async def test_an_answer_is_found_by_its_question(either_scene: Scene) -> None:
    """A reply refers to the message it answers and pings nobody."""
    fake, ann = either_scene.fake, either_scene.ann

    question = fake.say(ann, either_scene.channel, "Traceback\nNameError: name 'x'")
    answer = await fake.answer_to(question)

    assert visible_text(answer) == "### NameError\nname 'x'"
    assert pings(answer) == []
    assert fake.answers_to(question) == [answer]


async def test_a_long_message_arrives_as_a_file(either_scene: Scene) -> None:
    """What exceeds 2000 characters is uploaded as message.txt, and downloaded from the CDN."""
    fake = either_scene.fake

    question = fake.say(either_scene.ann, either_scene.channel, "x\n" * 1500 + "ValueError: bad")
    answer = await fake.answer_to(question)

    assert question["content"] == ""
    assert question["attachments"][0]["filename"] == "message.txt"
    assert "ValueError" in visible_text(answer)


async def test_answers_follow_edits_and_deletes(scene: Scene) -> None:
    """An edit changes the answer in place, a delete takes it away; an unfurl changes nothing."""
    fake = scene.fake
    question = fake.say(scene.ann, scene.channel, "KeyError: 'a'")
    answer = await fake.answer_to(question)

    fake.unfurl(question, [{"type": "link", "url": "https://example.org"}])
    fake.edit(question, "IndexError: list")
    await fake.until(lambda: "IndexError" in visible_text(answer))
    fake.delete(question)
    await fake.until(lambda: answer["id"] not in fake.world.messages)

    assert fake.bot_messages(scene.channel) == []


async def test_quiet_fails_where_the_bot_speaks(scene: Scene) -> None:
    """`quiet` passes for silence, and names what was said where there was none."""
    fake = scene.fake
    fake.say(scene.ann, scene.channel, "nothing to see")
    await fake.quiet(scene.channel, 0.05)

    question = fake.say(scene.ann, scene.channel, "plain")

    with pytest.raises(AssertionError, match=r"not quiet.*ok"):
        await fake.quiet(scene.channel, 0.2, after=question)


async def test_forwards_replies_and_direct_messages_arrive(scene: Scene) -> None:
    """A forward carries a snapshot, a reply the message it answers, and a DM needs no mention."""
    fake, bob = scene.fake, scene.fake.add_user("bob", scene.guild)
    log = fake.say(bob, scene.channel, "OSError: disk")
    await fake.answer_to(log)

    forwarded = fake.forward(scene.ann, scene.channel, log)
    direct = fake.say(scene.ann, fake.add_dm(scene.ann), "TypeError: dm")
    reply = fake.say(scene.ann, scene.channel, "thanks", reply_to=log, ping=False)

    assert "disk" in visible_text(await fake.answer_to(forwarded))
    assert "dm" in visible_text(await fake.answer_to(direct))
    assert reply["referenced_message"]["id"] == log["id"]
    assert pings(reply) == []


async def test_bots_webhooks_and_system_messages_are_what_they_say(scene: Scene) -> None:
    """Messages that no person wrote arrive with the marks by which a bot knows them."""
    fake = scene.fake
    robot = fake.add_user("robot", scene.guild, bot=True)

    fake.say(robot, scene.channel, "NameError: robot")
    posted = fake.post_by_webhook(scene.channel, "NameError: hook", embeds=[{"title": "build failed"}])
    fake.say(scene.ann, scene.channel, type=7)

    await fake.quiet(scene.channel, 0.1)
    assert posted["author"]["bot"]
    assert posted["webhook_id"] == posted["author"]["id"]


async def test_threads_carry_the_id_of_their_message(scene: Scene) -> None:
    """The bot opens a thread from a message; a second one from the same message is refused as 160004."""
    fake = scene.fake
    question = fake.say(scene.ann, scene.channel, "thread please")
    thread = await fake.until(lambda: fake.world.channels.get(question["id"]))
    inside = await fake.bot_message(thread)

    channel = scene.bot.get_channel(int(scene.channel["id"]))
    assert isinstance(channel, TextChannel)
    message = await channel.fetch_message(int(question["id"]))
    with pytest.raises(HTTPException, match="160004"):
        await message.create_thread(name="Again")

    assert inside["content"] == "In here"
    assert thread["parent_id"] == scene.channel["id"]


async def test_a_forum_post_has_the_id_of_its_thread(scene: Scene) -> None:
    """A post's first message has the thread's id, and the bot answers inside."""
    fake = scene.fake
    forum = fake.add_forum(scene.guild, "help", tags=["solved", "linux"])

    thread, question = fake.forum_post(scene.ann, forum, "It fails", "NameError: forum", tags=["linux"])
    answer = await fake.answer_to(question)
    fake.set_tags(thread, ["linux", "solved"])

    assert forum["type"] == FORUM
    assert question["id"] == thread["id"] == answer["channel_id"]
    assert len(thread["applied_tags"]) == 2


async def test_locked_and_archived_threads_refuse_as_discord_does(scene: Scene) -> None:
    """A locked thread is 160005, an archived one wakes up; the bot's edits in an archived one are 50083."""
    fake = scene.fake
    thread = fake.thread(scene.ann, scene.channel, "talk")
    question = fake.say(scene.ann, thread, "NameError: one")
    answer = await fake.answer_to(question)

    messageable = scene.bot.get_partial_messageable(int(thread["id"]))
    fake.archive(thread)
    with pytest.raises(HTTPException, match="50083"):
        await messageable.get_partial_message(int(answer["id"])).edit(view=Card("a", "b"))
    await messageable.send("awake")
    assert not thread["thread_metadata"]["archived"]
    fake.lock(thread)
    fake.say(scene.ann, thread, "plain")
    await fake.until(lambda: 160005 in scene.bot.errors)


async def test_attachments_can_be_spoilt(scene: Scene) -> None:
    """A file may be gone, lie about its size and type, expire, or break off."""
    fake = scene.fake
    gone = Upload("a.txt", b"NameError: a", gone=True)
    huge = Upload("b.txt", b"NameError: b", declared_size=100_000_000)
    image = Upload("c.txt", b"NameError: c", served_type="image/png")

    fake.say(scene.ann, scene.channel, files=[gone, huge])
    await fake.until(lambda: 404 in scene.bot.errors)
    lying = fake.say(scene.ann, scene.channel, files=[image])
    answer = await fake.answer_to(lying)
    fake.cdn.fail_with = [403]
    fake.say(scene.ann, scene.channel, files=[text_file("d.txt", "NameError: d")])
    await fake.until(lambda: 403 in scene.bot.errors)

    assert visible_text(answer).endswith("c")
    assert not any(path.endswith("b.txt") for path in fake.cdn.requests)


async def test_expired_addresses_are_renewed_by_fetching_the_message(scene: Scene) -> None:
    """An old address answers 404; the message fetched again has one that works."""
    fake = scene.fake
    question = fake.say(scene.ann, scene.channel, files=[text_file("e.csv", "later")])
    await fake.until(lambda: scene.bot.seen)
    channel = scene.bot.get_partial_messageable(int(scene.channel["id"]))
    message = await channel.fetch_message(int(question["id"]))

    fake.cdn.expire_all()

    with pytest.raises(Exception, match="404"):
        await message.attachments[0].read()
    fresh = await channel.fetch_message(int(question["id"]))
    assert await fresh.attachments[0].read() == b"later"


async def test_the_bots_own_files_can_be_read(scene: Scene) -> None:
    """A file component shows an uploaded file, whose bytes the test can read."""
    question = scene.fake.say(scene.ann, scene.channel, "file")

    message = await scene.fake.bot_message(scene.channel, question)

    assert message["components"][0]["name"] == "code.py"
    assert b"bot_under_test" in scene.fake.cdn.read(message["attachments"][0])


@pytest.mark.parametrize(
    ("text", "pinged"), [("@everyone", True), ("<@&{role}>", True), ("<@{ann}>", True), ("`@everyone`", False)]
)
async def test_pings_are_computed_from_text_and_permissions(scene: Scene, text: str, *, pinged: bool) -> None:
    """A message pings whom its text calls and its allowed mentions let through, code aside."""
    role = scene.fake.add_role(scene.guild, "helpers", mentionable=True)
    called = text.format(role=role["id"], ann=scene.ann["id"])

    question = scene.fake.say(scene.ann, scene.channel, f"echo {called}")
    message = await scene.fake.bot_message(scene.channel, question)

    assert bool(pings(message)) is pinged
    scene.fake.set_role(scene.guild, scene.guild["roles"][0], Permission.VIEW_CHANNEL)
    again = scene.fake.say(scene.ann, scene.channel, f"echo {called} again")
    quieter = await scene.fake.bot_message(scene.channel, again)
    assert not quieter["mention_everyone"]


async def test_content_needs_its_intent(scene: Scene) -> None:
    """Without the intent the bot reads its mentions and DMs only; fetching a message gives no more."""
    fake = scene.fake
    for session in fake.gateway.sessions.values():
        session.intents &= ~fake.gateway.privileged
    fake.gateway.privileged = fake.gateway.privileged & 0

    fake.say(scene.ann, scene.channel, "NameError: hidden")
    called = fake.say(scene.ann, scene.channel, f"<@{fake.bot['id']}> NameError: called")
    answer = await fake.answer_to(called)

    assert scene.bot.seen[0] == ""
    assert visible_text(answer).endswith("called")


async def test_replying_to_a_deleted_message_is_no_mistake(scene: Scene) -> None:
    """It is refused, as Discord refuses it, but not held against the bot: the delete may always come first."""
    question = scene.fake.say(scene.ann, scene.channel, "plain")
    scene.fake.delete(question)

    await scene.fake.until(lambda: scene.bot.errors)

    assert scene.bot.errors == [50035]
    assert scene.fake.violations == []


async def test_text_displays_ping_too(scene: Scene) -> None:
    """A mention in a V2 text display is a mention, and allowed mentions rule it as elsewhere."""
    view = Card("Error", f"from <@{scene.ann['id']}>")
    channel = scene.bot.get_partial_messageable(int(scene.channel["id"]))

    calm = await channel.send(view=view)
    loud = await channel.send(view=view, allowed_mentions=AllowedMentions(users=True))

    assert pings(scene.fake.world.messages[str(calm.id)]) == []
    assert pings(scene.fake.world.messages[str(loud.id)]) == [scene.ann["id"]]


async def test_downloads_may_be_slow_or_break_off(scene: Scene) -> None:
    """A slow file takes its chunks' time; a cut one ends in an error on the bot's side, not in half a file."""
    slow = Upload("slow.txt", b"NameError: slow", seconds_per_chunk=0.01)
    assert await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, files=[slow]))
    scene.fake.cdn.cut_after = 4

    question = scene.fake.say(scene.ann, scene.channel, files=[text_file("cut.csv", "NameError: cut")])
    fetched = scene.bot.get_partial_messageable(int(scene.channel["id"]))
    message = await fetched.fetch_message(int(question["id"]))
    await scene.fake.until(lambda: scene.fake.cdn.cut_after is None)
    again = await message.attachments[0].read()

    assert again == b"NameError: cut"
    assert scene.fake.answers_to(question) == []
