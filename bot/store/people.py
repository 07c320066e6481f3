"""What people decide about themselves: to be left alone, to see what is kept of them, to have it deleted."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.moments import from_text, to_text
from bot.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that is kept of one person. Moments are in UTC; no texts but those of `redacted_texts`.

    `answers`: (channel id, message id, when) of their messages that were answered.
    `votes`: (record id, what they said, when). `questions`: (jump link, when) of those nobody could answer.
    `settings_changed`: (guild id, setting, when), as an admin.
    """

    opted_out_since: datetime | None
    answers: tuple[tuple[int, int, datetime], ...]
    votes: tuple[tuple[str, str, datetime], ...]
    questions: tuple[tuple[str, datetime], ...]
    redacted_texts: tuple[str, ...]
    settings_changed: tuple[tuple[int, str, datetime], ...]

    @property
    def is_empty(self) -> bool:
        return self.opted_out_since is None and not (
            self.answers or self.votes or self.questions or self.settings_changed
        )


class PeopleStore:
    """Wishes of single people, by their Discord id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def opt_out(self, user_id: int, at: datetime) -> None:
        """From now on nothing this person writes is answered unasked. Twice is the same as once."""
        await self._database.write("INSERT INTO opt_outs VALUES (?, ?) ON CONFLICT DO NOTHING", (user_id, to_text(at)))

    async def opt_in(self, user_id: int) -> None:
        """Take an opt-out back."""
        await self._database.write("DELETE FROM opt_outs WHERE user_id = ?", (user_id,))

    async def is_opted_out(self, user_id: int) -> bool:
        """Whether this person is to get no automatic replies."""
        return await self._database.row("SELECT 1 FROM opt_outs WHERE user_id = ?", (user_id,)) is not None

    async def kept(self, user_id: int) -> Kept:
        """Everything that is kept of a person."""
        since = await self._database.row("SELECT since FROM opt_outs WHERE user_id = ?", (user_id,))
        answers = await self._database.rows(
            "SELECT channel_id, question_id, claimed_at FROM answers WHERE author_id = ? ORDER BY claimed_at",
            (user_id,),
        )
        votes = await self._database.rows(
            "SELECT record_id, vote, voted_at FROM votes WHERE user_id = ? ORDER BY voted_at", (user_id,)
        )
        questions = await self._database.rows(
            "SELECT jump_url, seen_at, redacted_text FROM questions WHERE author_id = ? ORDER BY seen_at", (user_id,)
        )
        changes = await self._database.rows(
            "SELECT guild_id, name, changed_at FROM guild_changes WHERE user_id = ? ORDER BY id", (user_id,)
        )
        return Kept(
            opted_out_since=from_text(since[0]) if since else None,
            answers=tuple((channel, message, from_text(at)) for channel, message, at in answers),
            votes=tuple((record, vote, from_text(at)) for record, vote, at in votes),
            questions=tuple((url, from_text(at)) for url, at, _ in questions),
            redacted_texts=tuple(text for _, _, text in questions if text is not None),
            settings_changed=tuple((guild, name, from_text(at)) for guild, name, at in changes),
        )

    async def forget(self, user_id: int, *, opt_out_too: bool = False) -> int:
        """Remove everything kept of a person; return how many things that were. Twice is the same as once.

        In a guild's log of settings their id becomes 0, since the log belongs to the guild. An opt-out stays unless
        it is named: who wants to be left alone and forgotten would otherwise be answered again.
        """
        statements = [
            "DELETE FROM answers WHERE author_id = ?",
            "DELETE FROM votes WHERE user_id = ?",
            "DELETE FROM questions WHERE author_id = ?",
            "UPDATE guild_changes SET user_id = 0 WHERE user_id = ?",
        ]
        if opt_out_too:
            statements.append("DELETE FROM opt_outs WHERE user_id = ?")
        removed = 0
        async with self._database.transaction() as connection:
            for statement in statements:
                removed += (await connection.execute(statement, (user_id,))).rowcount
        return removed
