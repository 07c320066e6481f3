"""What people, other bots and moderators do in guilds and channels; the bot hears of it over the gateway."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from tests.discord_standin.limits import CONTENT_CHARACTERS
from tests.discord_standin.messages import snapshot
from tests.discord_standin.payloads import FORUM, TEXT, Intent, MessageFlag, Payload, Upload, text_file, timestamp
from tests.discord_standin.permissions import NOTHING, Permission
from tests.discord_standin.stage import Stage
from tests.discord_standin.world import BOT_DEFAULT


class People(Stage):
    """Nothing here waits: when a call returns, the event is on its way to every session that may see it."""

    # guilds, roles, channels

    def add_guild(
        self, name: str = "support", *, bot_permissions: Permission | None = BOT_DEFAULT, locale: str = "en-US"
    ) -> Payload:
        """A guild the bot is in, with these permissions on its own role; with None one it was never invited to."""
        guild = self.world.make_guild(name, bot_permissions)
        guild["preferred_locale"] = locale
        if bot_permissions is not None:
            self._emit_guild(guild)
        return guild

    def invite_bot(self, guild: Payload, permissions: Permission = BOT_DEFAULT) -> None:
        """The bot is invited to a guild that was there before it."""
        self.world.invite(guild, permissions)
        self._emit_guild(guild)

    def remove_bot(self, guild: Payload) -> None:
        """The bot is kicked."""
        self.world.expel(guild, self.bot)
        self.emit("GUILD_DELETE", {"id": guild["id"]}, guild["id"])

    def recover(self, guild: Payload) -> None:
        """The guild is available again after an outage."""
        self.gateway.emit(
            "GUILD_CREATE", lambda intents: self.gateway.guild_payload(guild, intents), Intent.GUILDS, guild["id"]
        )

    def outage(self, guild: Payload) -> None:
        """The guild is unavailable for now; the bot still belongs to it."""
        self.emit("GUILD_DELETE", {"id": guild["id"], "unavailable": True}, guild["id"])

    def _emit_guild(self, guild: Payload) -> None:
        def joined(intents: Intent) -> Payload:
            # `unavailable` is only said of guilds one was already in; discord.py tells a new guild by its absence
            payload = self.gateway.guild_payload(guild, intents)
            return {key: value for key, value in payload.items() if key != "unavailable"}

        self.gateway.emit("GUILD_CREATE", joined, Intent.GUILDS, guild["id"])

    def add_channel(self, guild: Payload, name: str = "general", kind: int = TEXT, **fields: Any) -> Payload:
        """A channel of kind TEXT, ANNOUNCEMENT or FORUM."""
        channel = self.world.make_channel(guild, name, kind, **fields)
        self.emit("CHANNEL_CREATE", channel, guild["id"])
        return channel

    def add_forum(self, guild: Payload, name: str = "help", tags: Sequence[str] = ()) -> Payload:
        """A forum with these tags; their ids are in its available_tags."""
        made = [
            {"id": self.world.ids(), "name": tag, "moderated": False, "emoji_id": None, "emoji_name": None}
            for tag in tags
        ]
        return self.add_channel(guild, name, FORUM, available_tags=made)

    def remove_channel(self, channel: Payload) -> None:
        """A channel or thread is deleted."""
        if "thread_metadata" in channel:
            self.emit_thread("THREAD_DELETE", channel)
        else:
            self.emit("CHANNEL_DELETE", channel, channel["guild_id"])
        self.world.drop_channel(channel)

    def add_role(self, guild: Payload, name: str, permissions: Permission = NOTHING, **fields: Any) -> Payload:
        role = self.world.make_role(guild, name, permissions, **fields)
        self.emit("GUILD_ROLE_CREATE", {"guild_id": guild["id"], "role": role}, guild["id"])
        return role

    def set_role(self, guild: Payload, role: Payload, permissions: Permission) -> None:
        """A role carries these permissions from now on; the guild's first role is @everyone."""
        role["permissions"] = str(int(permissions))
        self.emit("GUILD_ROLE_UPDATE", {"guild_id": guild["id"], "role": role}, guild["id"])

    def give_role(self, guild: Payload, user: Payload, role: Payload) -> None:
        member = self.world.member(guild["id"], user["id"])
        assert member is not None, f"{user['username']} is no member of {guild['name']}"
        member["roles"].append(role["id"])
        intent = Intent.GUILDS if user is self.bot else Intent.MEMBERS  # news about oneself need no intent
        self.gateway.emit("GUILD_MEMBER_UPDATE", {**member, "guild_id": guild["id"]}, intent, guild["id"])

    def overwrite(
        self,
        channel: Payload,
        whom: Payload,
        *,
        allow: Permission = NOTHING,
        deny: Permission = NOTHING,
    ) -> None:
        """Set what a role or person may do in one channel, in place of an earlier overwrite."""
        kind = 0 if "permissions" in whom else 1
        kept = [entry for entry in channel["permission_overwrites"] if entry["id"] != whom["id"]]
        mine = {"id": whom["id"], "type": kind, "allow": str(int(allow)), "deny": str(int(deny))}
        channel["permission_overwrites"] = [*kept, mine]
        self.emit("CHANNEL_UPDATE", channel, channel["guild_id"])

    def add_user(
        self, name: str = "ann", guild: Payload | None = None, *, bot: bool = False, roles: Sequence[Payload] = ()
    ) -> Payload:
        """A person, or another bot, who joins a guild with these roles."""
        user = self.world.make_user(name, bot=bot)
        if guild is not None:
            self.join(guild, user, roles)
        return user

    def join(self, guild: Payload, user: Payload, roles: Sequence[Payload] = ()) -> None:
        member = self.world.make_member(guild, user)
        member["roles"] += [role["id"] for role in roles]
        self.gateway.emit("GUILD_MEMBER_ADD", {**member, "guild_id": guild["id"]}, Intent.MEMBERS, guild["id"])

    def add_dm(self, user: Payload) -> Payload:
        """The DM channel between a person and the bot."""
        return self.world.make_dm(user)

    def add_private_channel(self, user: Payload) -> Payload:
        """A DM of a person with another person, where the bot is only as an app of theirs."""
        return self.world.make_dm(user, with_bot=False)

    def close_dms(self, user: Payload) -> None:
        """The person takes no DMs from the bot any more."""
        self.world.closed_dms.add(user["id"])

    # messages

    def say(
        self,
        user: Payload,
        channel: Payload,
        content: str = "",
        *,
        files: Sequence[Upload] = (),
        reply_to: Payload | None = None,
        ping: bool = True,
        embeds: Sequence[Payload] = (),
        at: dt.datetime | None = None,
        **fields: Any,
    ) -> Payload:
        """A message; one that is too long becomes message.txt, as the Discord client does it.

        `ping` is the switch beside a reply. `at` (aware) makes the message older than now. More fields are taken
        as they are, so `type=7` makes the note that somebody joined.
        """
        if len(content) > CONTENT_CHARACTERS:
            content, files = "", [text_file("message.txt", content), *files]
        if (state := channel.get("thread_metadata")) and state["archived"]:
            self.archive(channel, archived=False)  # writing wakes a thread
        body: Payload = {"content": content, "embeds": list(embeds)}
        if reply_to is not None:
            body["message_reference"] = {"message_id": reply_to["id"]}
            body["allowed_mentions"] = {"parse": ["users", "roles", "everyone"], "replied_user": ping}
        if at is not None:
            fields |= {"id": self.world.ids(at), "timestamp": timestamp(at)}
        message = self.mailbox.make(channel, user, body, files, **fields)
        self.emit_message("MESSAGE_CREATE", message)
        return message

    def forward(self, user: Payload, channel: Payload, original: Payload) -> Payload:
        """A forwarded message: a snapshot without author, nothing said about it."""
        reference = {"type": 1, "message_id": original["id"], "channel_id": original["channel_id"]}
        flags = int(MessageFlag.HAS_SNAPSHOT)
        snapshots = [snapshot(original)]
        return self.say(user, channel, message_reference=reference, message_snapshots=snapshots, flags=flags)

    def post_by_webhook(
        self, channel: Payload, content: str = "", *, name: str = "CI", embeds: Sequence[Payload] = (), **fields: Any
    ) -> Payload:
        """A message through a webhook: by a CI, or a proxy that speaks for a person."""
        author = self.world.make_user(name, bot=True) | {"discriminator": "0000", "global_name": None}
        return self.say(author, channel, content, embeds=embeds, webhook_id=author["id"], **fields)

    def edit(self, message: Payload, content: str) -> None:
        """The author changes the text."""
        self.mailbox.edit(message, {"content": content})
        self.emit_message("MESSAGE_UPDATE", message)

    def unfurl(self, message: Payload, embeds: Sequence[Payload] = ()) -> None:
        """Discord adds previews some seconds after a message: an update in which the text is what it was."""
        message["embeds"] = list(embeds)
        self.emit_message("MESSAGE_UPDATE", message)

    def pin(self, message: Payload) -> None:
        message["pinned"] = True
        self.emit_message("MESSAGE_UPDATE", message)

    def delete(self, message: Payload) -> None:
        self.remove_message(message)

    def delete_many(self, messages: Sequence[Payload]) -> None:
        """A moderator purges messages of one channel at once."""
        channel = self.world.channels[messages[0]["channel_id"]]
        for message in messages:
            self.world.messages.pop(message["id"], None)
        ids = [message["id"] for message in messages]
        self.emit_removal("MESSAGE_DELETE_BULK", {"ids": ids, "channel_id": channel["id"]}, channel)

    # threads

    def thread(self, user: Payload, channel: Payload, name: str, message: Payload | None = None) -> Payload:
        """A person opens a public thread, from a message (it gets its id) or by itself."""
        return self.open_thread(user, channel, name, message)

    def forum_post(
        self,
        user: Payload,
        forum: Payload,
        title: str,
        content: str = "",
        *,
        tags: Sequence[str] = (),
        files: Sequence[Upload] = (),
    ) -> tuple[Payload, Payload]:
        """A post and its first message, which has its id; the thread is announced first."""
        thread = self.world.make_thread(forum, title, user, applied_tags=self._tag_ids(forum, tags))
        self.emit_thread("THREAD_CREATE", thread)
        return thread, self.say(user, thread, content, files=files, id=thread["id"])

    def set_tags(self, thread: Payload, tags: Sequence[str]) -> None:
        """The post carries these tags, by name, and no others."""
        thread["applied_tags"] = self._tag_ids(self.world.channels[thread["parent_id"]], tags)
        self.emit_thread("THREAD_UPDATE", thread)

    def archive(self, thread: Payload, *, archived: bool = True, locked: bool | None = None) -> None:
        thread["thread_metadata"]["archived"] = archived
        if locked is not None:
            thread["thread_metadata"]["locked"] = locked
        self.emit_thread("THREAD_UPDATE", thread)

    def lock(self, thread: Payload, *, locked: bool = True) -> None:
        thread["thread_metadata"]["locked"] = locked
        self.emit_thread("THREAD_UPDATE", thread)

    @staticmethod
    def _tag_ids(forum: Payload, names: Sequence[str]) -> list[str]:
        by_name = {tag["name"]: tag["id"] for tag in forum["available_tags"]}
        return [by_name[name] for name in names]
