"""What exists: people, guilds, roles, channels and threads, as the payloads the API hands out."""

import contextlib
from collections.abc import Iterator

from tests.discord_standin.payloads import (
    DM,
    PUBLIC_THREAD,
    TEXT,
    THREAD_TYPES,
    ApiError,
    Payload,
    Snowflakes,
    timestamp,
)
from tests.discord_standin.permissions import (
    DIRECT_MESSAGE,
    EVERYONE_DEFAULT,
    Permission,
    effective,
    in_channel,
    in_guild,
)

# What the bot's own role carries unless a test invites it otherwise.
BOT_DEFAULT = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
)

_EMPTY_GUILD_FIELDS = (
    "afk_channel_id", "application_id", "banner", "description", "discovery_splash", "home_header", "incidents_data",
    "max_presences", "public_updates_channel_id", "rules_channel_id", "safety_alerts_channel_id", "splash",
    "system_channel_id", "vanity_url_code", "widget_channel_id",
)  # fmt: skip


class World:
    """Entities by id. Building here tells no gateway session; `people.People` does that.

    `hidden` maps the id of an ephemeral message to the person who sees it.
    """

    def __init__(self) -> None:
        self.ids = Snowflakes()
        self.users: dict[str, Payload] = {}
        self.guilds: dict[str, Payload] = {}
        self.channels: dict[str, Payload] = {}
        self.messages: dict[str, Payload] = {}
        self.hidden: dict[str, str] = {}
        self.closed_dms: set[str] = set()
        self.owner = self.make_user("application-owner")
        self.bot = self.make_user("errata", bot=True)
        self.app_id: str = self.bot["id"]

    def make_user(self, name: str, *, bot: bool = False) -> Payload:
        user: Payload = {
            "id": self.ids(),
            "username": name,
            "discriminator": "0",
            "avatar": None,
            "global_name": None if bot else name.title(),
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
            "bot": bot,
            "banner": None,
            "accent_color": None,
            "avatar_decoration_data": None,
            "collectibles": None,
        }
        self.users[user["id"]] = user
        return user

    def make_role(self, guild: Payload, name: str, permissions: Permission, **fields: object) -> Payload:
        role: Payload = {
            "id": self.ids(),
            "name": name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": len(guild["roles"]),
            "permissions": str(int(permissions)),
            "managed": False,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
            **fields,
        }
        guild["roles"].append(role)
        return role

    def make_guild(self, name: str, bot_permissions: Permission | None) -> Payload:
        """A new guild with an owner; without `bot_permissions` the bot is no member of it."""
        owner = self.make_user(f"{name}-owner")
        guild: Payload = {
            "id": self.ids(),
            "name": name,
            "icon": None,
            "owner_id": owner["id"],
            "features": [],
            "channels": [],
            "threads": [],
            "roles": [],
            "members": [],
            "emojis": [],
            "stickers": [],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "member_count": 0,
            "large": False,
            "joined_at": timestamp(),
            "unavailable": False,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "max_members": 500_000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "nsfw": False,
            "region": "deprecated",
            "widget_enabled": False,
            **dict.fromkeys(_EMPTY_GUILD_FIELDS),
            "preferred_locale": "en-US",
            "nsfw_level": 0,
            "system_channel_flags": 0,
            "premium_progress_bar_enabled": False,
            "afk_timeout": 300,
        }
        self.guilds[guild["id"]] = guild
        self.make_role(guild, "@everyone", EVERYONE_DEFAULT, id=guild["id"])
        self.make_member(guild, owner)
        if bot_permissions is not None:
            self.invite(guild, bot_permissions)
        return guild

    def invite(self, guild: Payload, permissions: Permission) -> None:
        """The bot becomes a member, with a managed role of its own."""
        role = self.make_role(guild, self.bot["username"], permissions, managed=True, tags={"bot_id": self.bot["id"]})
        self.make_member(guild, self.bot)["roles"].append(role["id"])

    def make_member(self, guild: Payload, user: Payload) -> Payload:
        member: Payload = {
            "user": user,
            "roles": [],
            "joined_at": timestamp(),
            "nick": None,
            "avatar": None,
            "banner": None,
            "premium_since": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "communication_disabled_until": None,
        }
        guild["members"].append(member)
        guild["member_count"] += 1
        return member

    def make_channel(self, guild: Payload, name: str, kind: int = TEXT, **fields: object) -> Payload:
        channel: Payload = {
            "id": self.ids(),
            "type": kind,
            "guild_id": guild["id"],
            "name": name,
            "position": len(guild["channels"]),
            "permission_overwrites": [],
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "last_message_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
            **fields,
        }
        guild["channels"].append(channel)
        self.channels[channel["id"]] = channel
        return channel

    def make_thread(
        self, parent: Payload, name: str, owner: Payload, kind: int = PUBLIC_THREAD, **fields: object
    ) -> Payload:
        thread: Payload = {
            "id": self.ids(),
            "type": kind,
            "name": name,
            "guild_id": parent["guild_id"],
            "parent_id": parent["id"],
            "owner_id": owner["id"],
            "last_message_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 4320,
                "archive_timestamp": timestamp(),
                "locked": False,
                "create_timestamp": timestamp(),
            },
            **fields,
        }
        self.channels[thread["id"]] = thread
        self.guilds[parent["guild_id"]]["threads"].append(thread)
        return thread

    def make_dm(self, user: Payload, *, with_bot: bool = True) -> Payload:
        """The DM channel of a person with the bot, one per person; or one between people the bot cannot see."""
        if with_bot:
            for channel in self.channels.values():
                if channel["type"] == DM and channel["recipients"] == [user] and not channel.get("foreign"):
                    return channel
        channel = {"id": self.ids(), "type": DM, "recipients": [user], "last_message_id": None, "flags": 0}
        if not with_bot:
            channel["foreign"] = True
        self.channels[channel["id"]] = channel
        return channel

    def user(self, user_id: str) -> Payload:
        """A person by id. Raises Discord's 10013."""
        if user_id not in self.users:
            raise ApiError(404, 10013, "Unknown User")
        return self.users[user_id]

    def guild(self, guild_id: str) -> Payload:
        """A guild the bot is in. Raises Discord's 50001 for any other."""
        if guild_id not in self.guilds or not self.bot_is_in(guild_id):
            raise ApiError(403, 50001, "Missing Access")
        return self.guilds[guild_id]

    def expel(self, guild: Payload, user: Payload) -> None:
        """A person is no member of a guild any more."""
        guild["members"].remove(self.member(guild["id"], user["id"]))
        guild["member_count"] -= 1

    def member(self, guild_id: str, user_id: str) -> Payload | None:
        """The membership of a person in a guild, where there is one."""
        members: list[Payload] = self.guilds[guild_id]["members"]
        return next((member for member in members if member["user"]["id"] == user_id), None)

    def governing(self, channel: Payload) -> Payload:
        """The channel whose overwrites count: a thread's parent, else the channel itself."""
        return self.channels[channel["parent_id"]] if channel["type"] in THREAD_TYPES else channel

    def permissions(self, channel: Payload, user: Payload) -> Permission:
        """What a person may do in a channel; nothing where they are no member."""
        if "guild_id" not in channel:
            foreign = channel.get("foreign") and user["id"] == self.bot["id"]
            return Permission(0) if foreign else DIRECT_MESSAGE
        guild = self.guilds.get(channel["guild_id"])
        member = self.member(guild["id"], user["id"]) if guild else None
        if guild is None or member is None:
            return Permission(0)
        return effective(in_channel(guild, self.governing(channel), member), channel)

    def guild_permissions(self, guild: Payload, user: Payload) -> Permission:
        member = self.member(guild["id"], user["id"])
        return in_guild(guild, member) if member else Permission(0)

    def bot_is_in(self, guild_id: str) -> bool:
        return self.member(guild_id, self.bot["id"]) is not None

    def bot_sees(self, channel: Payload) -> bool:
        return bool(self.permissions(channel, self.bot) & Permission.VIEW_CHANNEL)

    def channel(self, channel_id: str) -> Payload:
        """A channel by id. Raises Discord's 10003."""
        if channel_id not in self.channels:
            raise ApiError(404, 10003, "Unknown Channel")
        return self.channels[channel_id]

    def message(self, channel_id: str, message_id: str) -> Payload:
        """A message as channel routes find it: no ephemeral one. Raises Discord's 10008."""
        message = self.messages.get(message_id)
        if message is None or message["channel_id"] != channel_id or message_id in self.hidden:
            raise ApiError(404, 10008, "Unknown Message")
        return message

    def history(self, channel_id: str) -> Iterator[Payload]:
        """The messages of a channel that everybody in it sees, oldest first."""
        found = [m for m in self.messages.values() if m["channel_id"] == channel_id and m["id"] not in self.hidden]
        yield from sorted(found, key=lambda message: int(message["id"]))

    def drop_channel(self, channel: Payload) -> None:
        """A channel or thread is gone, with its messages and threads."""
        self.channels.pop(channel["id"], None)
        guild = self.guilds[channel["guild_id"]]
        for kind in ("channels", "threads"):
            with contextlib.suppress(ValueError):
                guild[kind].remove(channel)
        for message in list(self.messages.values()):
            if message["channel_id"] == channel["id"]:
                del self.messages[message["id"]]
        for thread in [t for t in guild["threads"] if t["parent_id"] == channel["id"]]:
            self.drop_channel(thread)
