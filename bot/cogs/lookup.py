"""Commands by which people ask: `/error explain`, `search` and `show`, and "Explain this error" on a message.

All answer for the eyes of who asked, in servers, in direct messages and, installed by a person, anywhere else.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands, ui

from bot.answers.compose import compose, compose_lookup
from bot.answers.silence import no_answer
from bot.cogs.attention import is_persons, settings_channel
from bot.cogs.buttons import card_button
from bot.cogs.card import card, notice
from bot.cogs.found_list import found_view
from bot.cogs.leaks import Place, kinds_in, warning
from bot.cogs.problems import say, tell, words_for
from bot.cogs.replies import Shown
from bot.cogs.translation import named
from bot.cogs.wishes import Wishes, wishes_of
from bot.logs import keep_out
from bot.matching.scope import EVERYTHING, Scope
from bot.pastes.paste import Paste

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]
else:
    # discord.py evaluates the annotations of commands; which client it is, is of interest to mypy alone.
    Use = discord.Interaction

EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
ANYBODY = app_commands.AppInstallationType(guild=True, user=True)
MOST_FOUND = 8
_CHOICE_LENGTH = 100
_MODAL_LENGTH = 4000  # Discord's limit for one text field


async def explain_paste(interaction: "Use", paste: Paste) -> None:
    """Answer a deferred interaction with what the person gave to it, and warn them of credentials in that."""
    try:
        await _explain(interaction, paste)
    finally:
        with keep_out(*(part.text for part in paste.parts)):
            await _warn(interaction, await kinds_in(part.text for part in paste.parts), None)


async def wishes_in(interaction: "Use") -> Wishes:
    """What is read where a command is used; where the bot is no member, as in direct messages: what holds in those."""
    bench = interaction.client.bench
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return wishes_of(None, pictures_in_dms=bench.settings.reads_pictures_in_dms)
    return wishes_of(await bench.parts.guilds.settings(interaction.guild_id))


async def scope_in(interaction: "Use") -> Scope:
    """What of the catalogue is looked at where a command is used; where the bot is no member, all of it."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return EVERYTHING
    return (await interaction.client.bench.parts.guilds.settings(interaction.guild_id)).scope


async def _warn(interaction: "Use", kinds: Sequence[str], message_url: str | None) -> None:
    if kinds:
        words = words_for(interaction)
        head = words("leak-message", url=message_url) if message_url else words("leak-given")
        text = warning(kinds, words, head=head)
        await interaction.followup.send(view=notice(text), ephemeral=True)


async def _explain(interaction: "Use", paste: Paste) -> None:
    """Send a card, or what was looked at and why there is none."""
    words = words_for(interaction)
    answering = interaction.client.bench.parts.answering
    with keep_out(*(part.text for part in paste.parts)):
        verdict = None if paste.is_empty else await answering.explain(paste, await scope_in(interaction))
        best = verdict.best if verdict else None
        entry = await answering.entry(best.record_id) if best else None
        if verdict is None or entry is None:
            await interaction.followup.send(view=notice(no_answer(paste, verdict, words).text), ephemeral=True)
            return
        view = card(compose(verdict, entry, words, paste.skipped), words, 0, card_button)
        await interaction.followup.send(view=view, ephemeral=True)


class PasteForm(ui.Modal):
    """A large field for what does not fit into a command's option."""

    def __init__(self, interaction: "Use") -> None:
        words = words_for(interaction)
        super().__init__(title=words("form-paste-title"), timeout=900)
        self._input: ui.TextInput[Any] = ui.TextInput(
            style=discord.TextStyle.paragraph, max_length=_MODAL_LENGTH, placeholder=words("form-paste-placeholder")
        )
        self.add_item(ui.Label(text=words("form-paste-label"), component=self._input))

    async def on_submit(self, interaction: "Use") -> None:  # type: ignore[override]  # our client, not any client
        await interaction.response.defer(ephemeral=True, thinking=True)
        reader, wishes = interaction.client.reader, await wishes_in(interaction)
        await explain_paste(interaction, await reader.paste_of_input(self._input.value, None, wishes))

    async def on_error(self, interaction: "Use", error: Exception) -> None:  # type: ignore[override]  # as above
        await tell(interaction, error, "the text field")


