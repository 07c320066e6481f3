"""Who posted a credential is told so, and how to revoke it.

It is said where nobody else reads it: in answer to a command, else in a direct message, and only where a person takes
none in a reply, which names kinds and repeats nothing. Once per message: a message is remembered while the process
runs, and Discord itself drops a repetition within minutes of a restart.

A channel that is off and the switch that silences the bot hold for warnings as for answers. An opt-out and the helper
roles hold in so far as what such people write is not read unasked; once it is read, because they or somebody who
replies asked, they are warned like everybody: a warning is no answer, and it is for their own eyes.

A server may want such messages deleted. Then they are, where the bot may do that, before anything is answered; their
authors get the texts back without the credential, in a direct message and nowhere else, and may post them again. That
holds for people's own messages, and for a proxy's re-post of one that is gone itself; no other webhook's or bot's
message is touched. Where the bot may not delete, the warning alone is given, and `/errata status` tells the admins.

Nothing that was found is kept, and it is tried or looked up nowhere: whether it still works is for its owner to know.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from numpy import base_repr

from bot.cogs.given_back import GivenBack, given_back
from bot.cogs.replies import CannotPost, Shown
from bot.locales.words import Words
from bot.logs import keep_out
from bot.modes import Mode
from bot.pastes.redaction import Redacted, redact
from bot.settings import Settings
from bot.store.guilds import GuildStore
from bot.triage.question import jump_url

logger = logging.getLogger(__name__)

# Who takes no direct messages could make the bot fill a channel by posting one made-up key after the other.
REMARK_PAUSE = timedelta(minutes=10)
_REMEMBERED = 2000
# A notice holds 1,900 characters; in the longest language this many of the longest texts stay below.
_MOST_KINDS = 8
# A message, not a file: redacted in 0.01 ms, made up to be slow in 3. The way to another thread and back takes 0.2 ms.
_SHORT = 2_000
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Place:
    """A channel; `parent_id` is the one whose settings hold; `guild_id` is None in direct messages."""

    channel_id: int
    parent_id: int
    guild_id: int | None


class Whisperer(Protocol):
    """Who can write to one person, and to a message. Neither pings anybody; a repeated nonce gives the first one's.

    `take_down` deletes another's message and is False where that is not allowed; `announce` names a person in a place.
    """

    async def whisper(self, user_id: int, text: str, nonce: str, back: GivenBack | None = None) -> None: ...

    async def remark(self, place: Place, message_id: int, text: str, nonce: str) -> int: ...

    async def remove(self, channel_id: int, answer_id: int) -> None: ...

    async def take_down(self, place: Place, message_id: int) -> bool: ...

    async def announce(self, place: Place, user_id: int, text: str, nonce: str) -> None: ...


class LeakWarnings:
    """Warns people of credentials in their messages. now: the moment, in UTC."""

    def __init__(
        self,
        whisperer: Whisperer,
        guilds: GuildStore,
        settings: Settings,
        is_gone: Callable[[int], bool],
        now: Callable[[], datetime],
    ) -> None:
        self._whisperer, self._guilds, self._settings = whisperer, guilds, settings
        self._is_gone, self._now = is_gone, now
        self._warned: OrderedDict[int, None] = OrderedDict()
        self._remarks: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self._remarked: OrderedDict[int, datetime] = OrderedDict()
        self._taken_down: OrderedDict[int, None] = OrderedDict()
        self._taking_down = asyncio.Lock()  # so that who meets a message that is being deleted learns how that ends

    async def warn(self, place: Place, shown: Sequence[Shown]) -> None:
        """Tell the authors of what is shown in a place which kinds of credentials are in it.

        Nothing is said where the bot is off or silenced, of a message that is gone, or of one that was warned of.
        """
        for message_id in dict.fromkeys(one.message_id for one in shown):
            texts = [one for one in shown if one.message_id == message_id]
            with keep_out(*(one.text for one in texts)):
                if await self._is_silent(place) or not (kinds := await self.newly_found(texts)):
                    continue
                if not self._is_void(message_id):
                    await self._tell(place, message_id, texts[0].author_id, kinds)

    async def take_down(self, place: Place, shown: Sequence[Shown]) -> frozenset[int]:
        """Delete the messages that show credentials, where the server wants that; return those that are gone by it.

        Their authors are told what was found and get the texts back. A message that was deleted so before is among
        those returned, and is not told of again. Where the bot is off or silenced nothing is deleted.
        """
        if place.guild_id is None or not (await self._guilds.settings(place.guild_id)).deletes_secrets:
            return frozenset()
        gone: set[int] = set()
        if not await self._is_silent(place):
            for message_id in dict.fromkeys(one.message_id for one in shown):
                texts = [one for one in shown if one.message_id == message_id]
                with keep_out(*(one.text for one in texts)):
                    if await self._takes_down(place, message_id, texts):
                        gone.add(message_id)
        return frozenset(gone)

    async def newly_found(self, shown: Sequence[Shown]) -> tuple[str, ...]:
        """The kinds of credentials in messages nobody was warned of; from now on they are ones somebody was."""
        fresh = [one for one in shown if one.message_id not in self._warned]
        found = [(one.message_id, await kinds_in([one.text])) for one in fresh]
        # Looked at again: the same message may have been worked on meanwhile.
        found = [(message_id, kinds) for message_id, kinds in found if kinds and message_id not in self._warned]
        for message_id, _ in found:
            _remember(self._warned, message_id, None)
        return tuple(dict.fromkeys(kind for _, kinds in found for kind in kinds))

    async def deleted(self, message_id: int) -> None:
        """A message is gone, and with it what we said under it."""
        remark = self._remarks.pop(message_id, None)
        if remark is not None:
            await self._whisperer.remove(*remark)

    async def _takes_down(self, place: Place, message_id: int, texts: Sequence[Shown]) -> bool:
        kinds = await kinds_in(one.text for one in texts)
        if not kinds:
            return False
        async with self._taking_down:
            if message_id in self._taken_down:
                return True
            if self._is_void(message_id) or not await self._whisperer.take_down(place, message_id):
                return False
            _remember(self._taken_down, message_id, None)
            _remember(self._warned, message_id, None)
        logger.info("a message that showed a credential was deleted", extra={"message_id": message_id})
        back = await asyncio.to_thread(given_back, texts)
        await self._return(place, message_id, texts[0].author_id, kinds, back)
        return True

    async def _return(
        self, place: Place, message_id: int, author_id: int, kinds: Sequence[str], back: GivenBack
    ) -> None:
        """Give a deleted message back to its author; where none reaches them, say in the channel what was done."""
        assert place.guild_id is not None  # elsewhere nothing is deleted
        words = await self._words(place)
        url = jump_url(place.guild_id, place.channel_id, message_id).rpartition("/")[0]
        nonce = _nonce("gone", message_id)
        try:
            text = warning(kinds, words, head=words("leak-deleted", url=url))
            await self._whisperer.whisper(author_id, text, nonce, replace(back, note=_note(back, words)))
        except CannotPost as problem:
            logger.info("a text could not be given back", extra={"message_id": message_id, "why": problem.why})
            if not self._may_remark(author_id):
                return
            try:
                text = warning(kinds, words, head=words("leak-deleted-aloud"))
                await self._whisperer.announce(place, author_id, text, nonce)
            except CannotPost as refusal:
                logger.info("a deletion was not told", extra={"message_id": message_id, "why": refusal.why})

    async def _tell(self, place: Place, message_id: int, author_id: int, kinds: Sequence[str]) -> None:
        words, nonce = await self._words(place), _nonce("leak", message_id)
        url = jump_url(place.guild_id, place.channel_id, message_id)
        try:
            await self._whisperer.whisper(author_id, warning(kinds, words, head=words("leak-message", url=url)), nonce)
        except CannotPost as problem:
            logger.info("a warning was not taken privately", extra={"message_id": message_id, "why": problem.why})
            await self._remark(place, message_id, author_id, warning(kinds, words, head=words("leak-aloud")), nonce)

    async def _remark(self, place: Place, message_id: int, author_id: int, text: str, nonce: str) -> None:
        if self._is_void(message_id) or not self._may_remark(author_id):
            return
        try:
            remark_id = await self._whisperer.remark(place, message_id, text, nonce)
        except CannotPost as problem:
            logger.info("a warning was not posted", extra={"message_id": message_id, "why": problem.why})
            return
        _remember(self._remarks, message_id, (place.channel_id, remark_id))
        if self._is_gone(message_id):
            await self.deleted(message_id)  # while we were posting

    def _may_remark(self, author_id: int) -> bool:
        """Whether something may be said aloud because of this person now; from then on, for some time, not again."""
        now = self._now()
        last = self._remarked.get(author_id)
        if last is not None and now - last < REMARK_PAUSE:
            return False
        _remember(self._remarked, author_id, now)
        return True

    async def _words(self, place: Place) -> Words:
        guild = None if place.guild_id is None else await self._guilds.settings(place.guild_id)
        return Words.for_language((guild.language if guild else None) or self._settings.language)

    async def _is_silent(self, place: Place) -> bool:
        if place.guild_id is None:
            return self._settings.is_silenced()
        guild = await self._guilds.settings(place.guild_id)
        is_off = guild.mode_of(place.parent_id, self._settings.default_mode) is Mode.OFF
        return is_off or self._settings.is_silenced()

    def _is_void(self, message_id: int) -> bool:
        return self._is_gone(message_id) or self._settings.is_silenced()


async def kinds_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The kinds of credentials in texts, each once, in the order of the texts; not what they are."""
    found = [await redacted(text) for text in texts]
    findings = (finding for redacted in found for finding in redacted.findings)
    return tuple(dict.fromkeys(finding.kind for finding in findings if finding.credential))


