"""Nothing is kept for longer than was promised."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store.moments import to_text
from bot.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class Purged:
    """How many answers and questions had reached their age."""

    answers: int
    questions: int


async def purge(database: Database, at: datetime, *, answer_days: int, question_days: int) -> Purged:
    """Remove answers and questions older than these many days at the moment `at` (UTC).

    Votes on those answers go into totals by record, which know neither people nor messages.
    """
    answers_before = to_text(at - timedelta(days=answer_days))
    questions_before = to_text(at - timedelta(days=question_days))
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT INTO vote_totals"
            " SELECT coalesce(guild_id, 0), record_id, vote, count(*) FROM votes JOIN answers USING (question_id)"
            " WHERE claimed_at < ? GROUP BY 1, 2, 3"
            " ON CONFLICT DO UPDATE SET votes = votes + excluded.votes",
            (answers_before,),
        )
        answers = await connection.execute("DELETE FROM answers WHERE claimed_at < ?", (answers_before,))
        questions = await connection.execute("DELETE FROM questions WHERE seen_at < ?", (questions_before,))
        return Purged(answers.rowcount, questions.rowcount)
