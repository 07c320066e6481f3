"""Questions nobody could answer, grouped by what they have in common."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.moments import from_text, to_text
from bot.store.sqlite import Database

_SAMPLES = 5


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Messages of one guild with one fingerprint. Moments are in UTC.

    `jump_urls`: the last five messages, newest first. `redacted_texts`: theirs, where the guild wants texts kept.
    """

    guild_id: int | None
    fingerprint: str
    count: int
    first_seen: datetime
    last_seen: datetime
    jump_urls: tuple[str, ...]
    redacted_texts: tuple[str, ...]


class QuestionStore:
    """Unanswered questions, each message once, until they are answered, deleted or too old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep_question(
        self,
        *,
        message_id: int,
        guild_id: int | None,
        channel_id: int,
        author_id: int,
        fingerprint: str,
        jump_url: str,
        redacted_text: str | None,
        at: datetime,
    ) -> None:
        """Keep a message, in place of what was kept of it before. `jump_url` is that of a message, nothing else."""
        await self._database.write(
            "INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " fingerprint = excluded.fingerprint, redacted_text = excluded.redacted_text",
            (message_id, guild_id, channel_id, author_id, fingerprint, jump_url, to_text(at), redacted_text),
        )

    async def forget_question(self, message_id: int) -> bool:
        """Remove what was kept of a message; False when nothing was."""
        return await self._database.write("DELETE FROM questions WHERE message_id = ?", (message_id,)) > 0

    async def groups(self, guild_id: int | None, most: int = 25) -> tuple[QuestionGroup, ...]:
        """The groups of a guild, the largest first, of equal ones the one seen last first."""
        rows = await self._database.rows(
            "SELECT fingerprint FROM questions WHERE guild_id IS ? GROUP BY fingerprint"
            " ORDER BY count(*) DESC, max(seen_at) DESC, fingerprint LIMIT ?",
            (guild_id, most),
        )
        groups = [await self.group(guild_id, row[0]) for row in rows]
        return tuple(group for group in groups if group)

    async def group(self, guild_id: int | None, fingerprint: str) -> QuestionGroup | None:
        """One group, None when nothing is kept of it (any more)."""
        counted = await self._database.row(
            "SELECT count(*), min(seen_at), max(seen_at) FROM questions WHERE guild_id IS ? AND fingerprint = ?",
            (guild_id, fingerprint),
        )
        if counted is None or counted[0] == 0:
            return None
        samples = await self._database.rows(
            "SELECT jump_url, redacted_text FROM questions WHERE guild_id IS ? AND fingerprint = ?"
            " ORDER BY seen_at DESC, message_id DESC LIMIT ?",
            (guild_id, fingerprint, _SAMPLES),
        )
        return QuestionGroup(
            guild_id=guild_id,
            fingerprint=fingerprint,
            count=counted[0],
            first_seen=from_text(counted[1]),
            last_seen=from_text(counted[2]),
            jump_urls=tuple(sample[0] for sample in samples),
            redacted_texts=tuple(sample[1] for sample in samples if sample[1] is not None),
        )

    async def forget_group(self, guild_id: int | None, fingerprint: str) -> int:
        """Remove a group, because it is answered; return how many messages it had."""
        return await self._database.write(
            "DELETE FROM questions WHERE guild_id IS ? AND fingerprint = ?", (guild_id, fingerprint)
        )
