"""How a message comes to be: its text, mentions, embeds, components and files."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.discord_standin.cdn import Cdn
from tests.discord_standin.payloads import (
    ApiError,
    MessageFlag,
    Payload,
    Upload,
    form_error,
    timestamp,
    visible_text,
)
from tests.discord_standin.permissions import Permission
from tests.discord_standin.world import World

THREAD_CREATED, REPLY, CHAT_INPUT_COMMAND, THREAD_STARTER, CONTEXT_MENU_COMMAND = 18, 19, 20, 21, 23
# Discord does not read mentions inside code.
_CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]*`", re.DOTALL)


class Mailbox:
    """Makes, changes and numbers messages in the world."""

    def __init__(self, world: World, cdn: Cdn) -> None:
        self._world, self._cdn = world, cdn

    def make(
        self,
        channel: Payload,
        author: Payload,
        body: Payload,
        files: Sequence[Upload] = (),
        *,
        parse_all: bool = True,
        folder: str = "attachments",
        **fields: Any,
    ) -> Payload:
        """A new message, stored. `parse_all` is False where Discord pings only people by default (interactions)."""
        message: Payload = {
            "id": self._world.ids(),
            "channel_id": channel["id"],
            "author": author,
            "content": (body.get("content") or "").strip(),
            "timestamp": timestamp(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": _embeds(body.get("embeds")),
            "pinned": False,
            "type": 0,
            "flags": int(body.get("flags") or 0),
            "components": [],
        }
        self._refer(channel, message, body)
        message.update(fields)
        self._attach(message, body, files, folder)
        message["components"] = self._components(body.get("components"), message["attachments"])
        self.ping(channel, message, body.get("allowed_mentions"), parse_all=parse_all)
        self._world.messages[message["id"]] = message
        channel["last_message_id"] = message["id"]
        if "message_count" in channel:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
        return message

    def _refer(self, channel: Payload, message: Payload, body: Payload) -> None:
        reference = body.get("message_reference")
        if not reference:
            return
        target = self._world.messages.get(str(reference["message_id"]))
        if target is None and reference.get("fail_if_not_exists", True):
            raise form_error("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message", mistake=False)
        where = target["channel_id"] if target else channel["id"]
        message["message_reference"] = {"type": 0, "message_id": str(reference["message_id"]), "channel_id": where}
        if "guild_id" in channel:
            message["message_reference"]["guild_id"] = channel["guild_id"]
        message["type"] = REPLY
        # one level deep, as Discord gives it
        nested = target and {key: value for key, value in target.items() if key != "referenced_message"}
        message["referenced_message"] = nested

    def _attach(self, message: Payload, body: Payload, files: Sequence[Upload], folder: str) -> None:
        notes = {str(note["id"]): note for note in body.get("attachments") or []}
        for number, upload in enumerate(files):
            attachment = self._cdn.store(folder, message["channel_id"], upload)
            if (note := notes.get(str(number))) and note.get("description"):
                attachment["description"] = note["description"]
            message["attachments"].append(attachment)

    def ping(self, channel: Payload, message: Payload, allowed: Payload | None, *, parse_all: bool) -> None:
        """Set who a message pings: text of V2 displays counts, code does not, and a reply pings unless told not to."""
        text = _CODE.sub("", visible_text(message))
        if allowed is None:
            everybody = ["users", "roles", "everyone"] if parse_all else ["users"]
            allowed = {"parse": everybody, "replied_user": parse_all}
        parse = allowed.get("parse") or []
        may_ping_all = bool(self._world.permissions(channel, message["author"]) & Permission.MENTION_EVERYONE)
        users = [
            self._world.users[user_id]
            for user_id in dict.fromkeys(re.findall(r"<@!?(\d+)>", text))
            if user_id in self._world.users and ("users" in parse or user_id in map(str, allowed.get("users") or []))
        ]
        target = message.get("referenced_message")
        if message["type"] == REPLY and target and allowed.get("replied_user") and target["author"] not in users:
            users.append(target["author"])
        guild = self._world.guilds.get(channel.get("guild_id", ""))
        roles = {role["id"]: role for role in guild["roles"]} if guild else {}
        message["mentions"] = users
        message["mention_roles"] = [
            role_id
            for role_id in dict.fromkeys(re.findall(r"<@&(\d+)>", text))
            if role_id in roles
            and (roles[role_id]["mentionable"] or may_ping_all)
            and ("roles" in parse or role_id in map(str, allowed.get("roles") or []))
        ]
        called = re.search(r"@(everyone|here)\b", text) is not None
        message["mention_everyone"] = called and "everyone" in parse and may_ping_all

    def edit(self, message: Payload, body: Payload, files: Sequence[Upload] = (), *, parse_all: bool = True) -> None:
        """Apply a checked edit; what the body does not name stays."""
        if "content" in body:
            message["content"] = (body["content"] or "").strip()
        if "embeds" in body:
            message["embeds"] = _embeds(body["embeds"])
        if body.get("flags") is not None:
            kept = message["flags"] & ~MessageFlag.SUPPRESS_EMBEDS
            message["flags"] = int(kept | body["flags"] & (MessageFlag.COMPONENTS_V2 | MessageFlag.SUPPRESS_EMBEDS))
        if "attachments" in body:
            kept_ids = {str(entry["id"]) for entry in body["attachments"] or []}
            message["attachments"] = [a for a in message["attachments"] if a["id"] in kept_ids]
        self._attach(message, body, files, "attachments")
        if "components" in body:
            message["components"] = self._components(body["components"], message["attachments"])
        channel = self._world.channels[message["channel_id"]]
        self.ping(channel, message, body.get("allowed_mentions"), parse_all=parse_all)
        message["edited_timestamp"] = timestamp()

    def _components(
        self, components: list[Payload] | None, files: list[Payload], numbers: Iterator[int] | None = None
    ) -> list[Payload]:
        """Components as responses carry them: each with an id, defaults filled in, media resolved."""
        numbers = numbers or itertools.count(1)
        made: list[Payload] = []
        for asked in components or []:
            one = {key: value for key, value in asked.items() if value is not None}
            one["id"] = one.get("id") or next(numbers)
            if "components" in one:
                one["components"] = self._components(one["components"], files, numbers)
            if "accessory" in one:
                one["accessory"] = self._components([one["accessory"]], files, numbers)[0]
            self._fill_in(one, files)
            made.append(one)
        return made

    def _fill_in(self, one: Payload, files: list[Payload]) -> None:
        kind = one["type"]
        if kind in (3, 5, 6, 7, 8):
            one.setdefault("min_values", 1)
            one.setdefault("max_values", 1)
        elif kind == 11:
            one.update(media=self._media(one["media"], files), description=one.get("description"))
            one.setdefault("spoiler", False)
        elif kind == 12:
            one["items"] = [
                {
                    "media": self._media(item["media"], files),
                    "description": item.get("description"),
                    "spoiler": bool(item.get("spoiler")),
                }
                for item in one["items"]
            ]
        elif kind == 13:
            one["file"] = self._media(one["file"], files)
            shown = next((f for f in files if f["id"] == one["file"].get("attachment_id")), None)
            if shown is None:
                raise form_error("components", "FILE_COMPONENT_INVALID", "A file component shows an attachment only")
            one.update(name=shown["filename"], size=shown["size"])
            one.setdefault("spoiler", False)
        elif kind == 14:
            one.setdefault("divider", True)
            one.setdefault("spacing", 1)
        elif kind == 17:
            one.setdefault("accent_color", None)
            one.setdefault("spoiler", False)

    def _media(self, asked: Payload, files: list[Payload]) -> Payload:
        url = str(asked["url"])
        media: Payload = {"id": self._world.ids(), "url": url, "proxy_url": url}
        if url.startswith("attachment://"):
            name = url.removeprefix("attachment://")
            # a message fetched and sent back names its old files by address, a new one by name
            found = next((f for f in files if f["filename"] == name), None)
            if found is None:
                raise form_error(
                    "components",
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment '{name}' was not found",
                )
            media |= {"url": found["url"], "proxy_url": found["proxy_url"], "attachment_id": found["id"]}
            if "content_type" in found:
                media["content_type"] = found["content_type"]
        elif found := next((f for f in files if f["url"].partition("?")[0] == url.partition("?")[0]), None):
            media["attachment_id"] = found["id"]
        return media


def snapshot(message: Payload) -> Payload:
    """What a forward carries of a message: no author, no id."""
    kept = ("type", "content", "mentions", "mention_roles", "attachments", "embeds", "timestamp", "edited_timestamp")
    return {"message": {key: message[key] for key in (*kept, "flags", "components")}}


def _embeds(embeds: list[Payload] | None) -> list[Payload]:
    return [{"type": "rich", **embed} for embed in embeds or []]


def pings(message: Payload) -> list[str]:
    """Whom a message pings: ids of people and roles, and "everyone"; empty for one that pings nobody."""
    people = [user["id"] for user in message["mentions"]]
    return people + list(message["mention_roles"]) + (["everyone"] if message["mention_everyone"] else [])


def refuse_empty(message: Payload) -> None:
    """Raise Discord's 50006 for a message that shows nothing."""
    shown = ("content", "embeds", "components", "attachments", "poll", "message_snapshots")
    if not any(message.get(key) for key in shown):
        raise ApiError(400, 50006, "Cannot send an empty message", mistake=True)
