"""How the bot is, for admins: what it serves, how fast it is, and what it may not do where they are."""

import math
from typing import TYPE_CHECKING

import discord
from discord import ui

from bot.cogs.card_markdown import inline_code, line
from bot.cogs.catalogue_text import name_text
from bot.cogs.changes import mode_text
from bot.cogs.permissions import missing, missing_comforts, missing_to_delete
from bot.locales.words import Words
from bot.refreshing import refresh_problem
from bot.sources.pictures import can_read_pictures
from bot.store.dataset import DatasetStore
from bot.store.guilds import GuildSettings
from bot.store.scopes import ScopeStore
from bot.version import installed_version

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient
    from bot.cogs.workbench import Workbench

    Use = discord.Interaction[ErrataClient]

_MUTED_SHOWN = 10
_CHOSEN_SHOWN = 5


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
    text += [f"- {each}" for each in await _dataset(bench, words)]
    text += [f"**{words('status-here')}**", *(f"- {each}" for each in await _here(interaction, settings, words))]
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("\n".join(text)))
    return view


async def _dataset(bench: "Workbench", words: Words) -> list[str]:
    """Which dataset is served and what it changed, and why a newer one was not taken; nothing where none was synced."""
    synced = await DatasetStore(bench.parts.database).synced()
    if synced is None:
        return []
    changed = synced.difference
    said = words(
        "status-dataset",
        version=synced.generation.version,
        added=changed.added,
        changed=changed.changed + changed.completed,
        gone=changed.gone,
    )
    lines = [f"{line(said)} ({discord.utils.format_dt(synced.at, 'R')})"]
    if (why := await refresh_problem(bench.parts.database)) is not None:
        lines.append(line(words("status-refresh-problem", why=why)))
    return lines


async def _here(interaction: "Use", settings: GuildSettings, words: Words) -> list[str]:
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
    lines += _read_and_done(settings, interaction.app_permissions, words)
    lines += await _chosen(interaction.client.bench, settings, words)
    if settings.muted_record_ids:
        shown = sorted(settings.muted_record_ids)[:_MUTED_SHOWN]
        lines.append(f"{line(words('status-muted', count=len(settings.muted_record_ids)))} `{'` `'.join(shown)}`")
    return lines


async def _chosen(bench: "Workbench", settings: GuildSettings, words: Words) -> list[str]:
    """What of the catalogue this server sees, where that is not all of it."""
    scope = settings.scope.held_to(bench.settings.catalogue)
    if scope.is_everything:
        return []
    seen = await ScopeStore(bench.parts.database).count(scope)
    names = [*sorted(settings.repositories), *sorted(settings.families)]
    shown = " ".join(map(name_text, names[:_CHOSEN_SHOWN])) + (" …" if len(names) > _CHOSEN_SHOWN else "")
    return [f"{line(words('status-sees', records=seen))} {shown}".rstrip()]


def _read_and_done(settings: GuildSettings, granted: discord.Permissions, words: Words) -> list[str]:
    """What is read besides, and what happens to secrets and texts; nothing of what is not switched on."""
    lines: list[str] = []
    also = [words("status-reads-links")] if settings.reads_links else []
    if settings.reads_pictures and can_read_pictures():
        also.append(words("status-reads-pictures"))
    if also:
        lines.append(line(words("status-reads", what=", ".join(also))))
    if settings.link_hosts:
        lines.append(f"{line(words('changes-link-hosts'))}: {' '.join(map(inline_code, settings.link_hosts))}")
    if settings.reads_pictures and not can_read_pictures():
        lines.append(line(words("status-pictures-lacking")))
    if settings.deletes_secrets:
        lacking = missing_to_delete(granted)
        key = "status-cannot-delete" if lacking else "status-deletes-secrets"
        lines.append(line(words(key, permissions=_in_words(lacking, words))))
    if settings.keeps_texts:
        lines.append(line(words("status-keeps-texts")))
    return lines


def _in_words(names: tuple[str, ...], words: Words) -> str:
    return ", ".join(words(f"permission-{name.replace('_', '-')}") for name in names)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000) if math.isfinite(seconds) else 0
