"""Records somebody searched for, as one message."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut
from bot.cogs.buttons import card_button
from bot.cogs.card_ids import Action, CardId
from bot.cogs.card_markdown import line
from bot.locales.words import Words
from bot.suggesting import Found

_MOST = 8  # a section and its button are three components, and Discord counts forty
_REPO_LENGTH = 60


def found_view(found: Sequence[Found], words: Words) -> ui.LayoutView:
    """Return the first records, each with a button that shows its card. Raises ValueError when there are none."""
    if not found:
        raise ValueError("there is nothing to list")
    container: ui.Container[Any] = ui.Container(accent_colour=discord.Colour(0x4A86C5))
    container.add_item(ui.TextDisplay(f"**{words('found-title')}**"))
    for one in found[:_MOST]:
        repo = line(cut(clean_line(one.repo), _REPO_LENGTH))
        text = f"{line(one.title) or one.record_id}\n-# {repo} · {one.record_id}"
        button = card_button(CardId(Action.SHOW, one.record_id), words("button-show"), discord.ButtonStyle.secondary)
        container.add_item(ui.Section(ui.TextDisplay(text), accessory=button))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    return view