async def redacted(text: str) -> Redacted:
    """The text without what nobody else should read; the event loop is not held up by a long one."""
    return redact(text) if len(text) <= _SHORT else await asyncio.to_thread(redact, text)


def warning(kinds: Sequence[str], words: Words, *, head: str) -> str:
    """What the owner of credentials of these kinds should know; `head` says where they were seen."""
    lines = [f"• {words(text_of(kind))}" for kind in kinds[:_MOST_KINDS]]
    if len(kinds) > _MOST_KINDS:
        lines.append(f"• {words('leak-more', count=len(kinds) - _MOST_KINDS)}")
    return "\n".join([head, *lines, words("leak-after")])


def _note(back: GivenBack, words: Words) -> str:
    rest = words("leak-not-given-back", count=back.left_out) if back.left_out else ""
    return f"{words('leak-given-back')} {rest}".strip()


def text_of(kind: str) -> str:
    """The key of the text that tells how to revoke this kind."""
    return f"leak-kind-{kind.replace(' ', '-')}"


def _nonce(kind: str, message_id: int) -> str:
    # Discord takes at most 25 characters; an id has 13 in this base.
    return f"{kind}.{base_repr(message_id, 36).lower()}"


def _remember(kept: OrderedDict[K, V], key: K, value: V) -> None:
    kept[key] = value
    while len(kept) > _REMEMBERED:
        kept.popitem(last=False)
