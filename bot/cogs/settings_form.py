"""The form behind `/errata settings`."""

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.cogs.changes import duration_text, mode_text
from bot.cogs.problems import tell
from bot.locales.words import Words, languages
from bot.modes import Mode
from bot.store.guild_edits import Edit, channel_mode, cooldown, default_mode, helper_roles, language
from bot.store.guilds import GuildSettings

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]

_DEFAULT = "default"
_COOLDOWNS = (0, 60, 300, 600, 1800, 3600, 21_600, 86_400)
_MOST_PICKED = 25
_CHANNEL_TYPES = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.voice,
]


class SettingsForm(ui.Modal):
    """Shows what is set; what is left as it is stays so.

    A mode goes to the channels that are chosen, and where none is, to all channels without a mode of their own.
    """

    def __init__(self, now_set: GuildSettings, words: Words) -> None:
        super().__init__(title=words("form-settings-title"), timeout=900)
        self._channels: ui.ChannelSelect[Any] = ui.ChannelSelect(
            channel_types=_CHANNEL_TYPES, required=False, min_values=0, max_values=_MOST_PICKED
        )
        self._mode: ui.Select[Any] = ui.Select(options=_modes(words), required=False, min_values=0)
        self._roles: ui.RoleSelect[Any] = ui.RoleSelect(
            required=False,
            min_values=0,
            max_values=_MOST_PICKED,
            default_values=[discord.Object(role_id) for role_id in sorted(now_set.helper_role_ids)[:_MOST_PICKED]],
        )
        self._cooldown: ui.Select[Any] = ui.Select(options=_cooldowns(now_set.cooldown_seconds, words), required=False)
        self._language: ui.Select[Any] = ui.Select(options=_languages(now_set.language, words), required=False)
        for key, component in (
            ("channels", self._channels),
            ("mode", self._mode),
            ("helpers", self._roles),
            ("cooldown", self._cooldown),
            ("language", self._language),
        ):
            described = words(f"form-settings-{key}-help")
            self.add_item(ui.Label(text=words(f"form-settings-{key}"), description=described, component=component))

    def edits(self) -> list[Edit]:
        """What was filled in."""
        made: list[Edit] = []
        if self._mode.values:
            mode = None if self._mode.values[0] == _DEFAULT else Mode(self._mode.values[0])
            made += [channel_mode(channel.id, mode) for channel in self._channels.values] or [default_mode(mode)]
        made.append(helper_roles(frozenset(role.id for role in self._roles.values)))
        if self._cooldown.values:
            value = self._cooldown.values[0]
            made.append(cooldown(None if value == _DEFAULT else int(value)))
        if self._language.values:
            value = self._language.values[0]
            made.append(language(None if value == _DEFAULT else value))
        return made

    async def on_submit(self, interaction: "Use") -> None:  # type: ignore[override]  # our client, not any client
        from bot.cogs.administration import change  # noqa: PLC0415  # the command opens the form, the form ends there

        await interaction.response.defer(ephemeral=True, thinking=True)
        await change(interaction, self.edits())

    async def on_error(self, interaction: "Use", error: Exception) -> None:  # type: ignore[override]  # as above
        await tell(interaction, error, "the settings form")


def _modes(words: Words) -> list[discord.SelectOption]:
    modes = [discord.SelectOption(label=mode_text(mode, words), value=mode.value) for mode in Mode]
    return [*modes, discord.SelectOption(label=words("mode-default"), value=_DEFAULT)]


def _cooldowns(chosen: int | None, words: Words) -> list[discord.SelectOption]:
    seconds = sorted({*_COOLDOWNS, *([] if chosen is None else [chosen])})
    default = discord.SelectOption(label=words("changes-default"), value=_DEFAULT, default=chosen is None)
    return [
        default,
        *(
            discord.SelectOption(label=duration_text(each, words), value=str(each), default=each == chosen)
            for each in seconds
        ),
    ]


def _languages(chosen: str | None, words: Words) -> list[discord.SelectOption]:
    default = discord.SelectOption(label=words("changes-default"), value=_DEFAULT, default=chosen is None)
    return [
        default,
        *(
            discord.SelectOption(label=words(f"language-{each}"), value=each, default=each == chosen)
            for each in languages()
        ),
    ]
