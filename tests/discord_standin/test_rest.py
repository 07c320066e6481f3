"""Faults, rate limits, rights and the API description, asked for by hand."""

import aiohttp
import pytest

from tests.discord_standin.conftest import Scene, Wire
from tests.discord_standin.permissions import Permission


async def test_one_nonce_posts_once(wire: Wire) -> None:
    """A create repeated with its enforced nonce gives the first message again."""
    first = await wire.send(content="x", nonce="1", enforce_nonce=True)
    second = await wire.send(content="x", nonce="1", enforce_nonce=True)

    assert first == second
    assert len(wire.fake.bot_messages(wire.channel)) == 1


async def test_what_the_description_lacks_is_a_violation(wire: Wire) -> None:
    """A path that Discord does not have is noted, like a wrong token refused."""
    status, _ = await wire.call("GET", "/nothing")

    assert status == 400
    assert "no such operation" in str(wire.fake.violations[0])


async def test_faults_come_once_or_as_often_as_asked(wire: Wire) -> None:
    """An injected status is answered `times` times, a cut connection ends without answer, `after` takes effect first."""
    faults = wire.fake.faults
    faults.inject("POST", "/channels/*/messages", status=503, times=2)
    assert [(await wire.send(content="x"))[0] for _ in range(3)] == [503, 503, 200]

    faults.inject("POST", "/channels/*/messages", drop=True)
    with pytest.raises(aiohttp.ClientError):
        await wire.send(content="lost")
    faults.inject("POST", "/channels/*/messages", drop=True, after=True)
    with pytest.raises(aiohttp.ClientError):
        await wire.send(content="unanswered")

    assert [m["content"] for m in wire.fake.bot_messages(wire.channel)] == ["x", "unanswered"]
    wire.fake.assert_no_violations()


async def test_rate_limits_are_kept_by_the_client(scene: Scene) -> None:
    """Two messages in half a second: five come through, later, and discord.py heeds headers without a 429."""
    fake = scene.fake
    fake.faults.limit("POST", "/channels/{channel_id}/messages", 2, 0.4)
    began = len(fake.calls)

    for number in range(5):
        fake.say(scene.ann, scene.channel, f"echo {number}")
    await fake.until(lambda: len(fake.bot_messages(scene.channel)) == 5, timeout_seconds=10)

    times = [call.at for call in fake.calls[began:] if call.status == 200]
    assert times[-1] - times[0] > 0.7


async def test_a_global_limit_is_told_as_global(wire: Wire) -> None:
    """The 429 of the global limit says so, with the seconds to wait."""
    wire.fake.faults.limit_globally(1, 5.0)

    await wire.send(content="x")
    status, answer = await wire.send(content="y")

    assert status == 429
    assert answer["global"]
    assert 0 < answer["retry_after"] <= 5


async def test_server_errors_are_retried_without_posting_twice(scene: Scene) -> None:
    """A 502 whose request took effect is repeated by discord.py under its nonce: one message."""
    scene.fake.faults.inject("POST", "/channels/*/messages", status=502, after=True)

    question = scene.fake.say(scene.ann, scene.channel, "plain")
    await scene.fake.wait_call("POST", "/messages", where=lambda call: call.status == 200)

    assert len(scene.fake.answers_to(question)) == 1
    assert [call.status for call in scene.fake.calls if call.path.endswith("/messages")] == [502, 200]


async def test_what_is_read_is_as_described(wire: Wire) -> None:
    """Every route that only reads gives 200 and an answer of the described form."""
    fake, channel = wire.fake, wire.channel
    guild = fake.world.guilds[channel["guild_id"]]
    ann = fake.add_user("ann", guild)
    thread, message = fake.forum_post(ann, fake.add_forum(guild, tags=["a"]), "title", "text", tags=["a"])
    app = f"/applications/{fake.world.app_id}"
    await wire.call("PUT", f"{app}/commands", [{"name": "a", "description": "b"}])
    paths = [
        "/users/@me", "/oauth2/applications/@me", "/applications/@me", "/gateway", "/gateway/bot", "/users/@me/guilds",
        f"/users/{ann['id']}", f"/guilds/{guild['id']}/channels", f"/guilds/{guild['id']}/roles", f"/guilds/{guild['id']}",
        f"/guilds/{guild['id']}/threads/active", f"/guilds/{guild['id']}/members/{ann['id']}", f"/channels/{channel['id']}",
        f"/channels/{thread['id']}", f"/channels/{thread['id']}/messages", f"{app}/commands", f"{app}/guilds/{guild['id']}/commands",
        f"/channels/{thread['id']}/messages/{message['id']}", f"{app}/commands/{fake.commands[None][0]['id']}",
        f"/channels/{fake.add_dm(ann)['id']}",
    ]  # fmt: skip

    statuses = {path: (await wire.call("GET", path))[0] for path in paths}

    assert set(statuses.values()) == {200}, statuses
    wire.fake.assert_no_violations()


async def test_what_is_not_there_is_not_found(wire: Wire) -> None:
    """Unknown channels, messages, people, guilds, commands and tokens have Discord's codes."""
    app = f"/applications/{wire.fake.world.app_id}"
    codes = {
        "/channels/1": 10003,
        f"/channels/{wire.channel['id']}/messages/1": 10008,
        "/users/1": 10013,
        "/guilds/1/roles": 50001,
        f"/guilds/{wire.channel['guild_id']}/members/1": 10007,
        f"{app}/commands/1": 10063,
        f"/webhooks/{wire.fake.world.app_id}/token/messages/@original": 10015,
    }

    answers = {path: (await wire.call("GET", path))[1]["code"] for path in codes}

    assert answers == codes
    wire.fake.assert_no_violations()


async def test_a_moderating_bot_is_asked_for_its_rights(wire: Wire) -> None:
    """Deleting and pinning what others wrote, purging and closing threads need the permission, and then work."""
    fake, channel = wire.fake, wire.channel
    guild = fake.world.guilds[channel["guild_id"]]
    ann = fake.add_user("ann", guild)
    one, two, three = (fake.say(ann, channel, str(n)) for n in range(3))
    thread = fake.thread(ann, channel, "talk")
    path = f"/channels/{channel['id']}/messages"
    asked = [
        ("DELETE", f"{path}/{one['id']}", None),
        ("PUT", f"{path}/pins/{two['id']}", None),
        ("POST", f"{path}/bulk-delete", {"messages": [two["id"], three["id"]]}),
        ("PATCH", f"/channels/{thread['id']}", {"locked": True, "archived": True}),
        ("DELETE", f"/channels/{thread['id']}", None),
    ]

    before = [(await wire.call(*call))[0] for call in asked]
    rights = Permission.MANAGE_MESSAGES | Permission.PIN_MESSAGES | Permission.MANAGE_THREADS
    fake.give_role(guild, fake.bot, fake.add_role(guild, "moderator", rights))
    after = [(await wire.call(*call))[0] for call in asked]

    assert before == [403] * 5
    assert after == [204, 204, 204, 200, 200]
    assert list(fake.world.history(channel["id"]))[-1]["type"] == 18
    assert thread["id"] not in fake.world.channels
    assert len(fake.refused_requests) == 5
    fake.assert_no_violations()
