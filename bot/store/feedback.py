"""What people said of the answers."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.store.moments import to_text
from bot.store.sqlite import Database


class Vote(StrEnum):
    """What a person said of a record shown to them."""

    HELPFUL = "helpful"
    NOT_MINE = "not_mine"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Votes:
    """How many people said what."""

    helpful: int = 0
    not_mine: int = 0
    dismissed: int = 0


class FeedbackStore:
    """Votes by answer, person and record; a person counts once for each record an answer showed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def vote(self, question_id: int, user_id: int, record_id: str, vote: Vote, at: datetime) -> bool:
        """Count a vote, in place of an earlier one of this person; False when it changes nothing.

        It changes nothing when it was given before, and when the answer is no longer known: then nobody could tell
        whether it was.
        """
        changed = await self._database.write(
            "INSERT INTO votes SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM answers WHERE question_id = ?)"
            " ON CONFLICT DO UPDATE SET vote = excluded.vote, voted_at = excluded.voted_at"
            " WHERE vote <> excluded.vote",
            (question_id, user_id, record_id, vote, to_text(at), question_id),
        )
        return changed > 0

    async def of_record(self, record_id: str) -> Votes:
        """All votes on a record, those whose answers are past their retention included."""
        rows = await self._database.rows(
            "SELECT vote, sum(votes) FROM (SELECT vote, 1 AS votes FROM votes WHERE record_id = ?"
            " UNION ALL SELECT vote, votes FROM vote_totals WHERE record_id = ?) GROUP BY vote",
            (record_id, record_id),
        )
        return Votes(**{str(vote): int(votes) for vote, votes in rows})

    async def by_record(self) -> dict[str, Votes]:
        """The same of every record that has votes, by record id."""
        rows = await self._database.rows(
            "SELECT record_id, vote, sum(votes) FROM (SELECT record_id, vote, 1 AS votes FROM votes"
            " UNION ALL SELECT record_id, vote, votes FROM vote_totals) GROUP BY record_id, vote"
        )
        counts: dict[str, dict[str, int]] = {}
        for record_id, vote, votes in rows:
            counts.setdefault(str(record_id), {})[str(vote)] = int(votes)
        return {record_id: Votes(**by_vote) for record_id, by_vote in counts.items()}
