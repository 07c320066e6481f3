"""Replies as Discord messages: sent, changed and taken away, with Discord's refusals in our words."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from io import BytesIO
from typing import TypeVar

import aiohttp
import discord
from discord import ui

from bot.answers.answer import Answer, NoAnswer
from bot.cogs.buttons import card_button
from bot.cogs.card import card, link_line, notice
from bot.cogs.card_markdown import fence, prose
from bot.cogs.given_back import GivenBack
from bot.cogs.leaks import Place
from bot.cogs.permissions import may_delete
from bot.cogs.replies import CannotPost, Question, Reply
from bot.locales.words import Words

logger = logging.getLogger(__name__)

T = TypeVar("T")
# Discord's codes that mean: this channel does not take our messages, and asking again would count towards its ban.
MISSING_ACCESS, MISSING_PERMISSIONS = 50001, 50013
_UNKNOWN_MESSAGE = 10008
_RETRY_SECONDS = (0.5, 2.0, 8.0)
# For so long nothing is tried in a channel that refused us; an admin needs less to correct it and look again.
REFUSED_FOR = timedelta(minutes=5)
_SEARCHED_MESSAGES = 100


class DiscordPoster:
    """Posts as the bot. A channel that refuses is left alone for some minutes; `refused` tells why, for the admin."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime]) -> None:
        self._client, self._now = client, now
        self._refused: dict[int, tuple[datetime, int]] = {}

    def refusal(self, channel_id: int) -> int | None:
        """Discord's code with which a channel has refused us lately."""
        until, code = self._refused.get(channel_id, (self._now(), 0))
        return code if until > self._now() else None

    def forgive(self, channel_id: int) -> None:
        """Permissions have changed: try the channel again."""
        self._refused.pop(channel_id, None)

    async def post(self, question: Question, reply: Reply, nonce: str, language: str) -> int:
        """Post as a reply to the question; the same nonce within minutes gives the message that stands already."""
        if (code := self.refusal(question.channel_id)) is not None:
            raise CannotPost(f"refused lately with {code}")
        channel = self._channel(question.channel_id, question.guild_id)
        reference = discord.MessageReference(
            message_id=question.message_id, channel_id=question.channel_id, guild_id=question.guild_id
        )
        view = view_of(reply, Words.for_language(language), question.message_id)

        async def send() -> discord.Message:
            return await channel.send(view=view, reference=reference, nonce=nonce, mention_author=False)

        message = await self._persist(question.channel_id, send)
        return message.id

    async def edit(self, question: Question, answer_id: int, reply: Reply, language: str) -> bool:
        """Show another reply where ours stands."""
        view = view_of(reply, Words.for_language(language), question.message_id)
        message = self._channel(question.channel_id, question.guild_id).get_partial_message(answer_id)
        # Said here as well: discord.py leaves the client's own setting out of an edit that brings no content.
        nobody = discord.AllowedMentions.none()
        try:
            await self._persist(question.channel_id, lambda: message.edit(view=view, allowed_mentions=nobody))
        except CannotPost as problem:
            if problem.why == str(_UNKNOWN_MESSAGE):
                return False
            raise
        return True

    async def remove(self, channel_id: int, answer_id: int) -> None:
        """Take our message away, if Discord lets us."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(answer_id)
        try:
            await self._persist(channel_id, message.delete, refusals_count=False)
        except CannotPost as problem:
            logger.info("a message could not be taken away", extra={"message_id": answer_id, "why": problem.why})

    async def find(self, channel_id: int, question_id: int) -> int | None:
        """Our reply among the hundred messages after the question."""
        channel = self._client.get_partial_messageable(channel_id)

        async def search() -> int | None:
            after = discord.Object(question_id)
            async for message in channel.history(after=after, limit=_SEARCHED_MESSAGES, oldest_first=True):
                refers = message.reference is not None and message.reference.message_id == question_id
                if refers and self._client.user is not None and message.author.id == self._client.user.id:
                    return message.id
            return None

        return await self._persist(channel_id, search)

    async def whisper(self, user_id: int, text: str, nonce: str, back: GivenBack | None = None) -> None:
        """Write to a person directly, with what comes back to them. Raises CannotPost where they take no messages."""
        person = discord.Object(user_id)

        async def send() -> discord.Message:
            channel = await self._client.create_dm(person)
            view, files = returned_view(text, back)  # a file can be sent once
            return await channel.send(view=view, files=files, nonce=nonce)

        await self._persist(user_id, send, refusals_count=False)

    async def remark(self, place: Place, message_id: int, text: str, nonce: str) -> int:
        """Reply to any message with a few sentences that everybody reads; return the id of ours. Raises CannotPost."""
        if (code := self.refusal(place.channel_id)) is not None:
            raise CannotPost(f"refused lately with {code}")
        channel = self._channel(place.channel_id, place.guild_id)
        reference = discord.MessageReference(
            message_id=message_id, channel_id=place.channel_id, guild_id=place.guild_id
        )

        async def send() -> discord.Message:
            return await channel.send(view=notice(text), reference=reference, nonce=nonce, mention_author=False)

        return (await self._persist(place.channel_id, send)).id

    async def take_down(self, place: Place, message_id: int) -> bool:
        """Delete anybody's message; False where the bot may not, or where Discord does not do it."""
        if not may_delete(self._client.get_channel(place.channel_id)):
            return False
        message = self._channel(place.channel_id, place.guild_id).get_partial_message(message_id)
        try:
            await self._persist(place.channel_id, message.delete, refusals_count=False)
        except CannotPost as problem:
            if problem.why != str(_UNKNOWN_MESSAGE):
                logger.info("a message could not be deleted", extra={"message_id": message_id, "why": problem.why})
            return False
        return True

    async def announce(self, place: Place, user_id: int, text: str, nonce: str) -> None:
        """Say a few sentences in a channel about a person, who is named and not pinged. Raises CannotPost."""
        if (code := self.refusal(place.channel_id)) is not None:
            raise CannotPost(f"refused lately with {code}")
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(f"<@{user_id}>"))
        view.add_item(ui.TextDisplay(prose(text)))
        nobody = discord.AllowedMentions.none()
        channel = self._channel(place.channel_id, place.guild_id)
        await self._persist(place.channel_id, lambda: channel.send(view=view, nonce=nonce, allowed_mentions=nobody))

    def _channel(self, channel_id: int, guild_id: int | None) -> discord.PartialMessageable:
        # No cache is asked: a thread may have been archived since, and the REST routes are the same for all kinds.
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)

    async def _persist(self, channel_id: int, request: Callable[[], Awaitable[T]], *, refusals_count: bool = True) -> T:
        """Make a request, again after what passes; raises CannotPost for what does not.

        discord.py itself tries five times after most answers of 5xx, and waits for rate limits; a 503 and a connection
        that breaks are left to us.
        """
        for seconds in (*_RETRY_SECONDS, None):
            try:
                return await request()
            except discord.HTTPException as error:
                if error.code in {MISSING_ACCESS, MISSING_PERMISSIONS} and refusals_count:
                    self._refused[channel_id] = (self._now() + REFUSED_FOR, error.code)
                if seconds is None or error.status < 500:
                    raise CannotPost(str(error.code or error.status)) from error
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                if seconds is None:
                    raise CannotPost(type(error).__name__) from error
            await asyncio.sleep(seconds)
        raise AssertionError("the last round returns or raises")


def view_of(reply: Reply, words: Words, question_id: int) -> ui.LayoutView:
    """What a reply looks like; its buttons carry the question's id."""
    if isinstance(reply, Answer):
        return card(reply, words, question_id, card_button)
    if isinstance(reply, NoAnswer):
        return notice(reply.text)
    return link_line(reply.title, reply.jump_url, words)


def returned_view(text: str, back: GivenBack | None) -> tuple[ui.LayoutView, list[discord.File]]:
    """A few sentences, and what comes back with them: a short text as a block of code, all others as files."""
    view = notice(text)
    if back is None:
        return view, []
    if back.note:
        view.add_item(ui.TextDisplay(prose(back.note)))
    if back.text.strip():
        view.add_item(ui.TextDisplay(fence(back.text)))
    files = [discord.File(BytesIO(file.data), file.name) for file in back.files]
    for file in files:
        view.add_item(ui.File(file))
    return view, files
