"""Every limit, written or unwritten, at its edge and beyond."""

import asyncio
import io
from typing import Any

import discord
import pytest

from tests.discord_standin.conftest import Scene, Wire
from tests.discord_standin.payloads import Payload

TEXT = {"type": 10, "content": "x"}
V2 = 1 << 15


def button(number: int, **more: Any) -> Payload:
    return {"type": 2, "style": 1, "label": "b", "custom_id": f"b{number}", **more}


def label(custom_id: str) -> Payload:
    return {"type": 18, "label": "l", "component": {"type": 4, "style": 1, "custom_id": custom_id}}


def row(*parts: Payload) -> Payload:
    return {"type": 1, "components": list(parts)}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"contents": "x"}, "contents"),
        ({"embeds": [{"description": "x" * 4000}, {"description": "y" * 2001}]}, "embeds"),
        ({"flags": V2, "content": "x", "components": [TEXT]}, "content"),
        ({"flags": V2, "components": [TEXT] * 41}, "components"),
        ({"flags": V2, "components": [{"type": 10, "content": "x" * 2001}] * 2}, "components"),
        ({"flags": V2, "components": [{"type": 10, "content": " \n"}]}, "components"),
        ({"flags": V2, "components": [{"type": 10, "content": ""}]}, "components"),
        ({"flags": V2, "components": [{"type": 13, "file": {"url": "attachment://none.txt"}}]}, "components"),
        ({"components": [TEXT]}, "components"),
        ({"components": [row(button(1), button(1))]}, "components"),
        ({"components": [row(*(button(n) for n in range(6)))]}, "components"),
        ({"components": [row(button(1, label="x" * 81))]}, "components"),
        ({"components": [row({"type": 2, "style": 5, "label": "go", "url": "javascript:alert(1)"})]}, "components"),
        ({"components": [row({"type": 2, "style": 1, "label": "b"})]}, "components"),
        ({"content": "  "}, "empty"),
    ],
)
async def test_a_message_beyond_a_limit_is_refused_and_noted(wire: Wire, body: Payload, where: str) -> None:
    """Every limit, written or unwritten, is a 400 and a violation; nothing is posted."""
    status, answer = await wire.send(**body)

    assert (status, answer["code"] in (50035, 50006)) == (400, True)
    assert where in str(answer)
    assert wire.fake.violations
    assert wire.fake.bot_messages(wire.channel) == []
    with pytest.raises(AssertionError, match="not allowed by Discord"):
        wire.fake.assert_no_violations()


async def test_a_message_at_every_limit_is_taken(wire: Wire) -> None:
    """2000 characters, 6000 in embeds, 40 components with 4000 characters are allowed."""
    texts = [{"type": 10, "content": "x" * 100}] * 40

    answers = [
        await wire.send(content="x" * 2000),
        await wire.send(embeds=[{"description": "x" * 3000}] * 2),
        await wire.send(flags=V2, components=texts),
    ]

    assert [status for status, _ in answers] == [200, 200, 200]
    wire.fake.assert_no_violations()


async def test_a_plain_message_becomes_v2_only_when_emptied(wire: Wire) -> None:
    """Turning V2 on needs content null; once on, no text may come back."""
    _, message = await wire.send(content="old")
    path = f"/channels/{wire.channel['id']}/messages/{message['id']}"

    kept, _ = await wire.call("PATCH", path, {"flags": V2, "components": [TEXT]})
    emptied, edited = await wire.call("PATCH", path, {"flags": V2, "components": [TEXT], "content": None, "embeds": []})
    back, _ = await wire.call("PATCH", path, {"content": "text"})

    assert (kept, emptied, back) == (400, 200, 400)
    assert edited["flags"] & V2
    assert edited["content"] == ""


