"""From a question to the one message that answers it, through restarts, edits and deletions.

A question is claimed in the store before anything is posted, so that neither a second process nor a resumed connection
answers it again; a claim that its process did not live to fulfil is taken over by the next one.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from bot.answering import Answering, Busy
from bot.answers.answer import Answer as Card
from bot.answers.answer import NoAnswer
from bot.answers.silence import busy, hint, no_answer
from bot.cogs.leaks import redacted
from bot.cogs.manners import is_too_old
from bot.cogs.replies import CannotPost, Link, Poster, Question, Reply, joined, nonce_of, records_of
from bot.cogs.rulings import Rulings
from bot.locales.words import Words
from bot.logs import keep_out
from bot.matching.verdict import Verdict
from bot.modes import Mode
from bot.pastes.paste import Paste
from bot.settings import Settings
from bot.store.answers import Answer, AnswerStore, Claim, Claimed, Refusal, Shape, State, Withdrawal
from bot.store.guilds import GuildSettings, GuildStore
from bot.triage.desk import Desk
from bot.triage.question import jump_url

logger = logging.getLogger(__name__)

BUSY_WINDOW_SECONDS = 60.0
_GONE_REMEMBERED = 2000
_FIRST_CARD_SECONDS = 5.0
_FIRST_CARD_POLL_SECONDS = 0.1


class Flow:
    """Answers questions, and keeps the answers true to them.

    now: the moment, in UTC. The same question is never worked on twice at once.
    """

    def __init__(
        self,
        *,
        answering: Answering,
        answers: AnswerStore,
        guilds: GuildStore,
        desk: Desk,
        poster: Poster,
        settings: Settings,
        now: Callable[[], datetime],
    ) -> None:
        self._answering, self._answers, self._desk = answering, answers, desk
        self._poster, self._settings, self._now = poster, settings, now
        self._rulings = Rulings(answering, guilds, settings)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._gone: OrderedDict[int, None] = OrderedDict()
        self._busy_until: dict[int, datetime] = {}

    async def answer(self, questions: Sequence[Question]) -> None:
        """Answer one author's messages of one moment, all read together, with at most one message."""
        async with self._alone(questions):
            known = [await self._answers.of_question(question.message_id) for question in questions]
            fresh = [question for question, answer in zip(questions, known, strict=True) if answer is None]
            if fresh:
                await self._answer(fresh)

    async def edited(self, question: Question) -> None:
        """Make the answer fit the message as it reads now: changed, taken back, or given for the first time."""
        async with self._alone([question]):
            known = await self._answers.of_question(question.message_id)
            if known is None:
                if not is_too_old(question.written_at, self._now()):
                    await self._answer([question])
            elif known.digest != question.digest:
                await self._follow(question, known)

    async def deleted(self, message_id: int) -> None:
        """Take back the answer to a message that is gone, and all that was kept of it; or note that ours is gone."""
        self._note_gone(message_id)
        taken_back = await self._answers.withdraw(message_id, Withdrawal.DELETED, self._now())
        if taken_back is not None and taken_back.answer_id is not None:
            await self._poster.remove(taken_back.channel_id, taken_back.answer_id)
        await self._answers.forget(message_id)
        await self._desk.forget(message_id)
        ours = await self._answers.of_answer(message_id)
        if ours is not None:
            await self._answers.withdraw(ours.question_id, Withdrawal.DISMISSED, self._now())

    def is_gone(self, message_id: int) -> bool:
        """Whether a message was deleted lately."""
        return message_id in self._gone

    async def take_over(self, before: datetime, read: Callable[[Answer], Awaitable[Question | None]]) -> None:
        """Bring claims to an end that were made before a moment; `read` gets their messages anew."""
        for claim in await self._answers.take_over(before, self._now()):
            try:
                await self._finish(claim, read)
            except CannotPost as problem:
                await self._answers.release(claim.question_id)
                logger.info("a claim was given up", extra={"message_id": claim.question_id, "why": problem.why})
            except Busy:
                # It stays claimed, for the next start to look at.
                logger.info("a claim has to wait", extra={"message_id": claim.question_id})

    async def tell_busy(self, question: Question) -> None:
        """Say once per channel and window that there is too much to do; to who did not ask, nothing."""
        now = self._now()
        if not question.asked or now < self._busy_until.get(question.channel_id, now):
            return
        self._busy_until = {channel: until for channel, until in self._busy_until.items() if until > now}
        self._busy_until[question.channel_id] = now + timedelta(seconds=BUSY_WINDOW_SECONDS)
        language = self._rulings.language(await self._rulings.guild(question.guild_id))
        try:
            await self._poster.post(
                question, busy(Words.for_language(language)), nonce_of(question.message_id, now), language
            )
        except CannotPost as problem:
            logger.info("no busy notice", extra={"channel_id": question.channel_id, "why": problem.why})

    async def _answer(self, questions: Sequence[Question]) -> None:
        """`questions` are locked and have no answer."""
        paste, origins = joined(questions)
        asked = next((question for question in reversed(questions) if question.asked), None)
        if paste.is_empty and asked is None:
            return
        verdict: Verdict | None = None
        if not paste.is_empty:
            try:
                scope = await self._rulings.scope(questions[-1].guild_id)
                verdict = await self._answering.explain(paste, scope)
            except Busy:
                await self.tell_busy(asked or questions[-1])
                return
        quote = verdict.best.quote if verdict and verdict.best else None
        question = origins[quote.part] if quote and quote.part < len(origins) else asked or questions[-1]
        guild = await self._rulings.guild(question.guild_id)
        if self._rulings.mode(question, guild) is Mode.OFF:
            return
        language = self._rulings.language(guild)
        reply: Reply | None = await self._rulings.card(
            question, verdict, guild, asked=asked is not None, language=language
        )
        if reply is None and asked is not None:
            question = asked
            reply = no_answer(paste, verdict, Words.for_language(language))
        elif reply is None:
            reply = _hint(question, paste, verdict, language)
        if not isinstance(reply, Card):
            await self._keep(question, verdict, guild)
        if reply is not None:
            await self._claim_and_post(question, reply, guild, language, asked=asked is not None)

    async def _claim_and_post(
        self, question: Question, reply: Reply, guild: GuildSettings | None, language: str, *, asked: bool
    ) -> None:
        if self._is_void(question):
            return
        now = self._now()
        record_ids = records_of(reply)
        cooldown = guild.cooldown_seconds if guild and guild.cooldown_seconds is not None else None
        cooldown = self._settings.cooldown_seconds if cooldown is None else cooldown
        outage = self._settings.outage_window_seconds
        claimed = await self._answers.claim(
            Claim(
                question_id=question.message_id,
                channel_id=question.channel_id,
                guild_id=question.guild_id,
                author_id=question.author_id,
                digest=question.digest,
                record_ids=record_ids,
                in_thread=question.in_thread,
                asked=asked,
            ),
            now,
            # Who asks again is told again.
            repeat_since=now - timedelta(seconds=cooldown) if cooldown and record_ids and not asked else None,
            outage_since=now - timedelta(seconds=outage) if outage and record_ids and question.guild_id else None,
            # What is missing is said unasked once in a thread, and not where anything was said already.
            only_first=isinstance(reply, NoAnswer) and not asked,
        )
        if isinstance(claimed, Refusal):
            return
        reply = await self._shaped(question, reply, claimed)
        await self._post(question, reply, now, language)

    async def _shaped(self, question: Question, reply: Reply, claimed: Claimed) -> Reply:
        """The reply itself, or the link to the card that is there or just about to be (C3)."""
        if claimed.shape is Shape.CARD or claimed.first is None or not isinstance(reply, Card):
            return reply
        first: Answer | None = claimed.first
        end = asyncio.get_running_loop().time() + _FIRST_CARD_SECONDS
        while first is not None and first.state is State.CLAIMED and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(_FIRST_CARD_POLL_SECONDS)
            first = await self._answers.of_question(first.question_id)
        if first is None or first.state is not State.POSTED or first.answer_id is None:
            await self._answers.promote(question.message_id)
            return reply
        return Link(reply.title, jump_url(first.guild_id, first.channel_id, first.answer_id))

    async def _post(self, question: Question, reply: Reply, claimed_at: datetime, language: str) -> None:
        """Fulfil a claim, or give it back."""
        if self._is_void(question):
            await self._answers.release(question.message_id)
            return
        try:
            answer_id = await self._poster.post(question, reply, nonce_of(question.message_id, claimed_at), language)
        except CannotPost as problem:
            await self._answers.release(question.message_id)
            logger.info("an answer was not posted", extra={"message_id": question.message_id, "why": problem.why})
            return
        if not await self._answers.posted(question.message_id, answer_id, self._now()):
            # Deleted while we were posting.
            await self._poster.remove(question.channel_id, answer_id)
            return
        if records_of(reply):
            await self._desk.forget(question.message_id)

    async def _follow(self, question: Question, known: Answer) -> None:
        """The question was edited."""
        reply, language = await self._reply_anew(question, asked=known.asked)
        if reply is None:
            # So that the next edit is compared with this one, and what was there before may come back.
            await self._answers.revise(question.message_id, question.digest, known.record_ids)
            await self._take_back(known)
        elif known.state is State.WITHDRAWN:
            now = self._now()
            if await self._answers.reclaim(question.message_id, question.digest, records_of(reply), now):
                await self._post(question, reply, now, language)
        elif known.shape is Shape.POINTER and known.record_ids[:1] == records_of(reply)[:1]:
            await self._answers.revise(question.message_id, question.digest, records_of(reply))
        else:
            await self._replace(question, known, reply, language)

    async def _reply_anew(self, question: Question, *, asked: bool) -> tuple[Reply | None, str]:
        """What to say to one message by itself, and in which language; None for silence."""
        guild = await self._rulings.guild(question.guild_id)
        language = self._rulings.language(guild)
        if self._rulings.mode(question, guild) is Mode.OFF:
            return None, language
        scope = await self._rulings.scope(question.guild_id)
        verdict = None if question.paste.is_empty else await self._answering.explain(question.paste, scope)
        shown = await self._rulings.card(question, verdict, guild, asked=asked, language=language)
        if shown is None:
            await self._keep(question, verdict, guild)
        if shown is None and asked:
            return no_answer(question.paste, verdict, Words.for_language(language)), language
        return shown or _hint(question, question.paste, verdict, language), language

    async def _replace(self, question: Question, known: Answer, reply: Reply, language: str) -> None:
        if not await self._answers.revise(question.message_id, question.digest, records_of(reply)):
            return
        if known.answer_id is None:
            return
        try:
            stands = await self._poster.edit(question, known.answer_id, reply, language)
        except CannotPost as problem:
            logger.info("an answer was not changed", extra={"message_id": question.message_id, "why": problem.why})
            return
        if not stands:
            await self._answers.withdraw(question.message_id, Withdrawal.DISMISSED, self._now())

    async def _take_back(self, known: Answer) -> None:
        taken_back = await self._answers.withdraw(known.question_id, Withdrawal.EDITED, self._now())
        if taken_back is not None and taken_back.answer_id is not None:
            await self._poster.remove(taken_back.channel_id, taken_back.answer_id)

    async def _finish(self, claim: Answer, read: Callable[[Answer], Awaitable[Question | None]]) -> None:
        """Look whether our message stands; if not, post it, unless nobody waits for it any more."""
        answer_id = await self._poster.find(claim.channel_id, claim.question_id)
        if answer_id is not None:
            await self._answers.posted(claim.question_id, answer_id, self._now())
            return
        question = None if is_too_old(claim.claimed_at, self._now()) else await read(claim)
        if question is None or self._is_void(question):
            await self._answers.release(claim.question_id)
            return
        async with self._alone([question]):
            reply, language = await self._reply_anew(question, asked=claim.asked)
            if reply is None:
                await self._answers.release(claim.question_id)
                return
            await self._answers.promote(claim.question_id)
            await self._answers.revise(claim.question_id, question.digest, records_of(reply))
            # The moment of the first claim: a message Discord took before the crash has its nonce.
            await self._post(question, reply, claim.claimed_at, language)

    async def _keep(self, question: Question, verdict: Verdict | None, guild: GuildSettings | None) -> None:
        """What reads like an error and has no answer waits for people."""
        if verdict is None or not verdict.is_error or self._is_void(question):
            return
        text = "\n".join(part.text for part in question.paste.parts)
        await self._desk.keep(
            (await redacted(text)).text,
            message_id=question.message_id,
            guild_id=question.guild_id,
            channel_id=question.channel_id,
            author_id=question.author_id,
            keeps_text=guild is not None and guild.keeps_texts,
            at=question.written_at,
        )

    def _is_void(self, question: Question) -> bool:
        """Whether nothing may be said any more: the message is gone, or the bot was told to be silent."""
        return self.is_gone(question.message_id) or self._settings.is_silenced()

    def _note_gone(self, message_id: int) -> None:
        self._gone[message_id] = None
        while len(self._gone) > _GONE_REMEMBERED:
            self._gone.popitem(last=False)

    @asynccontextmanager
    async def _alone(self, questions: Sequence[Question]) -> AsyncIterator[None]:
        """Nobody else works on these messages inside, and what they say reaches no log line.

        The locks are taken in the order of ids, so that no two wait for each other.
        """
        locks = [self._locks.setdefault(q, asyncio.Lock()) for q in sorted({q.message_id for q in questions})]
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(lock)
            with keep_out(*(part.text for question in questions for part in question.paste.parts)):
                yield


def _hint(question: Question, paste: Paste, verdict: Verdict | None, language: str) -> NoAnswer | None:
    """What is missing from an error in a thread of which nothing is known, for who did not ask; None elsewhere (C8)."""
    if not question.in_thread or verdict is None or not verdict.is_error or verdict.matches:
        return None
    return hint(paste, Words.for_language(language))
