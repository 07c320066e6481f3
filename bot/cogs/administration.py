"""`/errata`: what a server's admins set and see. Offered to, and checked again for, who may manage the server."""

import logging
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.cogs.changes import changes_view
from bot.cogs.lookup import suggested
from bot.cogs.problems import NotAllowed, say, words_for
from bot.cogs.reading_form import ReadingForm
from bot.cogs.settings_form import SettingsForm
from bot.cogs.status import status_view
from bot.cogs.translation import named
from bot.sources.pictures import can_read_pictures
from bot.store.guild_edits import Edit, muted
from bot.store.guilds import Change

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]
else:
    # discord.py evaluates the annotations of commands; which client it is, is of interest to mypy alone.
    Use = discord.Interaction

logger = logging.getLogger(__name__)


class ServerCommands(app_commands.Group):
    """Commands for who may manage the server they are given in; `key` names their texts in the locales."""

    def __init__(self, key: str) -> None:
        super().__init__(
            name=named(f"command-{key}-name"),
            description=named(f"command-{key}-description"),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            default_permissions=discord.Permissions(manage_guild=True),
        )

    async def interaction_check(self, interaction: Use) -> bool:  # type: ignore[override]  # our client, not any client
        """Discord's own settings may offer the command to others; the right is asked for here as well."""
        guild_of(interaction)
        return True


class ErrataCommands(ServerCommands):
    """`/errata`."""

    def __init__(self) -> None:
        super().__init__("errata")

    @app_commands.command(name=named("command-settings-name"), description=named("command-settings-description"))
    async def settings(self, interaction: Use) -> None:
        """Open the form."""
        # A form has to be the first answer; what it shows is read from a local file in a millisecond or two.
        settings = await interaction.client.bench.parts.guilds.settings(guild_of(interaction))
        await interaction.response.send_modal(SettingsForm(settings, words_for(interaction)))

    @app_commands.command(name=named("command-reading-name"), description=named("command-reading-description"))
    async def reading(self, interaction: Use) -> None:
        """Open the second form; one holds five fields at most."""
        settings = await interaction.client.bench.parts.guilds.settings(guild_of(interaction))
        form = ReadingForm(settings, words_for(interaction), reads_pictures=can_read_pictures())
        await interaction.response.send_modal(form)

    @app_commands.command(name=named("command-undo-name"), description=named("command-undo-description"))
    async def undo(self, interaction: Use) -> None:
        """Take back the last change."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        bench = interaction.client.bench
        changes = await bench.parts.guilds.undo(guild_of(interaction), interaction.user.id, bench.now())
        await report(interaction, changes, "changes-none-to-undo")

    @app_commands.command(name=named("command-mute-name"), description=named("command-mute-description"))
    @app_commands.rename(record=named("command-mute-record-name"))
    @app_commands.describe(record=named("command-mute-record-description"))
    async def mute(self, interaction: Use, record: app_commands.Range[str, 1, 300]) -> None:
        """Never show a record unasked in this server."""
        await self._mute(interaction, record, is_muted=True)

    @app_commands.command(name=named("command-unmute-name"), description=named("command-unmute-description"))
    @app_commands.rename(record=named("command-mute-record-name"))
    @app_commands.describe(record=named("command-mute-record-description"))
    async def unmute(self, interaction: Use, record: app_commands.Range[str, 1, 300]) -> None:
        """Show a muted record again."""
        await self._mute(interaction, record, is_muted=False)

    @mute.autocomplete("record")
    @unmute.autocomplete("record")
    async def suggest_record(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """From memory, without waiting for anything."""
        return await suggested(interaction, current)

    @app_commands.command(name=named("command-status-name"), description=named("command-status-description"))
    async def status(self, interaction: Use) -> None:
        """Tell how the bot is, and what it may not do in this channel."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        view = await status_view(interaction, guild_of(interaction), words_for(interaction))
        await interaction.followup.send(view=view, ephemeral=True)

    @staticmethod
    async def _mute(interaction: Use, reference: str, *, is_muted: bool) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        entry = await interaction.client.bench.parts.answering.find(reference)
        if entry is None:
            await say(interaction, words_for(interaction)("notice-no-such-record"))
            return
        await change(interaction, [muted(entry.id, is_muted=is_muted)])


def guild_of(interaction: "Use") -> int:
    """The server's id. Raises NotAllowed for who may not manage it, and outside of servers."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise NotAllowed("notice-needs-manage-guild")
    return interaction.guild_id


async def change(interaction: "Use", edits: list[Edit]) -> None:
    """Make changes and tell which; the interaction is deferred or answered."""
    bench = interaction.client.bench
    changes = await bench.parts.guilds.change(guild_of(interaction), edits, interaction.user.id, bench.now())
    await report(interaction, changes, "changes-none")


async def report(interaction: "Use", changes: tuple[Change, ...], when_none: str) -> None:
    """Log and tell what changed."""
    words = words_for(interaction)
    for one in changes:
        facts = {"guild_id": interaction.guild_id, "user_id": interaction.user.id, "undoes": one.undoes}
        logger.info("a setting was changed", extra={"setting": one.name, "value": one.after, **facts})
    if not changes:
        await say(interaction, words(when_none))
        return
    if any(one.name == "helper_roles" for one in changes):
        interaction.client.helpers.forget()
    await interaction.followup.send(view=changes_view(changes, words), ephemeral=True)


def administration_commands() -> tuple[app_commands.Group]:
    """The commands of this file, made anew."""
    return (ErrataCommands(),)
