"""A Discord message as a paste.

Read are its text, its text files, packed ones too, what its links to paste sites lead to, where its server wants that,
and the messages it forwards; and on request its embeds and the message it replies to. What it brings besides is named
as skipped when somebody asked, and passed over in silence when nobody did: then only files are read that are called
logs, or that read like a program's output.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence

import discord

from bot.cogs.attachment_kinds import is_message_file, is_picture, is_readable, looks_like_log, may_be_log
from bot.cogs.downloads import Downloads
from bot.cogs.linked import LinkReader
from bot.cogs.wishes import NO_WISHES, Wishes
from bot.pastes.archives import Unpacked
from bot.pastes.log_likeness import reads_like_output
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart

Written = discord.Message | discord.MessageSnapshot


class Reader:
    """Turns messages into pastes. At most `most_files` files of one message are read."""

    def __init__(self, downloads: Downloads, most_files: int, links: LinkReader) -> None:
        self._downloads, self._most_files, self._links = downloads, most_files, links

    async def traced(
        self, message: discord.Message, *, asked: bool, me: int, wishes: Wishes = NO_WISHES
    ) -> tuple[Paste, tuple[discord.Message, ...]]:
        """Return all that a message brings, in the order a reader meets it, and to each part the message that shows it.

        A forward is its forwarder's. me: the bot's own id. wishes: what the message's server wants read beside text and
        files.
        """
        found: list[Part | SkippedPart] = []
        shown_by: list[discord.Message] = []
        for shower, written in _written(message, asked=asked, me=me):
            read = await self._read(written, asked=asked, me=me, wishes=wishes)
            found += read
            shown_by += [shower for part in read if isinstance(part, Part)]
        return _paste(found, asked=asked), tuple(shown_by)

    async def paste_of_input(
        self, text: str | None, file: discord.Attachment | None, wishes: Wishes = NO_WISHES
    ) -> Paste:
        """Return what somebody gave to a command."""
        found: list[Part | SkippedPart] = [Part(text)] if text and text.strip() else []
        found += await self._links.read(text or "", wishes, asked=True)
        if file is not None:
            found += await self._files([file], wishes, asked=True)
        return _paste(found, asked=True)

    async def _read(self, written: Written, *, asked: bool, me: int, wishes: Wishes) -> list[Part | SkippedPart]:
        text = without_mentions_of(written.content, me).strip()
        found: list[Part | SkippedPart] = [Part(text)] if text else []
        if asked:
            found += [Part(text) for embed in written.embeds if (text := _embed_text(embed))]
        found += await self._links.read(text, wishes, asked=asked)
        return found + await self._files(written.attachments, wishes, asked=asked)

    async def _files(
        self, files: Sequence[discord.Attachment], wishes: Wishes, *, asked: bool
    ) -> list[Part | SkippedPart]:
        found: list[Part | SkippedPart] = []
        opened = 0
        # Where nobody asked, files that may be anything leave room for those that are called logs.
        spare = self._most_files - sum(1 for file in files if _is_called_log(file))
        for file in files:
            called_log = asked or _is_called_log(file)
            if not _is_wanted(file, wishes, asked=asked):
                why = Skipped.PICTURE if is_picture(file.content_type) else Skipped.UNSUPPORTED
                found += [SkippedPart(file.filename, why)] if asked else []
                continue
            if opened >= self._most_files or (not called_log and spare <= 0):
                found += [SkippedPart(file.filename, Skipped.TOO_BIG)] if called_log else []
                continue
            opened += 1
            spare -= 0 if called_log else 1
            as_message = is_message_file(file.filename)
            read = await self._downloads.read(
                file.filename, file.url, file.size, as_message=as_message, pictures=wishes.pictures, asked=asked
            )
            if not asked:
                read = await asyncio.to_thread(_worth_reading, read, file.filename)
            found += [*read.parts, *read.skipped]
        return found


def digest_of(message: discord.Message) -> str:
    """A hash of what a message says and holds, by which an edit that changes nothing is known."""
    seen = hashlib.sha256()
    everything: list[Written] = [message, *message.message_snapshots]
    for written in everything:
        seen.update(written.content.encode(errors="surrogatepass"))
        seen.update(repr([file.id for file in written.attachments]).encode())
    return seen.hexdigest()[:32]


def calls(message: discord.Message, me: discord.ClientUser, guild: discord.Guild | None) -> bool:
    """Whether a message mentions the bot in so many words, or its own role. A reply's automatic ping is no call."""
    own_role = guild.self_role if guild else None
    roles = {own_role.id} if own_role else set()
    # Mentions inside code are none; Discord tells which it has resolved.
    resolved = {*message.raw_mentions} & {me.id} if any(user.id == me.id for user in message.mentions) else set()
    return bool(resolved or roles & {*message.raw_role_mentions})


def without_mentions_of(text: str, me: int) -> str:
    """The text without mentions of this user; others stay, they may be part of what was printed."""
    return re.sub(rf"<@!?{me}>", "", text)


def replied_to(message: discord.Message) -> discord.Message | None:
    """The message this one replies to, where Discord has sent it along."""
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else None


def _written(message: discord.Message, *, asked: bool, me: int) -> Iterator[tuple[discord.Message, Written]]:
    """What is to be read, each with the message that shows it."""
    target = replied_to(message) if asked else None
    for shower in (message, target):
        if shower is None or (shower is target and shower.author.id == me):
            continue
        yield shower, shower
        if asked:
            yield from ((shower, snapshot) for snapshot in shower.message_snapshots)


def _is_called_log(file: discord.Attachment) -> bool:
    # A voice message or picture called message.txt would be no log; what Discord says of the content counts, too.
    return looks_like_log(file.filename) and is_readable(file.content_type)


def _is_wanted(file: discord.Attachment, wishes: Wishes, *, asked: bool) -> bool:
    if is_picture(file.content_type):
        return wishes.pictures
    if not is_readable(file.content_type):
        return False
    return asked or looks_like_log(file.filename) or may_be_log(file.filename, file.content_type)


def _worth_reading(read: Unpacked, name: str) -> Unpacked:
    """What counts of a file that nobody asked about: what is called a log, else what reads like one (A6)."""
    called_log = looks_like_log(name)
    parts = tuple(
        part for part in read.parts if _is_worth_reading(part, called_log=called_log and part.name in {None, name})
    )
    return Unpacked(parts, read.skipped if called_log else ())


def _is_worth_reading(part: Part, *, called_log: bool) -> bool:
    if part.confidences is not None:  # whatever the picture is called
        return reads_like_output(part.text)
    return called_log or (may_be_log(part.name or "") and reads_like_output(part.text))


def _embed_text(embed: discord.Embed) -> str:
    fields = [line for field in embed.fields for line in (field.name, field.value)]
    return "\n".join(text for text in (embed.title, embed.description, *fields) if text)


def _paste(found: Sequence[Part | SkippedPart], *, asked: bool) -> Paste:
    parts = tuple(part for part in found if isinstance(part, Part))
    skipped = tuple(part for part in found if isinstance(part, SkippedPart))
    return Paste(parts, asked, skipped)
