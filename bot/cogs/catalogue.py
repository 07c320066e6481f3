"""`/catalogue`: which documented errors a server sees. For who may manage the server, as everything that is set."""

from collections import Counter
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.cogs.administration import ServerCommands, change, guild_of
from bot.cogs.catalogue_text import Counted, Matching, choice_view, found_view
from bot.cogs.problems import say, words_for
from bot.cogs.translation import named
from bot.matching.scope import EVERYTHING
from bot.store.guild_edits import Edit, family, repository
from bot.store.guilds import GuildSettings
from bot.store.scopes import ScopeStore
from bot.suggesting import near_names

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]
else:
    # discord.py evaluates the annotations of commands; which client it is, is of interest to mypy alone.
    Use = discord.Interaction

_MOST_CHOICES = 25  # Discord's limit for autocomplete
_CHOICE_LENGTH = 100
# Whose the records are that hold some words is counted from all of them; no catalogue has more.
_MOST_COUNTED = 1_000_000


class CatalogueCommands(ServerCommands):
    """`/catalogue`: repositories (`owner/name`) and families of errors, told apart by the slash.

    What is added to nothing is all that is seen from then on; once the last is removed, everything is seen again.
    Cards that were posted earlier stay, and so do their buttons.
    """

    def __init__(self) -> None:
        super().__init__("catalogue")

    @app_commands.command(
        name=named("command-catalogue-add-name"), description=named("command-catalogue-add-description")
    )
    @app_commands.rename(name=named("command-catalogue-add-option-name"))
    @app_commands.describe(name=named("command-catalogue-add-option-description"))
    async def add(self, interaction: Use, name: app_commands.Range[str, 1, 200]) -> None:
        """Let the server see a repository or a family of errors."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        counted = await _counted(interaction)
        known = counted.called(name)
        if known is None:
            near = near_names(name, [*counted.repositories, *counted.families])
            words = words_for(interaction)
            key = "catalogue-unknown-but-near" if near else "catalogue-unknown"
            await say(interaction, words(key, name=_quoted(name), near=", ".join(map(_quoted, near))))
            return
        await change(interaction, [_edit(known, is_chosen=True)])

    @app_commands.command(
        name=named("command-catalogue-remove-name"), description=named("command-catalogue-remove-description")
    )
    @app_commands.rename(name=named("command-catalogue-add-option-name"))
    @app_commands.describe(name=named("command-catalogue-remove-option-description"))
    async def remove(self, interaction: Use, name: app_commands.Range[str, 1, 200]) -> None:
        """Take a repository or a family of errors out of the server's choice."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        chosen = _chosen(await _settings(interaction))
        known = {each.lower(): each for each in chosen}.get(name.strip().lower())
        words = words_for(interaction)
        if known is None:
            key = "catalogue-not-chosen" if chosen else "catalogue-nothing-chosen"
            await say(interaction, words(key, name=_quoted(name)))
            return
        await change(interaction, [_edit(known, is_chosen=False)])
        if len(chosen) == 1:
            await say(interaction, words("catalogue-all-again"))

    @app_commands.command(
        name=named("command-catalogue-list-name"), description=named("command-catalogue-list-description")
    )
    async def show(self, interaction: Use) -> None:
        """Show what the server sees, with the number of records of each."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        settings, bench = await _settings(interaction), interaction.client.bench
        seen = await ScopeStore(bench.parts.database).count(settings.scope.held_to(bench.settings.catalogue))
        view = choice_view(settings, await _counted(interaction), seen, words_for(interaction))
        await interaction.followup.send(view=view, ephemeral=True)

    @app_commands.command(
        name=named("command-catalogue-search-name"), description=named("command-catalogue-search-description")
    )
    @app_commands.rename(query=named("command-catalogue-search-words-name"))
    @app_commands.describe(query=named("command-catalogue-search-words-description"))
    async def search(self, interaction: Use, query: app_commands.Range[str, 1, 200]) -> None:
        """Find repositories and families by name, and repositories that document errors with these words."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        answering, words = interaction.client.bench.parts.answering, words_for(interaction)
        records = Counter(one.repo for one in await answering.search(query, limit=_MOST_COUNTED))
        found = Matching(query, [*answering.repositories(query), *answering.families(query)], records)
        chosen = _chosen(await _settings(interaction))
        view = found_view(found, await _counted(interaction), chosen, words)
        await interaction.followup.send(view=view, ephemeral=True)

    @add.autocomplete("name")
    async def suggest_known(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """From memory: repositories and families that are not chosen yet."""
        answering = interaction.client.bench.parts.answering
        chosen = _chosen(await _settings(interaction))
        names = [*answering.repositories(current, scope=EVERYTHING, limit=100), *answering.families(current)]
        return _choices([name for name in names if name not in chosen])

    @remove.autocomplete("name")
    async def suggest_chosen(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """What is chosen."""
        chosen = _chosen(await _settings(interaction))
        return _choices([name for name in chosen if current.strip().lower() in name.lower()])


async def _settings(interaction: "Use") -> GuildSettings:
    return await interaction.client.bench.parts.guilds.settings(guild_of(interaction))


async def _counted(interaction: "Use") -> Counted:
    """What there is to choose from: the whole catalogue, or what the process is held to."""
    bench = interaction.client.bench
    store, everything = ScopeStore(bench.parts.database), EVERYTHING.held_to(bench.settings.catalogue)
    repositories = await store.repositories()
    return Counted(
        {repo: records for repo, records in repositories.items() if everything.holds(repo, None)},
        await store.families(everything),
    )


def _chosen(settings: GuildSettings) -> tuple[str, ...]:
    return (*sorted(settings.repositories), *sorted(settings.families))


def _edit(name: str, *, is_chosen: bool) -> Edit:
    return (repository if "/" in name else family)(name, is_chosen=is_chosen)


def _choices(names: "list[str]") -> "list[app_commands.Choice[str]]":
    short = [name for name in names if len(name) <= _CHOICE_LENGTH]
    return [app_commands.Choice(name=name, value=name) for name in short[:_MOST_CHOICES]]


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '')}`"


def catalogue_commands() -> tuple[app_commands.Group]:
    """The commands of this file, made anew."""
    return (CatalogueCommands(),)
