"""`/privacy`: what is kept of a person, shown, deleted, and how to be left alone."""

from io import BytesIO
from typing import TYPE_CHECKING

import discord
from discord import app_commands, ui

from bot.cogs.card_markdown import line
from bot.cogs.lookup import ANYBODY, EVERYWHERE
from bot.cogs.problems import say, words_for
from bot.cogs.translation import named
from bot.locales.words import Words
from bot.settings import Settings
from bot.store.people import Kept

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]
else:
    # discord.py evaluates the annotations of commands; which client it is, is of interest to mypy alone.
    Use = discord.Interaction

DATA_FILE = "errata-data.txt"


class PrivacyCommands(app_commands.Group):
    """`/privacy`."""

    def __init__(self) -> None:
        super().__init__(
            name=named("command-privacy-name"),
            description=named("command-privacy-description"),
            allowed_contexts=EVERYWHERE,
            allowed_installs=ANYBODY,
        )

    @app_commands.command(
        name=named("command-privacy-show-name"), description=named("command-privacy-show-description")
    )
    async def show(self, interaction: Use) -> None:
        """Tell what is kept, for how long, and hand all of it over as a file."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        bench = interaction.client.bench
        kept = await bench.parts.people.kept(interaction.user.id)
        words = words_for(interaction)
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(_summary(kept, bench.settings, words)))
        if kept.is_empty:
            await interaction.followup.send(view=view, ephemeral=True)
            return
        file = discord.File(BytesIO(_as_lines(kept).encode()), DATA_FILE)
        view.add_item(ui.File(file))
        await interaction.followup.send(view=view, file=file, ephemeral=True)

    @app_commands.command(
        name=named("command-privacy-delete-name"), description=named("command-privacy-delete-description")
    )
    async def delete(self, interaction: Use) -> None:
        """Remove everything; an opt-out stays, so that being forgotten does not mean being answered again."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        removed = await interaction.client.bench.parts.people.forget(interaction.user.id)
        await say(interaction, words_for(interaction)("privacy-deleted", count=removed))

    @app_commands.command(
        name=named("command-privacy-opt-out-name"), description=named("command-privacy-opt-out-description")
    )
    async def opt_out(self, interaction: Use) -> None:
        """From now on nothing this person writes is answered unasked."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        bench = interaction.client.bench
        await bench.parts.people.opt_out(interaction.user.id, bench.now())
        await say(interaction, words_for(interaction)("privacy-opted-out"))

    @app_commands.command(
        name=named("command-privacy-opt-in-name"), description=named("command-privacy-opt-in-description")
    )
    async def opt_in(self, interaction: Use) -> None:
        """Take an opt-out back."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.client.bench.parts.people.opt_in(interaction.user.id)
        await say(interaction, words_for(interaction)("privacy-opted-in"))


def _summary(kept: Kept, settings: Settings, words: Words) -> str:
    general = words(
        "privacy-general", answers=settings.answer_retention_days, questions=settings.question_retention_days
    )
    lines = [line(general)]
    if kept.is_empty:
        lines.append(line(words("privacy-nothing")))
    else:
        lines += [
            f"- {line(words('privacy-answers', count=len(kept.answers)))}",
            f"- {line(words('privacy-votes', count=len(kept.votes)))}",
            f"- {line(words('privacy-questions', count=len(kept.questions)))}",
            f"- {line(words('privacy-texts', count=len(kept.redacted_texts)))}",
            f"- {line(words('privacy-changes', count=len(kept.settings_changed)))}",
        ]
    if kept.opted_out_since is not None:
        lines.append(f"- {line(words('privacy-opted-out-since', date=kept.opted_out_since.date().isoformat()))}")
    return "\n".join(lines)


def _as_lines(kept: Kept) -> str:
    """All of it as lines of `kind, what, when`; ids are Discord's."""
    lines = [f"answered message\t{channel}/{message}\t{at.isoformat()}" for channel, message, at in kept.answers]
    lines += [f"vote\t{record} {vote}\t{at.isoformat()}" for record, vote, at in kept.votes]
    lines += [f"unanswered question\t{url}\t{at.isoformat()}" for url, at in kept.questions]
    lines += [f"redacted text\t{text!r}" for text in kept.redacted_texts]
    lines += [f"setting changed\t{guild} {name}\t{at.isoformat()}" for guild, name, at in kept.settings_changed]
    if kept.opted_out_since is not None:
        lines.append(f"opted out\t\t{kept.opted_out_since.isoformat()}")
    return "\n".join(lines) + "\n"


def privacy_commands() -> tuple[app_commands.Group]:
    """The commands of this file, made anew."""
    return (PrivacyCommands(),)
