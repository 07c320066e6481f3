"""Whether a message is for the bot: asked of it, merely seen, or nothing it looks at."""

import logging

import aiohttp
import discord

from bot.cogs.helpers import Helpers, is_helper
from bot.cogs.incoming import calls
from bot.cogs.manners import Wish, wish
from bot.cogs.permissions import may_answer
from bot.cogs.workbench import Workbench

logger = logging.getLogger(__name__)

_PEOPLES_MESSAGES = {discord.MessageType.default, discord.MessageType.reply}


class Attention:
    """Looks at who writes where, and at what the server and its people have chosen."""

    def __init__(self, client: discord.Client, bench: Workbench, helpers: Helpers) -> None:
        self._client, self._bench, self._helpers = client, bench, helpers

    async def wish(self, message: discord.Message, *, is_repost: bool = False) -> Wish:
        """What is wanted of the bot by a message; is_repost: a proxy has repeated it for a person."""
        me, is_person = self._client.user, not message.author.bot and message.webhook_id is None
        if me is None or not (is_person or is_repost) or message.type not in _PEOPLES_MESSAGES:
            return Wish.NOTHING
        if self._bench.settings.is_silenced():
            return Wish.NOTHING
        return Wish.ASKED if message.guild is None else await self._wish_in(message.guild, message, me)

    async def _wish_in(self, server: discord.Guild, message: discord.Message, me: discord.ClientUser) -> Wish:
        if isinstance(message.channel, discord.PartialMessageable) and not await find_channel(self._client, message):
            return Wish.NOTHING
        guild = await self._bench.parts.guilds.settings(server.id)
        self._helpers.note(message, guild.helper_role_ids)
        mode = guild.mode_of(settings_channel(message), self._bench.settings.default_mode)
        found = wish(mode, called=calls(message, me, server))
        if found is Wish.NOTHING or not may_answer(message.channel):
            return Wish.NOTHING
        if found is Wish.SEEN and await self._is_left_alone(message, guild.helper_role_ids):
            return Wish.NOTHING
        return found

    async def _is_left_alone(self, message: discord.Message, helper_role_ids: frozenset[int]) -> bool:
        """Whether nothing is said here unless somebody asks: to helpers, to who wants none, where helpers are at it."""
        if is_helper(message.author, helper_role_ids):
            return True
        if await self._bench.parts.people.is_opted_out(message.author.id):
            return True
        thread = message.channel
        return isinstance(thread, discord.Thread) and await self._helpers.are_at_it(thread, helper_role_ids)


async def find_channel(client: discord.Client, message: discord.Message) -> bool:
    """Ask for a thread the gateway has not told of: its parent's settings hold in it. False where that fails."""
    try:
        message.channel = await client.fetch_channel(message.channel.id)  # type: ignore[assignment]  # what has messages
    except (discord.HTTPException, discord.InvalidData, aiohttp.ClientError, OSError) as error:
        logger.info("a channel is unknown", extra={"channel_id": message.channel.id, "why": type(error).__name__})
        return False
    return True


def is_persons(message: discord.Message) -> bool:
    """Whether a person wrote a message, and no bot or webhook."""
    return not message.author.bot and message.webhook_id is None


def settings_channel(message: discord.Message) -> int:
    """The channel whose settings hold for a message: a thread's parent, else the channel itself."""
    channel = message.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else channel.id
