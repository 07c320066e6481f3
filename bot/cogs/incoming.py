"""A Discord message as a paste.

Read are its text, its text files, the messages it forwards; and on request its embeds and the message it replies to.
What it brings besides is named as skipped when somebody asked, and passed over in silence when nobody did.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence

import discord

from bot.cogs.attachment_kinds import is_message_file, is_readable, looks_like_log
from bot.cogs.downloads import Downloads
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart

Written = discord.Message | discord.MessageSnapshot


class Reader:
    """Turns messages into pastes. At most `most_files` files of one message are read."""

    def __init__(self, downloads: Downloads, most_files: int) -> None:
        self._downloads, self._most_files = downloads, most_files

    async def paste_of(self, message: discord.Message, *, asked: bool, me: int) -> Paste:
        """Return everything a message brings, in the order a reader meets it. `me` is the bot's own id."""
        found: list[Part | SkippedPart] = []
        for written in _written(message, asked=asked, me=me):
            found += await self._read(written, asked=asked, me=me)
        return _paste(found, asked=asked)

    async def paste_of_input(self, text: str | None, file: discord.Attachment | None) -> Paste:
        """Return what somebody gave to a command."""
        found: list[Part | SkippedPart] = [Part(text)] if text and text.strip() else []
        if file is not None:
            found += await self._files([file], asked=True)
        return _paste(found, asked=True)

    async def _read(self, written: Written, *, asked: bool, me: int) -> list[Part | SkippedPart]:
        text = without_mentions_of(written.content, me).strip()
        found: list[Part | SkippedPart] = [Part(text)] if text else []
        if asked:
            found += [Part(text) for embed in written.embeds if (text := _embed_text(embed))]
        return found + await self._files(written.attachments, asked=asked)

    async def _files(self, files: Sequence[discord.Attachment], *, asked: bool) -> list[Part | SkippedPart]:
        found: list[Part | SkippedPart] = []
        opened = 0
        for file in files:
            kind = file.content_type
            if not (is_readable(file.filename, kind) if asked else _unasked(file)):
                found += [SkippedPart(file.filename, Skipped.UNSUPPORTED)] if asked else []
                continue
            if opened >= self._most_files:
                found.append(SkippedPart(file.filename, Skipped.TOO_BIG))
                continue
            opened += 1
            as_message = is_message_file(file.filename)
            found.append(await self._downloads.read(file.filename, file.url, file.size, as_message=as_message))
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


def _written(message: discord.Message, *, asked: bool, me: int) -> Iterator[Written]:
    yield message
    if not asked:
        return
    yield from message.message_snapshots
    target = replied_to(message)
    if target is not None and target.author.id != me:
        yield target
        yield from target.message_snapshots


def _unasked(file: discord.Attachment) -> bool:
    # A voice message or picture called message.txt would be no log; what Discord says of the content counts, too.
    return looks_like_log(file.filename) and is_readable(file.filename, file.content_type)


def _embed_text(embed: discord.Embed) -> str:
    fields = [line for field in embed.fields for line in (field.name, field.value)]
    return "\n".join(text for text in (embed.title, embed.description, *fields) if text)


def _paste(found: Sequence[Part | SkippedPart], *, asked: bool) -> Paste:
    parts = tuple(part for part in found if isinstance(part, Part))
    skipped = tuple(part for part in found if isinstance(part, SkippedPart))
    return Paste(parts, asked, skipped)
