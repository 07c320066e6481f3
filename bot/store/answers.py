"""Which message was answered, with what, and by which message of ours."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.store.moments import from_text, to_text
from bot.store.sqlite import Database, Row, Value


class State(StrEnum):
    """How far an answer has come. A claim that outlives its process has to be looked into."""

    CLAIMED = "claimed"
    POSTED = "posted"
    WITHDRAWN = "withdrawn"


class Shape(StrEnum):
    """A whole card, or the one line that points to the card somebody else got for the same error."""

    CARD = "card"
    POINTER = "pointer"


class Withdrawal(StrEnum):
    """Why an answer was taken back. Only an edit may bring it back."""

    EDITED = "edited"
    DISMISSED = "dismissed"
    DELETED = "deleted"


class Refusal(StrEnum):
    """Why a question cannot be claimed: it is or was answered, or its record was just shown there or to its author."""

    TAKEN = "taken"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A question about to be answered. Ids are Discord's.

    `digest` is a hash of the question, by which an edit that changes nothing is known; its text is not kept.
    `record_ids`: the one to be shown first, () for a sentence without a record. `guild_id` is None in direct messages.
    `asked`: somebody wanted an answer.
    """

    question_id: int
    channel_id: int
    guild_id: int | None
    author_id: int
    digest: str
    record_ids: tuple[str, ...]
    in_thread: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Claim):
    """What is known of an answer. `answer_id` is the id of our message once it is posted; moments are in UTC."""

    state: State
    shape: Shape
    answer_id: int | None
    claimed_at: datetime
    posted_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_for: Withdrawal | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """The right to answer, in this shape. `first` is the card to point to; its `answer_id` may be still to come."""

    shape: Shape
    first: Answer | None = None


class AnswerStore:
    """Answers by the id of their question. A question is claimed before anything is posted, by one caller only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(
        self,
        claim: Claim,
        at: datetime,
        *,
        repeat_since: datetime | None = None,
        outage_since: datetime | None = None,
        only_first: bool = False,
    ) -> Claimed | Refusal:
        """Give the right to answer, to the first who asks for it; the windows are judged in the same transaction.

        repeat_since: refuse when the first record was shown to the same author, or in the same thread, since then.
        outage_since: say POINTER when another question in the channel has had the card for that record since then.
        only_first: refuse when another question in the channel is or was answered, for as long as that is remembered.
        None switches a window off. Claims count like posted answers, withdrawn ones do not.
        """

        def work(connection: sqlite3.Connection) -> Claimed | Refusal:
            if _one(connection, "answers.question_id = ?", (claim.question_id,)):
                return Refusal.TAKEN
            if only_first and _one(connection, "channel_id = ?", (claim.channel_id,)):
                return Refusal.REPEATED
            record_id = claim.record_ids[0] if claim.record_ids else ""
            if repeat_since and _one(
                connection,
                f"{_SHOWN} AND (author_id = ? OR in_thread AND channel_id = ?)",
                (record_id, to_text(repeat_since), claim.author_id, claim.channel_id),
            ):
                return Refusal.REPEATED
            first = outage_since and _one(
                connection,
                f"{_SHOWN} AND channel_id = ? AND shape = 'card'",
                (record_id, to_text(outage_since), claim.channel_id),
            )
            claimed = Claimed(Shape.POINTER, first) if first else Claimed(Shape.CARD)
            connection.execute(
                "INSERT INTO answers (question_id, channel_id, guild_id, author_id, in_thread, asked, state, shape,"
                " digest, claimed_at) VALUES (?, ?, ?, ?, ?, ?, 'claimed', ?, ?, ?)",
                (
                    claim.question_id,
                    claim.channel_id,
                    claim.guild_id,
                    claim.author_id,
                    claim.in_thread,
                    claim.asked,
                    claimed.shape,
                    claim.digest,
                    to_text(at),
                ),
            )
            _add_records(connection, claim.question_id, claim.record_ids)
            return claimed

        return await self._database.together(work)

    async def promote(self, question_id: int) -> None:
        """Let a pointer become a card, for when the card it was to point to never came."""
        await self._database.write("UPDATE answers SET shape = 'card' WHERE question_id = ?", (question_id,))

    async def posted(self, question_id: int, answer_id: int, at: datetime) -> bool:
        """Remember that our message stands; False when the question was withdrawn or forgotten meanwhile.

        After False the caller takes its message back. Twice is the same as once.
        """
        changed = await self._database.write(
            "UPDATE answers SET state = 'posted', answer_id = ?, posted_at = coalesce(posted_at, ?)"
            " WHERE question_id = ? AND (state = 'claimed' OR state = 'posted' AND answer_id = ?)",
            (answer_id, to_text(at), question_id, answer_id),
        )
        return changed > 0

    async def release(self, question_id: int) -> None:
        """Give a claim back because nothing was posted; the question may be claimed again."""
        await self._database.write("DELETE FROM answers WHERE question_id = ? AND state = 'claimed'", (question_id,))

    async def revise(self, question_id: int, digest: str, record_ids: Sequence[str]) -> bool:
        """Note what a claimed or posted answer shows after its question was edited; False when there is none."""

        def work(connection: sqlite3.Connection) -> bool:
            changed = connection.execute(
                "UPDATE answers SET digest = ? WHERE question_id = ? AND state <> 'withdrawn'", (digest, question_id)
            )
            if changed.rowcount == 0:
                return False
            _set_records(connection, question_id, record_ids)
            return True

        return await self._database.together(work)

    async def withdraw(self, question_id: int, why: Withdrawal, at: datetime) -> Answer | None:
        """Mark an answer as taken back; return it as it was, None when there was nothing to take back.

        The caller removes the message of what is returned; one still to be posted is refused by `posted`.
        """

        def work(connection: sqlite3.Connection) -> Answer | None:
            answer = _one(connection, "answers.question_id = ? AND state <> 'withdrawn'", (question_id,))
            if answer:
                connection.execute(
                    "UPDATE answers SET state = 'withdrawn', withdrawn_at = ?, withdrawn_for = ?, answer_id = NULL"
                    " WHERE question_id = ?",
                    (to_text(at), why, question_id),
                )
            return answer

        return await self._database.together(work)

    async def reclaim(self, question_id: int, digest: str, record_ids: Sequence[str], at: datetime) -> bool:
        """Claim a question again whose answer an edit took away; False for any other, a dismissed one above all."""

        def work(connection: sqlite3.Connection) -> bool:
            changed = connection.execute(
                "UPDATE answers SET state = 'claimed', shape = 'card', digest = ?, claimed_at = ?, posted_at = NULL,"
                " withdrawn_at = NULL, withdrawn_for = NULL"
                " WHERE question_id = ? AND state = 'withdrawn' AND withdrawn_for = 'edited'",
                (digest, to_text(at), question_id),
            )
            if changed.rowcount == 0:
                return False
            _set_records(connection, question_id, record_ids)
            return True

        return await self._database.together(work)

    async def take_over(self, before: datetime, at: datetime) -> tuple[Answer, ...]:
        """The claims made before a moment and never brought to an end, claimed anew: each is given to one caller only.

        For each the caller looks whether our message stands, then says `posted`, answers, or `release`s it.
        """

        def work(connection: sqlite3.Connection) -> tuple[Answer, ...]:
            rows = connection.execute(
                f"{_SELECT} WHERE state = 'claimed' AND claimed_at < ? ORDER BY question_id", (to_text(before),)
            ).fetchall()
            connection.execute(
                "UPDATE answers SET claimed_at = ? WHERE state = 'claimed' AND claimed_at < ?",
                (to_text(at), to_text(before)),
            )
            return tuple(map(_answer, rows))

        return await self._database.together(work)

    async def of_question(self, question_id: int) -> Answer | None:
        """What is known of the answer to this message."""
        row = await self._database.row(f"{_SELECT} WHERE answers.question_id = ?", (question_id,))
        return _answer(row) if row else None

    async def of_answer(self, answer_id: int) -> Answer | None:
        """What is known of this message of ours, for as long as it stands."""
        row = await self._database.row(f"{_SELECT} WHERE answer_id = ?", (answer_id,))
        return _answer(row) if row else None

    async def standing(self, since: datetime, most: int) -> tuple[Answer, ...]:
        """The posted answers to questions claimed since a moment, at most so many, the newest first."""
        rows = await self._database.rows(
            f"{_SELECT} WHERE state = 'posted' AND claimed_at >= ? ORDER BY claimed_at DESC, question_id DESC LIMIT ?",
            (to_text(since), most),
        )
        return tuple(_answer(row) for row in rows)

    async def forget(self, question_id: int) -> None:
        """Remove all that was kept of an answer, its votes too, because its question is gone. Twice is as once."""
        await self._database.write("DELETE FROM answers WHERE question_id = ?", (question_id,))


_SELECT = """
SELECT question_id, channel_id, guild_id, author_id, in_thread, asked, state, shape, digest, answer_id, claimed_at,
       posted_at, withdrawn_at, withdrawn_for,
       (SELECT group_concat(record_id, ' ') FROM
           (SELECT record_id FROM answer_records AS shown WHERE shown.question_id = answers.question_id ORDER BY place))
