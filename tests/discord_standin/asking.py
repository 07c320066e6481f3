"""How people use the bot: commands, suggestions, message menus, buttons, selects, modals."""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

from tests.discord_standin import forms
from tests.discord_standin.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Interaction,
    NotOffered,
)
from tests.discord_standin.options import Resolved, descend, fill, nested
from tests.discord_standin.payloads import THREAD_TYPES, Payload, walk
from tests.discord_standin.permissions import Permission
from tests.discord_standin.stage import Stage

SLASH_COMMAND, MESSAGE_MENU = 1, 3
_GUILD, _BOT_DM, _PRIVATE_CHANNEL = 0, 1, 2
# What an app may do where only a person has installed it, as far as that person may.
_USER_INSTALLED = (
    Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE | Permission.USE_EXTERNAL_EMOJIS
)


class Asking(Stage):
    """Each call returns once the bot has acknowledged; AssertionError where it does not within three seconds.

    `locale` is the language of the person's client. Raises NotOffered for what their client would not show.
    """

    async def slash(
        self,
        user: Payload,
        channel: Payload,
        command: str,
        options: Mapping[str, Any] | None = None,
        *,
        locale: str = "en-US",
        **more: Any,
    ) -> Interaction:
        """Run a command: "error explain" names a subcommand, "errata settings channel" one in a group.

        Values of user, role and channel options are their payloads, of attachment options an Upload.
        """
        found, path = self._offered(user, channel, command)
        resolved = Resolved(self.world, self.cdn, channel)
        given = {**(options or {}), **more}
        leaves = fill((path[-1] if path else found).get("options") or [], given, resolved, user)
        data = self._command_data(found, nested(path, leaves), resolved)
        return await self._interact(COMMAND, user, channel, data, locale=locale, command=found)

    async def autocomplete(
        self,
        user: Payload,
        channel: Payload,
        command: str,
        option: str,
        text: str,
        *,
        locale: str = "en-US",
        **others: Any,
    ) -> list[Payload]:
        """The suggestions while somebody types `text` into an option; the other options may be half filled."""
        found, path = self._offered(user, channel, command)
        known = {entry["name"]: entry for entry in (path[-1] if path else found).get("options") or []}
        if not known[option].get("autocomplete"):
            raise NotOffered(f"{option} has no suggestions")
        leaves = [{"name": name, "type": known[name]["type"], "value": value} for name, value in others.items()]
        leaves.append({"name": option, "type": known[option]["type"], "value": text, "focused": True})
        data = self._command_data(found, nested(path, leaves), Resolved(self.world, self.cdn, channel))
        interaction = await self._interact(AUTOCOMPLETE, user, channel, data, locale=locale, command=found)
        return interaction.choices

    async def message_menu(
        self, user: Payload, channel: Payload, name: str, message: Payload, *, locale: str = "en-US"
    ) -> Interaction:
        """Use a command of the message context menu; the bot reads the message whatever its intents are."""
        found = self._command(user, channel, name, MESSAGE_MENU)
        data: Payload = {"id": found["id"], "name": found["name"], "type": MESSAGE_MENU, "target_id": message["id"]}
        data["resolved"] = {"messages": {message["id"]: message}}
        return await self._interact(COMMAND, user, channel, data, locale=locale, command=found)

    async def click(
        self,
        user: Payload,
        message: Payload,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """Press a button, by custom_id or by the text on it."""
        button = self._component(user, message, custom_id=custom_id, label=label)
        assert button["type"] == 2, f"no button but a component of type {button['type']}"
        data = {"custom_id": button["custom_id"], "component_type": 2, "id": button["id"]}
        return await self._press(user, message, data, locale)

    async def select(
        self, user: Payload, message: Payload, custom_id: str, values: list[Any], *, locale: str = "en-US"
    ) -> Interaction:
        """Choose in a select of a message: option values, or payloads of people, roles and channels."""
        menu = self._component(user, message, custom_id=custom_id)
        resolved = Resolved(self.world, self.cdn, self.world.channels[message["channel_id"]])
        data: Payload = {"custom_id": custom_id, "component_type": menu["type"], "id": menu["id"]}
        data["values"] = forms.choose(menu, values, resolved, user)
        if resolved.data:
            data["resolved"] = resolved.data
        return await self._press(user, message, data, locale)

    async def submit_modal(
        self, opened_by: Interaction, values: Mapping[str, Any] | None = None, *, locale: str = "en-US"
    ) -> Interaction:
        """Send the modal an interaction was answered with; values by custom_id or by label (see `forms`)."""
        modal = opened_by.modal
        resolved = Resolved(self.world, self.cdn, opened_by.channel)
        filled = forms.fill_in(modal["components"], values or {}, resolved, opened_by.user)
        data = {"custom_id": modal["custom_id"], "components": filled, "resolved": resolved.data}
        return await self._interact(
            MODAL_SUBMIT, opened_by.user, opened_by.channel, data, locale=locale, message=opened_by.message
        )

    def _offered(self, user: Payload, channel: Payload, command: str) -> tuple[Payload, list[Payload]]:
        name, *path = command.removeprefix("/").split()
        found = self._command(user, channel, name, SLASH_COMMAND)
        return found, descend(found, path)

    @staticmethod
    def _command_data(command: Payload, options: list[Payload], resolved: Resolved) -> Payload:
        data = {"id": command["id"], "name": command["name"], "type": SLASH_COMMAND, "options": options}
        return data | ({"resolved": resolved.data} if resolved.data else {})

    def _command(self, user: Payload, channel: Payload, name: str, kind: int) -> Payload:
        """A registered command that Discord would show to this person in this place."""
        guild_id = channel.get("guild_id")
        pool = [*self.commands.get(guild_id, []), *self.commands[None]] if guild_id else self.commands[None]
        found = next((c for c in pool if c["name"] == name and c["type"] == kind), None)
        if found is None:
            raise NotOffered(f"no command {name!r} is registered, only {[c['name'] for c in pool]}")
        context = _GUILD if guild_id else _PRIVATE_CHANNEL if channel.get("foreign") else _BOT_DM
        contexts = found["contexts"]
        if contexts is not None and context not in contexts:
            raise NotOffered(f"{name} is not shown in context {context}")
        if not self._owners(user, channel, found):
            raise NotOffered(f"{name} cannot be installed by people, and the bot is not in this server")
        if guild_id and channel["type"] in THREAD_TYPES and channel["thread_metadata"]["archived"]:
            raise NotOffered("commands do not work in archived threads")
        if guild_id:
            self._check_rights(found, user, self.world.permissions(channel, user))
        return found

    @staticmethod
    def _check_rights(command: Payload, user: Payload, granted: Permission) -> None:
        if not granted & Permission.USE_APPLICATION_COMMANDS:
            raise NotOffered(f"{user['username']} may not use commands here")
        if command["default_member_permissions"] is None:
            return
        # none at all means administrators only
        needed = int(command["default_member_permissions"]) or Permission.ADMINISTRATOR
        if needed & ~int(granted):
            raise NotOffered(f"{user['username']} lacks the permissions {command['name']} asks for by default")

    def _owners(self, user: Payload, channel: Payload, command: Payload | None) -> dict[str, str]:
        """Who has installed the app for this use: "0" the guild (or the DM with the bot), "1" the person."""
        kinds = (command or {}).get("integration_types") or [0, 1]
        guild_id = channel.get("guild_id")
        owners: dict[str, str] = {}
        if 0 in kinds and guild_id and self.world.bot_is_in(guild_id):
            owners["0"] = guild_id
        elif not guild_id and not channel.get("foreign"):
            owners["0"] = "0"
        if 1 in kinds and (user["id"] in self.installed_by or "0" not in owners):
            owners["1"] = user["id"]
        return owners

    def _component(
        self, user: Payload, message: Payload, *, custom_id: str | None = None, label: str | None = None
    ) -> Payload:
        if message["id"] not in self.world.messages:
            raise NotOffered("the message is gone")
        if self.world.hidden.get(message["id"], user["id"]) != user["id"]:
            raise NotOffered("an ephemeral message is seen by one person only")
        every = [part for part in walk(message["components"]) if part.get("custom_id")]
        for part in every:
            if part["custom_id"] == custom_id or (label is not None and part.get("label") == label):
                if part.get("disabled"):
                    raise NotOffered(f"{part['custom_id']} is disabled")
                return part
        raise NotOffered(f"no {custom_id or label!r} among {[(p['custom_id'], p.get('label')) for p in every]}")

    async def _press(self, user: Payload, message: Payload, data: Payload, locale: str) -> Interaction:
        channel = self.world.channels[message["channel_id"]]
        return await self._interact(COMPONENT, user, channel, data, locale=locale, message=message)

    async def _interact(
        self,
        kind: int,
        user: Payload,
        channel: Payload,
        data: Payload,
        *,
        locale: str,
        command: Payload | None = None,
        message: Payload | None = None,
    ) -> Interaction:
        owners = self._owners(user, channel, command)
        granted = self.world.permissions(channel, user)
        interaction = Interaction(
            self.world.ids(), secrets.token_urlsafe(24), kind, user, channel, data, owners, message,
            replies_private="0" not in owners and not granted & Permission.USE_EXTERNAL_APPS,
        )  # fmt: skip
        self.interactions[interaction.token] = interaction
        payload = self._payload(interaction, granted, locale)
        self.gateway.emit("INTERACTION_CREATE", payload, None, channel.get("guild_id"))
        try:
            async with asyncio.timeout(self.acknowledge_seconds):
                await interaction.acked.wait()
        except TimeoutError:
            what = data.get("name") or data.get("custom_id")
            raise AssertionError(
                f"{what!r} was not acknowledged within {self.acknowledge_seconds} s; the person reads "
                "'The application did not respond'"
            ) from None
        return interaction

    def _payload(self, interaction: Interaction, granted: Permission, locale: str) -> Payload:
        channel, user = interaction.channel, interaction.user
        guild_id = channel.get("guild_id")
        in_guild = guild_id is not None and self.world.bot_is_in(guild_id)
        may = self.world.permissions(channel, self.bot) if in_guild else granted & _USER_INSTALLED
        context = _GUILD if guild_id else _PRIVATE_CHANNEL if channel.get("foreign") else _BOT_DM
        shown = {key: value for key, value in channel.items() if key not in ("permission_overwrites", "foreign")}
        payload: Payload = {
            "id": interaction.id,
            "application_id": self.world.app_id,
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "channel_id": channel["id"],
            "channel": shown | ({"permissions": str(int(granted))} if guild_id else {}),
            "data": interaction.data,
            "locale": locale,
            "attachment_size_limit": 10 * 1024 * 1024,
            "entitlements": [],
            "app_permissions": str(int(may)),
            "authorizing_integration_owners": interaction.owners,
            "context": context,
        }
        member = self.world.member(guild_id, user["id"]) if guild_id else None
        if guild_id and member is not None:
            guild = self.world.guilds[guild_id]
            payload["guild_id"] = guild_id
            payload["guild_locale"] = guild["preferred_locale"]
            payload["guild"] = {"id": guild_id, "locale": guild["preferred_locale"], "features": guild["features"]}
            payload["member"] = {**member, "permissions": str(int(granted))}
        else:
            payload["user"] = user
        if interaction.message is not None:
            payload["message"] = interaction.message
        return payload
