"""Routes about the messages of a channel."""

from collections.abc import Sequence
from typing import Any

from tests.discord_standin.limits import check_edit, check_message
from tests.discord_standin.messages import refuse_empty
from tests.discord_standin.payloads import DM, FORUM, THREAD_TYPES, ApiError, Payload, Upload
from tests.discord_standin.permissions import Permission, demand
from tests.discord_standin.rest.access import channel_for, not_archived, writable
from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()


@routes.on("POST", "/channels/{channel_id}/messages")
def create(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request)
    if channel["type"] == FORUM:
        raise ApiError(400, 50008, "Cannot send messages in a non-text channel")
    granted = writable(stage, channel)
    body = request.body
    if body.get("embeds"):
        demand(granted, Permission.EMBED_LINKS)
    if request.files:
        demand(granted, Permission.ATTACH_FILES)
    if body.get("message_reference") and not granted & Permission.READ_MESSAGE_HISTORY:
        raise ApiError(403, 160002, "Cannot reply without permission to read message history")
    nonce = (channel["id"], str(body.get("nonce")))
    # discord.py numbers every create, so that its own retries of a lost answer do not post twice
    if body.get("enforce_nonce") and body.get("nonce") and nonce in stage.nonces:
        return 200, stage.nonces[nonce]
    if channel["type"] in THREAD_TYPES and channel["thread_metadata"]["archived"]:
        channel["thread_metadata"]["archived"] = False
        stage.emit_thread("THREAD_UPDATE", channel)
    message = make_bot_message(stage, channel, body, request.files)
    if body.get("nonce"):
        message["nonce"] = body["nonce"]
        stage.nonces[nonce] = message
    return 200, message


def make_bot_message(stage: Stage, channel: Payload, body: Payload, files: Sequence[Upload], **fields: Any) -> Payload:
    """A message by the bot, checked, stored and announced."""
    check_message(body, files)
    message = stage.mailbox.make(channel, stage.bot, body, files, **fields)
    try:
        refuse_empty(message)
    except ApiError:
        del stage.world.messages[message["id"]]
        raise
    stage.emit_message("MESSAGE_CREATE", message)
    return message


@routes.on("GET", "/channels/{channel_id}/messages")
def history(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request)
    if not stage.world.permissions(channel, stage.bot) & Permission.READ_MESSAGE_HISTORY:
        return 200, []  # Discord gives none, not an error
    found = list(stage.world.history(channel["id"]))
    limit = int(request.query.get("limit", 50))
    if "around" in request.query:
        near = int(request.query["around"])
        found = sorted(sorted(found, key=lambda m: abs(int(m["id"]) - near))[:limit], key=lambda m: int(m["id"]))
    if "before" in request.query:
        found = [m for m in found if int(m["id"]) < int(request.query["before"])]
    if "after" in request.query:
        found = [m for m in found if int(m["id"]) > int(request.query["after"])][:limit]
    return 200, [stage.fetched(m) for m in reversed(found[-limit:])]


@routes.on("GET", "/channels/{channel_id}/messages/{message_id}")
def one(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request)
    if not stage.world.permissions(channel, stage.bot) & Permission.READ_MESSAGE_HISTORY:
        raise ApiError(403, 50001, "Missing Access")
    return 200, stage.fetched(stage.world.message(channel["id"], request.part["message_id"]))


@routes.on("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request)
    message = stage.world.message(channel["id"], request.part["message_id"])
    if message["author"]["id"] != stage.bot["id"]:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    not_archived(channel)
    if request.files:
        demand(stage.world.permissions(channel, stage.bot), Permission.ATTACH_FILES)
    check_edit(message, request.body, request.files)
    stage.mailbox.edit(message, request.body, request.files)
    stage.emit_message("MESSAGE_UPDATE", message)
    return 200, message


@routes.on("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request)
    message = stage.world.message(channel["id"], request.part["message_id"])
    if message["author"]["id"] != stage.bot["id"]:
        if channel["type"] == DM:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        demand(stage.world.permissions(channel, stage.bot), Permission.MANAGE_MESSAGES)
    not_archived(channel)
    stage.remove_message(message)
    return 204, None


@routes.on("POST", "/channels/{channel_id}/messages/bulk-delete")
def bulk_delete(stage: Stage, request: Request) -> Reply:
    channel = channel_for(stage, request, Permission.MANAGE_MESSAGES)
    gone = [m for m in map(str, request.body["messages"]) if m in stage.world.messages]
    for message_id in gone:
        del stage.world.messages[message_id]
    stage.emit_removal("MESSAGE_DELETE_BULK", {"ids": gone, "channel_id": channel["id"]}, channel)
    return 204, None
