"""The one place where what went wrong in an interaction is logged whole and told in one calm line (E7)."""

import logging
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.answering import Busy
from bot.answers.silence import busy
from bot.cogs.card import notice
from bot.locales.words import Words
from bot.logs import log_incident

logger = logging.getLogger(__name__)

# The interaction is too old, was answered already, or its message is gone: nobody is there to be told anything.
_LATE = {10062, 40060, 10015, 50027, 10008}


class NotAllowed(app_commands.CheckFailure):
    """Somebody may not do this here; `key` is the text that tells why."""

    def __init__(self, key: str = "notice-not-allowed") -> None:
        super().__init__(key)
        self.key = key


def words_for(interaction: discord.Interaction[Any]) -> Words:
    """The words in the language of the person's own client."""
    return Words.for_language(str(interaction.locale))


async def tell(interaction: discord.Interaction[Any], error: BaseException, what: str) -> None:
    """Log an error and tell the person, for their eyes only. What comes too late is swallowed."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(cause, discord.HTTPException) and cause.code in _LATE:
        logger.info("an interaction came too late", extra={"what": what, "code": cause.code})
        return
    if isinstance(cause, discord.InteractionResponded):
        logger.info("an interaction was answered already", extra={"what": what})
        return
    words = words_for(interaction)
    if isinstance(cause, NotAllowed):
        await say(interaction, words(cause.key))
    elif isinstance(cause, Busy):
        await say(interaction, busy(words).text)
    else:
        facts = {"interaction_id": interaction.id, "guild_id": interaction.guild_id}
        incident = log_incident(logger, f"{what} failed", cause, **facts)
        await say(interaction, words("notice-incident", incident=incident))


async def say(interaction: discord.Interaction[Any], text: str) -> None:
    """Tell the person something, for their eyes only, as the first answer or as a later one."""
    view = notice(text)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(view=view, ephemeral=True)
        else:
            await interaction.response.send_message(view=view, ephemeral=True)
    except (discord.HTTPException, discord.InteractionResponded, aiohttp.ClientError, OSError) as error:
        logger.info("nobody could be told", extra={"why": type(error).__name__})
