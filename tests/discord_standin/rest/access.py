"""May the bot do this here? What several routes ask before they act."""

from tests.discord_standin.payloads import DM, THREAD_TYPES, ApiError, Payload
from tests.discord_standin.permissions import Permission, demand
from tests.discord_standin.rest.routing import Request
from tests.discord_standin.stage import Stage


def channel_for(stage: Stage, request: Request, *needed: Permission) -> Payload:
    """The channel of the path. Raises 10003 where there is none, 50001 and 50013 where the bot may not."""
    channel = stage.world.channel(request.part["channel_id"])
    demand(stage.world.permissions(channel, stage.bot), *needed)
    return channel


def writable(stage: Stage, channel: Payload) -> Permission:
    """What the bot may do in a channel it may write in. Raises Discord's error where it may not write."""
    granted = stage.world.permissions(channel, stage.bot)
    if channel["type"] == DM:
        demand(granted)
        if channel["recipients"][0]["id"] in stage.world.closed_dms:
            raise ApiError(403, 50007, "Cannot send messages to this user")
        return granted
    if channel["type"] in THREAD_TYPES:
        demand(granted, Permission.SEND_MESSAGES_IN_THREADS)
        if channel["thread_metadata"]["locked"] and not granted & Permission.MANAGE_THREADS:
            raise ApiError(403, 160005, "Thread is locked")
    else:
        demand(granted, Permission.SEND_MESSAGES)
    return granted


def not_archived(channel: Payload) -> None:
    """Raise Discord's 50083 for what cannot be done in an archived thread."""
    if channel["type"] in THREAD_TYPES and channel["thread_metadata"]["archived"]:
        raise ApiError(400, 50083, "Tried to perform an operation on an archived thread")
