"""Everything one stand-in holds together; the actors and the REST routes work on it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.discord_standin.cdn import Cdn
from tests.discord_standin.faults import Faults
from tests.discord_standin.gateway import Gateway
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.messages import THREAD_CREATED, THREAD_STARTER, Mailbox
from tests.discord_standin.payloads import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    PUBLIC_THREAD,
    Intent,
    MessageFlag,
    Payload,
    Upload,
)
from tests.discord_standin.spec import Spec, Violation
from tests.discord_standin.world import World

TOKEN = "stand-in.bot.token"  # no Discord token has this form
ACKNOWLEDGE_SECONDS = 3.0


@dataclass(slots=True)
class Call:
    """One REST request as the stand-in saw it, with the answer it gave; status 0: the connection was cut."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    files: Sequence[Upload]
    status: int = 0
    response: Any = None
    at: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"


class Stage:
    """The world with its doors: REST calls, gateway, CDN, interactions.

    `calls` are the REST requests in the order they were answered; `violations` what was wrong with any of them.
    `commands` are the registered commands, globally (None) and by guild.
    """

    def __init__(
        self, spec: Spec, *, token: str = TOKEN, acknowledge_seconds: float = ACKNOWLEDGE_SECONDS, shards: int = 1
    ) -> None:
        self.spec, self.token, self.shards = spec, token, shards
        self.acknowledge_seconds = acknowledge_seconds
        self.world = World()
        self.cdn = Cdn(self.world.ids)
        self.mailbox = Mailbox(self.world, self.cdn)
        self.gateway = Gateway(self.world, token, self.poke)
        self.faults = Faults()
        self.calls: list[Call] = []
        self.violations: list[Violation] = []
        self.commands: dict[str | None, list[Payload]] = {None: []}
        self.commands_created = 0
        self.installed_by: set[str] = set()  # people who have the app on their own account
        self.interactions: dict[str, Interaction] = {}
        self.nonces: dict[tuple[str, str], Payload] = {}
        self.http = self.ws = ""
        self.changed = asyncio.Event()

    @property
    def bot(self) -> Payload:
        """The bot's own user."""
        return self.world.bot

    def poke(self) -> None:
        """Wake everybody who waits for something to change."""
        self.changed.set()
        self.changed = asyncio.Event()

    def emit(self, event: str, data: Payload, guild_id: str | None = None) -> None:
        """An event about guilds, channels, roles or threads."""
        self.gateway.emit(event, data, Intent.GUILDS, guild_id)

    def emit_message(self, event: str, message: Payload) -> None:
        """MESSAGE_CREATE or MESSAGE_UPDATE, where the bot can see the channel; text only for those who may read it."""
        channel = self.world.channels[message["channel_id"]]
        if not self.world.bot_sees(channel):
            return
        payload = message
        if "guild_id" in channel:
            payload = {**message, "guild_id": channel["guild_id"]}
            member = self.world.member(channel["guild_id"], message["author"]["id"])
            if member is not None and "webhook_id" not in message:
                payload["member"] = {key: value for key, value in member.items() if key != "user"}
        intent = Intent.GUILD_MESSAGES if "guild_id" in channel else Intent.DIRECT_MESSAGES
        self.gateway.emit(event, lambda intents: self.as_read(payload, intents), intent, channel.get("guild_id"))

    def as_read(self, message: Payload, intents: Intent) -> Payload:
        """A message as the bot reads it: blank without the content intent, save in its DMs, its own and its mentions."""
        mine = message["author"]["id"] == self.bot["id"]
        called = any(user["id"] == self.bot["id"] for user in message["mentions"])
        direct = "guild_id" not in self.world.channels[message["channel_id"]]
        if intents & Intent.MESSAGE_CONTENT or mine or called or direct:
            return message
        blank = {"content": "", "attachments": [], "embeds": [], "components": []}
        if "message_snapshots" in message:
            blank["message_snapshots"] = []
        return {**message, **blank}

    def fetched(self, message: Payload) -> Payload:
        """A message as a REST route hands it out: files with fresh addresses, text by the application's intents."""
        for attachment in message["attachments"]:
            self.cdn.renew(attachment)
        return self.as_read(message, self.gateway.privileged)

    def remove_message(self, message: Payload) -> None:
        """A message is gone; its files go with it, and everybody who could see it is told."""
        self.world.messages.pop(message["id"], None)
        for attachment in message["attachments"]:
            self.cdn.forget(attachment)
        channel = self.world.channels[message["channel_id"]]
        if not message["flags"] & MessageFlag.EPHEMERAL:
            self.emit_removal("MESSAGE_DELETE", {"id": message["id"], "channel_id": channel["id"]}, channel)

    def emit_removal(self, event: str, data: Payload, channel: Payload) -> None:
        """MESSAGE_DELETE or MESSAGE_DELETE_BULK, where the bot can see the channel."""
        if self.world.bot_sees(channel):
            guild_id = channel.get("guild_id")
            intent = Intent.GUILD_MESSAGES if guild_id else Intent.DIRECT_MESSAGES
            self.gateway.emit(event, data | ({"guild_id": guild_id} if guild_id else {}), intent, guild_id)

    def emit_thread(self, event: str, thread: Payload) -> None:
        """THREAD_CREATE (as newly made), THREAD_UPDATE or THREAD_DELETE, where the bot can see the thread."""
        if not self.world.bot_sees(thread):
            return
        if event == "THREAD_DELETE":
            thread = {key: thread[key] for key in ("id", "guild_id", "parent_id", "type")}
        self.emit(event, thread | ({"newly_created": True} if event == "THREAD_CREATE" else {}), thread["guild_id"])

    def open_thread(self, owner: Payload, parent: Payload, name: str, message: Payload | None = None) -> Payload:
        """A public thread, from a message (then it has its id) or by itself (then the channel says so).

        The bot hears THREAD_CREATE, MESSAGE_UPDATE for the message, which now has a thread, and the messages
        Discord itself writes: in the thread what it grew from, in the channel that it was created.
        """
        kind = ANNOUNCEMENT_THREAD if parent["type"] == ANNOUNCEMENT else PUBLIC_THREAD
        fields = {"id": message["id"]} if message is not None else {}
        thread = self.world.make_thread(parent, name, owner, kind, **fields)
        self.emit_thread("THREAD_CREATE", thread)
        where = {"type": 0, "channel_id": parent["id"], "guild_id": parent["guild_id"]}
        if message is None:
            reference = where | {"channel_id": thread["id"]}
            note = self.mailbox.make(parent, owner, {"content": name}, message_reference=reference, type=THREAD_CREATED)
        else:
            message["flags"] |= int(MessageFlag.HAS_THREAD)
            message["thread"] = thread
            self.emit_message("MESSAGE_UPDATE", message)
            reference = where | {"message_id": message["id"]}
            note = self.mailbox.make(
                thread, owner, {}, message_reference=reference, referenced_message=message, type=THREAD_STARTER
            )
        self.emit_message("MESSAGE_CREATE", note)
        return thread