FROM answers
"""
# The answers that show a record on their card since a moment.
_SHOWN = (
    "question_id IN (SELECT question_id FROM answer_records WHERE record_id = ? AND place = 0)"
    " AND claimed_at >= ? AND state <> 'withdrawn'"
)


def _one(connection: sqlite3.Connection, condition: str, values: Sequence[Value]) -> Answer | None:
    """The earliest answer of which a condition of this file holds."""
    row = connection.execute(
        f"{_SELECT} WHERE {condition} ORDER BY claimed_at, question_id LIMIT 1", values
    ).fetchone()  # fmt: skip
    return _answer(row) if row else None


def _set_records(connection: sqlite3.Connection, question_id: int, record_ids: Sequence[str]) -> None:
    connection.execute("DELETE FROM answer_records WHERE question_id = ?", (question_id,))
    _add_records(connection, question_id, record_ids)


def _add_records(connection: sqlite3.Connection, question_id: int, record_ids: Sequence[str]) -> None:
    if record_ids:
        connection.executemany(
            "INSERT INTO answer_records VALUES (?, ?, ?)",
            [(question_id, place, record_id) for place, record_id in enumerate(record_ids)],
        )


def _answer(row: Row) -> Answer:
    (question, channel, guild, author, thread, asked, state, shape, digest, answer, *moments, withdrawn_for, ids) = row
    claimed_at, posted_at, withdrawn_at = (moment and from_text(moment) for moment in moments)
    return Answer(
        question_id=question,
        channel_id=channel,
        guild_id=guild,
        author_id=author,
        in_thread=bool(thread),
        asked=bool(asked),
        state=State(state),
        shape=Shape(shape),
        digest=digest,
        answer_id=answer,
        claimed_at=claimed_at,
        posted_at=posted_at,
        withdrawn_at=withdrawn_at,
        withdrawn_for=Withdrawal(withdrawn_for) if withdrawn_for else None,
        record_ids=tuple(ids.split()) if ids else (),
    )