async def test_commands_have_limits(wire: Wire) -> None:
    """Over 100 commands, a repeated name, a required option after an optional one are refused."""
    path = f"/applications/{wire.fake.world.app_id}/commands"
    one = {"name": "a", "description": "b"}
    options = [
        {"type": 3, "name": "first", "description": "x"},
        {"type": 3, "name": "second", "description": "x", "required": True},
    ]
    many = [{"name": f"a{n}", "description": "b"} for n in range(101)]
    menus = [{"name": f"A {n}", "type": 3} for n in range(16)]

    for body in (many, menus, [one, one], [one | {"name": "A"}], [one | {"options": options}]):
        assert (await wire.call("PUT", path, body))[0] == 400
    status, stored = await wire.call("PUT", path, [one])
    _, again = await wire.call("PUT", path, [one])

    assert status == 200
    assert stored[0]["id"] == again[0]["id"]
    assert wire.fake.commands_created == 1


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (9, {"custom_id": "m", "title": "t", "components": [TEXT] * 6}),
        (9, {"custom_id": "m", "title": "x" * 46, "components": [TEXT]}),
        (9, {"custom_id": "m", "title": "t", "components": [label("same"), label("same")]}),
        (9, {"custom_id": "m", "title": "t", "components": [label("x" * 101)]}),
        (9, {"custom_id": "m", "title": "t", "components": [label("a") | {"label": "x" * 46}]}),
        (4, {"content": "x" * 2001}),
        (4, {"flags": V2, "content": "x", "components": [TEXT]}),
        (7, {"content": "x"}),
        (8, {"choices": []}),
    ],
)
async def test_an_answer_beyond_a_limit_acknowledges_nothing(wire: Wire, kind: int, data: Payload) -> None:
    """A refused callback leaves the interaction open, so that a right one may follow."""
    fake, ann = wire.fake, wire.fake.add_user("ann", wire.fake.world.guilds[wire.channel["guild_id"]])
    await wire.call("PUT", f"/applications/{fake.world.app_id}/commands", [{"name": "a", "description": "b"}])
    asking = asyncio.create_task(fake.slash(ann, wire.channel, "a"))
    asked = await fake.until(lambda: next(iter(fake.interactions.values()), None))
    path = f"/interactions/{asked.id}/{asked.token}/callback"

    status, answer = await wire.call("POST", path, {"type": kind, "data": data})
    noted = list(fake.violations)
    right, _ = await wire.call("POST", path, {"type": 4, "data": {"content": "right"}})

    assert (status, answer["code"]) == (400, 50035)
    assert noted
    assert right == 204
    assert (await asking).replies[0]["content"] == "right"


async def test_suggestions_are_limited(wire: Wire) -> None:
    """Twenty-five suggestions of a hundred characters, no more."""
    fake, ann = wire.fake, wire.fake.add_user("ann", wire.fake.world.guilds[wire.channel["guild_id"]])
    option = {"type": 3, "name": "q", "description": "x", "autocomplete": True}
    command = {"name": "a", "description": "b", "options": [option]}
    await wire.call("PUT", f"/applications/{fake.world.app_id}/commands", [command])
    asking = asyncio.create_task(fake.autocomplete(ann, wire.channel, "a", "q", "x"))
    asked = await fake.until(lambda: next(iter(fake.interactions.values()), None))
    path = f"/interactions/{asked.id}/{asked.token}/callback"
    choices = [{"name": f"{n}", "value": f"{n}"} for n in range(26)]
    long = [{"name": "x" * 101, "value": "x"}]

    statuses = [
        (await wire.call("POST", path, {"type": 8, "data": {"choices": c}}))[0] for c in (choices, long, choices[:25])
    ]

    assert statuses == [400, 400, 204]
    assert len(await asking) == 25


async def test_files_have_limits(scene: Scene) -> None:
    """Ten files of ten megabytes each; discord.py lets more pass, the stand-in does not."""
    channel = scene.bot.get_partial_messageable(int(scene.channel["id"]))

    def some(count: int, size: int = 1) -> list[discord.File]:
        return [discord.File(io.BytesIO(b"x" * size), f"{n}.txt") for n in range(count)]

    await channel.send(files=some(10))
    for files in (some(11), some(1, 10 * 1024 * 1024 + 1)):
        with pytest.raises(discord.HTTPException, match="50035"):
            await channel.send(files=files)

    assert len(scene.fake.bot_messages(scene.channel)[0]["attachments"]) == 10
    assert len(scene.fake.violations) == 2
    scene.fake.violations.clear()
