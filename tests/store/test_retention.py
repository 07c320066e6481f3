"""Retention, proven with a clock."""

from datetime import UTC, datetime, timedelta

from bot.store.answers import AnswerStore, Claim
from bot.store.feedback import FeedbackStore, Vote, Votes
from bot.store.questions import QuestionStore
from bot.store.retention import Purged, purge
from bot.store.sqlite import Database

START = datetime(2026, 1, 1, tzinfo=UTC)


async def day(database: Database, number: int) -> datetime:
    """Answer one message, vote on it and keep one question on a day; return the moment."""
    at = START + timedelta(days=number)
    await AnswerStore(database).claim(
        Claim(question_id=number + 1, channel_id=1, guild_id=100, author_id=2, digest="", record_ids=("r",)), at
    )
    await FeedbackStore(database).vote(number + 1, 3, "r", Vote.HELPFUL, at)
    await QuestionStore(database).keep_question(
        message_id=number + 1,
        guild_id=100,
        channel_id=1,
        author_id=2,
        fingerprint="f",
        jump_url="https://discord.com/channels/1/2/3",
        redacted_text="text",
        at=at,
    )
    return at


async def test_nothing_outlives_its_days(database: Database) -> None:
    """F4: over forty days with a purge each, never is anything there that is older than was promised."""
    for number in range(40):
        now = await day(database, number)

        await purge(database, now, answer_days=10, question_days=20)

        oldest_answer = await database.row("SELECT min(claimed_at), count(*) FROM answers")
        oldest_question = await database.row("SELECT min(seen_at), count(*) FROM questions")
        assert oldest_answer is not None
        assert oldest_question is not None
        assert datetime.fromisoformat(oldest_answer[0]) >= now - timedelta(days=10)
        assert datetime.fromisoformat(oldest_question[0]) >= now - timedelta(days=20)
        assert (oldest_answer[1], oldest_question[1]) == (min(number + 1, 11), min(number + 1, 21))


async def test_votes_stay_as_figures_and_count_once(database: Database) -> None:
    """H6: purging moves votes into totals that name nobody, and purging again does not count them twice."""
    for number in range(3):
        await day(database, number)
    now = START + timedelta(days=12)

    assert await purge(database, now, answer_days=10, question_days=10) == Purged(answers=2, questions=2)
    assert await purge(database, now, answer_days=10, question_days=10) == Purged(answers=0, questions=0)
    assert await FeedbackStore(database).of_record("r") == Votes(helpful=3)

    await purge(database, now + timedelta(days=9), answer_days=10, question_days=10)
    assert await FeedbackStore(database).by_record() == {"r": Votes(helpful=3)}
    assert await database.rows("SELECT * FROM votes") == []
