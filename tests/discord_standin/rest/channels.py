"""Routes about channels and threads."""

from tests.discord_standin.payloads import FORUM, PRIVATE_THREAD, THREAD_TYPES, ApiError, Payload, form_error
from tests.discord_standin.permissions import Permission, demand
from tests.discord_standin.rest.access import channel_for, writable
from tests.discord_standin.rest.messages import make_bot_message
from tests.discord_standin.rest.routing import Reply, Request, Routes
from tests.discord_standin.stage import Stage

routes = Routes()


@routes.on("GET", "/channels/{channel_id}")
def channel(stage: Stage, request: Request) -> Reply:
    return 200, channel_for(stage, request)


@routes.on("PATCH", "/channels/{channel_id}")
def change(stage: Stage, request: Request) -> Reply:
    target = channel_for(stage, request)
    granted = stage.world.permissions(target, stage.bot)
    if target["type"] not in THREAD_TYPES:
        demand(granted, Permission.MANAGE_CHANNELS)
        for key in set(request.body) & set(target):
            target[key] = request.body[key]
        stage.emit("CHANNEL_UPDATE", target, target["guild_id"])
        return 200, target
    state = target["thread_metadata"]
    own = target["owner_id"] == stage.bot["id"]
    if not own or "locked" in request.body:
        demand(granted, Permission.MANAGE_THREADS)
    if state["archived"] and request.body.get("archived") is not False:
        raise ApiError(400, 50083, "Tried to perform an operation on an archived thread")
    if "applied_tags" in request.body:
        target["applied_tags"] = _tags(stage.world.channels[target["parent_id"]], request.body["applied_tags"])
    for key in ("archived", "locked", "auto_archive_duration"):
        if key in request.body:
            state[key] = request.body[key]
    if "name" in request.body:
        target["name"] = request.body["name"]
    stage.emit_thread("THREAD_UPDATE", target)
    return 200, target


@routes.on("DELETE", "/channels/{channel_id}")
def delete(stage: Stage, request: Request) -> Reply:
    target = channel_for(stage, request)
    is_thread = target["type"] in THREAD_TYPES
    needed = Permission.MANAGE_THREADS if is_thread else Permission.MANAGE_CHANNELS
    demand(stage.world.permissions(target, stage.bot), needed)
    if is_thread:
        stage.emit_thread("THREAD_DELETE", target)
    else:
        stage.emit("CHANNEL_DELETE", target, target["guild_id"])
    stage.world.drop_channel(target)
    return 200, target


@routes.on("POST", "/channels/{channel_id}/typing")
def typing(stage: Stage, request: Request) -> Reply:
    writable(stage, channel_for(stage, request))
    return 204, None


@routes.on("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def thread_from_message(stage: Stage, request: Request) -> Reply:
    parent = channel_for(stage, request, Permission.CREATE_PUBLIC_THREADS, Permission.READ_MESSAGE_HISTORY)
    message = stage.world.message(parent["id"], request.part["message_id"])
    if message["id"] in stage.world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    thread = stage.open_thread(stage.bot, parent, request.body["name"], message)
    if request.body.get("auto_archive_duration"):
        thread["thread_metadata"]["auto_archive_duration"] = request.body["auto_archive_duration"]
    return 201, thread


@routes.on("POST", "/channels/{channel_id}/threads")
def thread(stage: Stage, request: Request) -> Reply:
    parent = channel_for(stage, request)
    if parent["type"] == FORUM:
        return _forum_post(stage, request, parent)
    kind = request.body.get("type") or PRIVATE_THREAD
    private = kind == PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    demand(stage.world.permissions(parent, stage.bot), needed)
    made = stage.world.make_thread(parent, request.body["name"], stage.bot, kind)
    stage.emit_thread("THREAD_CREATE", made)
    return 201, made


def _forum_post(stage: Stage, request: Request, forum: Payload) -> Reply:
    writable(stage, forum)
    tags = _tags(forum, request.body.get("applied_tags") or [])
    made = stage.world.make_thread(forum, request.body["name"], stage.bot, applied_tags=tags)
    stage.emit_thread("THREAD_CREATE", made)
    message = make_bot_message(stage, made, request.body["message"], request.files, id=made["id"])
    return 201, {**made, "message": message}


def _tags(forum: Payload, asked: list[object]) -> list[str]:
    tags = [str(tag) for tag in asked]
    known = {tag["id"] for tag in forum.get("available_tags") or []}
    if len(tags) > 5 or not set(tags) <= known:
        raise form_error("applied_tags", "TAG_INVALID", "A post has up to five tags of its forum")
    return tags


@routes.on("PUT", "/channels/{channel_id}/thread-members/@me")
@routes.on("DELETE", "/channels/{channel_id}/thread-members/@me")
def own_thread_membership(stage: Stage, request: Request) -> Reply:
    channel_for(stage, request)
    return 204, None


@routes.on("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me")
def react(stage: Stage, request: Request) -> Reply:
    where = channel_for(stage, request, Permission.ADD_REACTIONS, Permission.READ_MESSAGE_HISTORY)
    stage.world.message(where["id"], request.part["message_id"])
    return 204, None


@routes.on("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
def pin(stage: Stage, request: Request) -> Reply:
    where = channel_for(stage, request, Permission.PIN_MESSAGES)
    message = stage.world.message(where["id"], request.part["message_id"])
    message["pinned"] = True
    stage.emit_message("MESSAGE_UPDATE", message)
    return 204, None
