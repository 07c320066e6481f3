"""Small things the bot remembers of itself."""

from datetime import datetime, timedelta

from bot.store.moments import to_text
from bot.store.sqlite import Database

IDENTIFY_WINDOW = timedelta(hours=24)
# Discord allows 1,000 in this window and resets the token of a bot that sends more. The rest is for a person who has to
# restart it by hand while it is in trouble.
MOST_IDENTIFIES = 900


class MetaStore:
    """Values by name, and the IDENTIFYs of the last day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> str | None:
        """The value last set under a name."""
        row = await self._database.row("SELECT value FROM meta WHERE name = ?", (name,))
        return str(row[0]) if row else None

    async def set(self, name: str, value: str | None) -> None:
        """Keep a value under a name; None removes it."""
        if value is None:
            await self._database.write("DELETE FROM meta WHERE name = ?", (name,))
        else:
            await self._database.write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    async def spend_identify(self, at: datetime, most: int = MOST_IDENTIFIES) -> timedelta | None:
        """Note that an IDENTIFY is about to be sent and return None, or return how long to wait until one may be.

        at: UTC. Counted over processes, so that a bot in a crash loop keeps within the budget.
        """
        async with self._database.transaction() as connection:
            await connection.execute("DELETE FROM identifies WHERE sent_at <= ?", (to_text(at - IDENTIFY_WINDOW),))
            cursor = await connection.execute(
                "SELECT sent_at FROM identifies ORDER BY sent_at DESC LIMIT 1 OFFSET ?", (most - 1,)
            )
            oldest = await cursor.fetchone()
            if oldest is not None:
                return datetime.fromisoformat(oldest[0]) + IDENTIFY_WINDOW - at
            await connection.execute("INSERT INTO identifies (sent_at) VALUES (?)", (to_text(at),))
            return None

    async def identifies(self, at: datetime) -> int:
        """How many IDENTIFYs were sent in the 24 hours before `at`."""
        row = await self._database.row(
            "SELECT count(*) FROM identifies WHERE sent_at > ?", (to_text(at - IDENTIFY_WINDOW),)
        )
        return int(row[0]) if row else 0
