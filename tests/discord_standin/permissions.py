"""Who may do what, computed from roles and overwrites as Discord computes it."""

from enum import IntFlag

from tests.discord_standin.payloads import THREAD_TYPES, ApiError, Payload


class Permission(IntFlag):
    """Bits of a permission set; those the stand-in decides anything by."""

    CREATE_INSTANT_INVITE = 1 << 0
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


P = Permission
NOTHING = Permission(0)
ALL = Permission((1 << 53) - 1)
# What @everyone may do in a server nobody has configured.
EVERYONE_DEFAULT = (
    P.CREATE_INSTANT_INVITE | P.ADD_REACTIONS | P.VIEW_CHANNEL | P.SEND_MESSAGES | P.EMBED_LINKS | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY | P.MENTION_EVERYONE | P.USE_EXTERNAL_EMOJIS | P.CHANGE_NICKNAME
    | P.USE_APPLICATION_COMMANDS | P.CREATE_PUBLIC_THREADS | P.CREATE_PRIVATE_THREADS | P.SEND_MESSAGES_IN_THREADS
    | P.USE_EXTERNAL_APPS
)  # fmt: skip
# What a member of a DM may do there.
DIRECT_MESSAGE = (
    P.VIEW_CHANNEL | P.SEND_MESSAGES | P.EMBED_LINKS | P.ATTACH_FILES | P.READ_MESSAGE_HISTORY | P.ADD_REACTIONS
    | P.USE_EXTERNAL_EMOJIS | P.USE_APPLICATION_COMMANDS | P.USE_EXTERNAL_APPS
)  # fmt: skip
_NEED_SEND = P.EMBED_LINKS | P.ATTACH_FILES | P.MENTION_EVERYONE


def in_guild(guild: Payload, member: Payload) -> Permission:
    """What a member may do in a guild before any channel is considered."""
    if guild["owner_id"] == member["user"]["id"]:
        return ALL
    granted = Permission(0)
    for role in guild["roles"]:
        if role["id"] == guild["id"] or role["id"] in member["roles"]:
            granted |= Permission(int(role["permissions"]))
    return ALL if granted & P.ADMINISTRATOR else granted


def in_channel(guild: Payload, channel: Payload, member: Payload) -> Permission:
    """What a member may do in a channel; give a thread's parent for a thread.

    Overwrites apply in Discord's order: @everyone, then all roles together, then the member.
    Nothing is left without VIEW_CHANNEL.
    """
    granted = in_guild(guild, member)
    if granted & P.ADMINISTRATOR:
        return ALL
    overwrites = {entry["id"]: entry for entry in channel["permission_overwrites"]}
    mine = [overwrites[role] for role in member["roles"] if role in overwrites]
    for group in (
        [overwrites[guild["id"]]] if guild["id"] in overwrites else [],
        mine,
        [overwrites[member["user"]["id"]]] if member["user"]["id"] in overwrites else [],
    ):
        for entry in group:
            granted &= ~Permission(int(entry["deny"]))
        for entry in group:
            granted |= Permission(int(entry["allow"]))
    if not granted & P.VIEW_CHANNEL:
        return Permission(0)
    return granted


def effective(granted: Permission, channel: Payload) -> Permission:
    """`granted` less what means nothing where one may not write."""
    writing = P.SEND_MESSAGES_IN_THREADS if channel["type"] in THREAD_TYPES else P.SEND_MESSAGES
    return granted if granted & writing else granted & ~_NEED_SEND


def demand(granted: Permission, *needed: Permission) -> None:
    """Raise Discord's 50001 where the channel cannot be seen, its 50013 where something else is missing."""
    if not granted & P.VIEW_CHANNEL:
        raise ApiError(403, 50001, "Missing Access")
    for permission in needed:
        if permission & ~granted:
            raise ApiError(403, 50013, "Missing Permissions")
