"""What the bot hears, and what it makes of it.

Listens to messages in servers and direct messages, their edits and deletions. It leaves alone: bots, webhooks, system
messages, itself, helpers, people who have opted out, threads where helpers are at work, channels that are switched off
or do not let it answer, and whatever was written more than some minutes ago. Who mentions it is answered in any channel
that is not switched off.

One webhook is heard: a proxy's re-post of a message by which a person mentioned the bot half a minute ago at most. It
takes that message's place, and is answered once the message itself is gone; where the proxy leaves it standing, the
re-post is left alone. So one answer stands at most, and belongs to the person. Unasked, no re-post is answered.

What was edited or deleted while nobody told us, during a restart or a lost session, is looked up when a session begins:
the newest answers of the last hour, one message after the other.

It never writes to people first, with one exception: whose message shows a credential is warned of it, once, in a direct
message, also when nothing is answered (`leaks`). Where the server wants that, such a message is deleted, and answered
when its author has posted it again without. Only what is read anyway is looked at, so what is left alone above is left
alone in this, too.
"""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta

import aiohttp
import discord

from bot.answering import Busy
from bot.cogs.attention import Attention
from bot.cogs.bursts import Bursts
from bot.cogs.flow import Flow
from bot.cogs.helpers import Helpers
from bot.cogs.incoming import Reader, calls, digest_of
from bot.cogs.leaks import LeakWarnings, Place
from bot.cogs.manners import Wish, is_too_old
from bot.cogs.questions import Heard, Questions
from bot.cogs.replies import Question
from bot.cogs.reposts import Reposts
from bot.cogs.workbench import Workbench
from bot.store.answers import Answer

logger = logging.getLogger(__name__)

MOST_WAITING_BURSTS = 200
FOLLOWED_BACK = timedelta(hours=1)
MOST_FOLLOWED = 50  # each costs a request, when everything else wants to be answered as well
_SEEN_REMEMBERED = 2000


