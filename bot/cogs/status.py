"""How the bot is, for admins: what it serves, how fast it is, and what it may not do where they are."""

import math
from typing import TYPE_CHECKING

import discord
from discord import ui

from bot.cogs.card_markdown import line
from bot.cogs.changes import mode_text
from bot.cogs.permissions import missing, missing_comforts
from bot.locales.words import Words
from bot.store.guilds import GuildSettings
from bot.version import installed_version

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]

_MUTED_SHOWN = 10


async def status_view(interaction: "Use", guild_id: int, words: Words) -> ui.LayoutView:
    """Return the status of the bot, of this server and of this channel."""
    client = interaction.client
    bench = client.bench
    served = await bench.parts.answering.status()
    settings = await bench.parts.guilds.settings(guild_id)
    lines = [
        words("status-version", version=installed_version() or words("status-not-installed"), catalogue=served.version),
        words("status-catalogue", records=served.records, repositories=served.repositories),
        words("status-patterns", patterns=served.patterns, refused=served.refused),
        words("status-index", records=served.indexed, encoder=served.encoder or words("status-no-encoder")),
        words("status-latency", milliseconds=_milliseconds(client.latency)),
    ]
    if served.degraded:
        lines.append(words("status-degraded", why=served.degraded))
    if bench.settings.is_silenced():
        lines.append(words("status-silenced"))
    text = [f"**{words('status-title')}**", *(f"- {line(each)}" for each in lines)]
    text += [f"**{words('status-here')}**", *(f"- {each}" for each in _here(interaction, settings, words))]
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("\n".join(text)))
    return view


def _here(interaction: "Use", settings: GuildSettings, words: Words) -> list[str]:
    channel = interaction.channel
    in_thread = isinstance(channel, discord.Thread)
    assert channel is not None  # a command in a server is given somewhere
    settings_of = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
    mode = settings.mode_of(settings_of, interaction.client.bench.settings.default_mode)
    lines = [line(words("status-mode", mode=mode_text(mode, words)))]
    lacking = missing(interaction.app_permissions, in_thread=in_thread)
    if lacking:
        lines.append(line(words("status-missing", permissions=_in_words(lacking, words))))
    elif comforts := missing_comforts(interaction.app_permissions):
        lines.append(line(words("status-missing-comforts", permissions=_in_words(comforts, words))))
    else:
        lines.append(line(words("status-nothing-missing")))
    if (code := interaction.client.poster.refusal(channel.id)) is not None:
        lines.append(line(words("status-refused", code=str(code))))
    if settings.muted_record_ids:
        shown = sorted(settings.muted_record_ids)[:_MUTED_SHOWN]
        lines.append(f"{line(words('status-muted', count=len(settings.muted_record_ids)))} `{'` `'.join(shown)}`")
    return lines


def _in_words(names: tuple[str, ...], words: Words) -> str:
    return ", ".join(words(f"permission-{name.replace('_', '-')}") for name in names)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000) if math.isfinite(seconds) else 0
