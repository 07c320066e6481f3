"""Who helps here, and whether somebody already does (H1)."""

import logging
from collections import OrderedDict

import aiohttp
import discord

from bot.cogs.manners import is_closed

logger = logging.getLogger(__name__)

_THREADS_REMEMBERED = 2000
_SEARCHED_MESSAGES = 50
_ASKED_MEMBERS = 8


class Helpers:
    """Knows which threads a helper has written in; of those from before this process it asks Discord once."""

    def __init__(self) -> None:
        self._helped: OrderedDict[int, bool] = OrderedDict()

    def note(self, message: discord.Message, helper_role_ids: frozenset[int]) -> None:
        """Take in a message: one by a helper in a thread, whoever opened it, means that people are at it."""
        channel = message.channel
        if isinstance(channel, discord.Thread) and is_helper(message.author, helper_role_ids):
            self._remember(channel.id, helped=True)

    async def are_at_it(self, thread: discord.Thread, helper_role_ids: frozenset[int]) -> bool:
        """Whether the bot is to leave this thread to people: a helper wrote in it, or a tag says so."""
        if is_closed(tag.name for tag in thread.applied_tags):
            return True
        if not helper_role_ids:
            return False
        if thread.id not in self._helped:
            self._remember(thread.id, helped=await self._wrote_before(thread, helper_role_ids))
        return self._helped[thread.id]

    def forget(self) -> None:
        """Ask anew, because who is a helper has changed."""
        self._helped.clear()

    def _remember(self, thread_id: int, *, helped: bool) -> None:
        self._helped[thread_id] = helped
        self._helped.move_to_end(thread_id)
        while len(self._helped) > _THREADS_REMEMBERED:
            self._helped.popitem(last=False)

    async def _wrote_before(self, thread: discord.Thread, helper_role_ids: frozenset[int]) -> bool:
        """What the thread's last messages tell. Members are asked for one by one: the bot keeps no list of them."""
        try:
            authors: dict[int, None] = {}
            async for message in thread.history(limit=_SEARCHED_MESSAGES):
                if not message.author.bot:
                    authors[message.author.id] = None
            for author_id in list(authors)[:_ASKED_MEMBERS]:
                member = await thread.guild.fetch_member(author_id)
                if is_helper(member, helper_role_ids):
                    return True
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # Nobody can tell; the messages that come from now on are seen.
            logger.info("a thread's helpers are unknown", extra={"thread_id": thread.id, "why": type(error).__name__})
        return False


def is_helper(person: discord.User | discord.Member, helper_role_ids: frozenset[int]) -> bool:
    """Whether somebody has one of the helper roles."""
    return isinstance(person, discord.Member) and any(role.id in helper_role_ids for role in person.roles)