class Listener:
    """Hands on what is to be answered to the flow, as questions."""

    def __init__(
        self,
        client: discord.Client,
        bench: Workbench,
        flow: Flow,
        reader: Reader,
        helpers: Helpers,
        *,
        leaks: LeakWarnings,
    ) -> None:
        self._client, self._bench, self._flow = client, bench, flow
        self._attention = Attention(client, bench, helpers)
        self._questions = Questions(client, bench, reader)
        self._leaks = leaks
        self._bursts: Bursts[Heard] = Bursts(self._answer, bench.settings.burst_wait_seconds, MOST_WAITING_BURSTS)
        self._seen: OrderedDict[int, str] = OrderedDict()
        self._reposts = Reposts()
        self._is_ending = False

    async def heard(self, message: discord.Message) -> None:
        """A message was written."""
        now = self._bench.now()
        original = self._reposts.take(message, now) if message.webhook_id is not None else None
        self._note_call(message, now)
        found = await self._attention.wish(message, is_repost=original is not None)
        if found is Wish.NOTHING or is_too_old(message.created_at, now):
            return
        if original is not None:
            if found is not Wish.ASKED:
                return
            heard = Heard(message, asked=True, author_id=original.author_id, repost_of=original.message_id)
        else:
            heard = Heard(message, found is Wish.ASKED, message.author.id)
        if self._flow.is_gone(message.id):
            return  # while we looked into the settings
        self._note_seen(message)
        if not self._bursts.add((message.channel.id, heard.author_id), heard):
            await self._flow.tell_busy(await self._questions.of(heard, read=False))

    async def edited(self, message: discord.Message) -> None:
        """A message reads differently now, or Discord has added something to it."""
        if message.edited_at is None:
            return  # previews, pins and threads come as edits that nobody made
        answer = await self._bench.parts.answers.of_question(message.id)
        if answer is None:
            if self._seen.get(message.id) == digest_of(message):
                return
            found = await self._attention.wish(message)
            if found is Wish.NOTHING:
                return
            heard = Heard(message, found is Wish.ASKED, message.author.id)
        else:
            heard = Heard(message, answer.asked, answer.author_id)
        self._note_seen(message)
        if self._bursts.replace(heard) or self._bench.settings.is_silenced():
            return
        question = await self._questions.of(heard)
        try:
            if message.id not in await self._take_down(question):
                await self._flow.edited(question)
        except Busy:
            logger.info("an edit came while too much waited", extra={"message_id": message.id})
        finally:
            if answer is not None or not is_too_old(question.written_at, self._bench.now()):
                await self._warn([question])

    async def deleted(self, message_ids: Sequence[int]) -> None:
        """Messages are gone."""
        for message_id in message_ids:
            self._seen.pop(message_id, None)
            self._bursts.drop(message_id)
            await self._flow.deleted(message_id)
            await self._leaks.deleted(message_id)

    async def take_over(self, before: datetime) -> None:
        """Finish what an earlier process has begun."""
        await self._flow.take_over(before, self._read_again)

    async def catch_up(self) -> None:
        """Follow what was edited or deleted unheard: the newest answers' questions are looked at, one by one.

        A channel that does not let us look is asked once.
        """
        closed: set[int] = set()
        since = self._bench.now() - FOLLOWED_BACK
        for answer in await self._bench.parts.answers.standing(since, MOST_FOLLOWED):
            if self._is_ending:
                return
            if answer.channel_id in closed:
                continue
            try:
                message = await self._questions.fetch(answer)
            except discord.NotFound:
                await self.deleted([answer.question_id])
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                closed.add(answer.channel_id)
                facts = {"channel_id": answer.channel_id, "why": type(error).__name__}
                logger.info("a channel's questions could not be looked at", extra=facts)
            else:
                if digest_of(message) != answer.digest:
                    await self.edited(message)

    async def finish(self, seconds: float) -> None:
        """Answer what waits, at once."""
        self._is_ending = True
        await self._bursts.finish(seconds)

    async def _answer(self, pieces: Sequence[Heard]) -> None:
        questions: list[Question] = []
        deleted: frozenset[int] = frozenset()
        try:
            for piece in pieces:
                # A proxy may leave the message it repeats, or take it away after it was answered.
                if piece.repost_of is None or piece.repost_of in deleted or self._flow.is_gone(piece.repost_of):
                    questions.append(await self._questions.of(piece))
                    deleted |= await self._take_down(questions[-1])
            standing = [question for question in questions if question.message_id not in deleted]
            if standing:
                await self._flow.answer(standing)
        finally:
            await self._warn(questions)

    async def _take_down(self, question: Question) -> frozenset[int]:
        place = Place(question.channel_id, question.parent_id, question.guild_id)
        return await self._leaks.take_down(place, question.shown)

    async def _warn(self, questions: Sequence[Question]) -> None:
        for question in questions:
            place = Place(question.channel_id, question.parent_id, question.guild_id)
            await self._leaks.warn(place, question.shown)

    async def _read_again(self, claim: Answer) -> Question | None:
        """The message of a claim as it reads now; None when it is gone or out of reach."""
        try:
            message = await self._questions.fetch(claim)
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return None
        question = await self._questions.of(Heard(message, claim.asked, claim.author_id))
        if message.id in await self._take_down(question):
            return None
        # The process that did not live to answer did not warn either: it would have done so afterwards.
        await self._warn([question])
        return question

    def _note_call(self, message: discord.Message, at: datetime) -> None:
        """Before anything is waited for: the re-post of a person's call may be on its way."""
        me, is_person = self._client.user, not message.author.bot and message.webhook_id is None
        if me is not None and is_person and message.guild and calls(message, me, message.guild):
            self._reposts.note(message, at)

    def _note_seen(self, message: discord.Message) -> None:
        self._seen[message.id] = digest_of(message)
        while len(self._seen) > _SEEN_REMEMBERED:
            self._seen.popitem(last=False)