class ErrorCommands(app_commands.Group):
    """`/error`."""

    def __init__(self) -> None:
        super().__init__(
            name=named("command-error-name"),
            description=named("command-error-description"),
            allowed_contexts=EVERYWHERE,
            allowed_installs=ANYBODY,
        )

    @app_commands.command(name=named("command-explain-name"), description=named("command-explain-description"))
    @app_commands.rename(text=named("command-explain-text-name"), file=named("command-explain-file-name"))
    @app_commands.describe(
        text=named("command-explain-text-description"), file=named("command-explain-file-description")
    )
    async def explain(self, interaction: Use, text: str | None = None, file: discord.Attachment | None = None) -> None:
        """Explain a text or a file; without either, ask for a text."""
        if text is None and file is None:
            await interaction.response.send_modal(PasteForm(interaction))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        wishes = await wishes_in(interaction)
        await explain_paste(interaction, await interaction.client.reader.paste_of_input(text, file, wishes))

    @app_commands.command(name=named("command-search-name"), description=named("command-search-description"))
    @app_commands.rename(query=named("command-search-words-name"), repo=named("command-search-repo-name"))
    @app_commands.describe(
        query=named("command-search-words-description"), repo=named("command-search-repo-description")
    )
    async def search(self, interaction: Use, query: app_commands.Range[str, 1, 200], repo: str | None = None) -> None:
        """List records that hold the words."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        words = words_for(interaction)
        answering = interaction.client.bench.parts.answering
        scope = await scope_in(interaction)
        chosen = await answering.find(query, scope)  # a suggestion that was picked is a record's number
        if chosen is not None:
            view = card(compose_lookup(chosen, words), words, 0, card_button)
            await interaction.followup.send(view=view, ephemeral=True)
            return
        found = await answering.search(query, repo=repo, limit=MOST_FOUND, scope=scope)
        view = found_view(found, words) if found else notice(words("notice-nothing-found"))
        await interaction.followup.send(view=view, ephemeral=True)

    @search.autocomplete("query")
    async def suggest_words(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """From memory, without waiting for anything."""
        return await suggested(interaction, current)

    @search.autocomplete("repo")
    async def suggest_repo(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """Repositories by a piece of their name."""
        names = interaction.client.bench.parts.answering.repositories(current, scope=await scope_in(interaction))
        return [app_commands.Choice(name=name, value=name) for name in names if len(name) <= _CHOICE_LENGTH]

    @app_commands.command(name=named("command-show-name"), description=named("command-show-description"))
    @app_commands.rename(record=named("command-show-record-name"))
    @app_commands.describe(record=named("command-show-record-description"))
    async def show(self, interaction: Use, record: app_commands.Range[str, 1, 300]) -> None:
        """Show the card of one record."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        words = words_for(interaction)
        entry = await interaction.client.bench.parts.answering.find(record, await scope_in(interaction))
        if entry is None:
            await say(interaction, words("notice-no-such-record"))
            return
        view = card(compose_lookup(entry, words), words, 0, card_button)
        await interaction.followup.send(view=view, ephemeral=True)

    @show.autocomplete("record")
    async def suggest_record(self, interaction: Use, current: str) -> list[app_commands.Choice[str]]:
        """From memory, without waiting for anything."""
        return await suggested(interaction, current)


async def suggested(interaction: "Use", typed: str) -> list[app_commands.Choice[str]]:
    """At most 25 records that fit what is typed so far; the value of each is its number."""
    found = interaction.client.bench.parts.answering.suggestions(typed, limit=25, scope=await scope_in(interaction))
    return [app_commands.Choice(name=one.title[:_CHOICE_LENGTH] or one.record_id, value=one.record_id) for one in found]


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
async def explain_message(interaction: Use, message: discord.Message) -> None:
    """Explain any message for who asks: also where the bot is off, and in servers it was never invited to.

    Of credentials in it its author is warned: here, if that is who asks, else as if they had been heard in the channel.
    """
    await interaction.response.defer(ephemeral=True, thinking=True)
    client, me = interaction.client, interaction.application_id
    paste, shown_by = await client.reader.traced(message, asked=True, me=me, wishes=await wishes_in(interaction))
    try:
        await _explain(interaction, paste)
    finally:
        texts = zip(paste.parts, shown_by, strict=True)
        place = Place(message.channel.id, settings_channel(message), interaction.guild_id)
        shown = [Shown(part.text, by.id, by.author.id, part.name) for part, by in texts if is_persons(by)]
        # Where a person brought the app along, it is no member of the place and has nothing to do or to say in it.
        if interaction.is_guild_integration():
            await client.leaks.take_down(place, shown)
        mine = [one for one in shown if one.author_id == interaction.user.id]
        with keep_out(*(one.text for one in mine)):
            await _warn(interaction, await client.leaks.newly_found(mine), message.jump_url)
        if interaction.is_guild_integration():
            others = [one for one in shown if one.author_id != interaction.user.id]
            await client.leaks.warn(place, others)


def lookup_commands() -> tuple[app_commands.Group, app_commands.ContextMenu]:
    """The commands of this file, made anew."""
    menu: app_commands.ContextMenu = app_commands.ContextMenu(
        name=named("command-explain-menu-name"), callback=explain_message
    )
    return ErrorCommands(), menu
