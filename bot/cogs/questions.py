"""Messages as questions: read, with who wrote what of it, and where it stands."""

from dataclasses import dataclass

import discord

from bot.cogs.attention import find_channel, is_persons, settings_channel
from bot.cogs.incoming import Reader, digest_of
from bot.cogs.replies import Question, Shown
from bot.cogs.wishes import Wishes, wishes_of
from bot.cogs.workbench import Workbench
from bot.pastes.paste import Paste
from bot.store.answers import Answer


@dataclass(frozen=True, slots=True)
class Heard:
    """A message to be answered once its author pauses.

    A re-post's author is that of the message it repeats, `repost_of`.
    """

    message: discord.Message
    asked: bool
    author_id: int
    repost_of: int | None = None

    @property
    def message_id(self) -> int:
        return self.message.id


class Questions:
    """Makes questions of messages."""

    def __init__(self, client: discord.Client, bench: Workbench, reader: Reader) -> None:
        self._client, self._bench, self._reader = client, bench, reader

    async def of(self, heard: Heard, *, read: bool = True) -> Question:
        """The message with everything it brings; without `read` by itself, which costs no waiting."""
        message = heard.message
        assert self._client.user is not None  # set at login, before the first event
        me, asked = self._client.user.id, heard.asked
        if message.guild and isinstance(message.channel, discord.PartialMessageable):
            await find_channel(self._client, message)
        paste, shown_by = Paste((), asked), tuple[discord.Message, ...]()
        if read:
            wishes = await self._wishes(message)
            paste, shown_by = await self._reader.traced(message, asked=asked, me=me, wishes=wishes)
        return Question(
            message_id=message.id,
            channel_id=message.channel.id,
            parent_id=settings_channel(message),
            guild_id=message.guild.id if message.guild else None,
            author_id=heard.author_id,
            in_thread=isinstance(message.channel, discord.Thread),
            asked=heard.asked,
            digest=digest_of(message),
            written_at=message.created_at,
            paste=paste,
            shown=tuple(
                Shown(part.text, shower.id, heard.author_id if shower is message else shower.author.id, part.name)
                for part, shower in zip(paste.parts, shown_by, strict=True)
                if shower is message or is_persons(shower)
            ),
        )

    async def _wishes(self, message: discord.Message) -> Wishes:
        """What is read of a message beside its text and files, settled by its server."""
        server, settings = message.guild, self._bench.settings
        guild = await self._bench.parts.guilds.settings(server.id) if server else None
        return wishes_of(guild, pictures_in_dms=settings.reads_pictures_in_dms)

    async def fetch(self, answer: Answer) -> discord.Message:
        """The message an answer was given to, asked of Discord; raises what discord.py and aiohttp raise."""
        known = self._client.get_channel(answer.channel_id)
        channel: discord.abc.Messageable = self._client.get_partial_messageable(
            answer.channel_id, guild_id=answer.guild_id
        )
        if isinstance(known, discord.abc.Messageable):
            channel = known
        return await channel.fetch_message(answer.question_id)
