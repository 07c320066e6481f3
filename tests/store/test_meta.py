"""What the bot remembers of itself."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.store.meta import MetaStore
from bot.store.sqlite import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_values_by_name(database: Database) -> None:
    """A value is what was last set, and None removes it."""
    store = MetaStore(database)
    await store.set("commands", "a")
    await store.set("commands", "b")
    assert await store.get("commands") == "b"

    await store.set("commands", None)
    assert await store.get("commands") is None


async def test_the_identify_budget_holds_over_restarts(tmp_path: Path) -> None:
    """E14: when it is spent, the wait says when the oldest IDENTIFY is a day old; each process counts the others'."""
    for number in range(3):
        async with Database.open(tmp_path / "db") as database:
            assert await MetaStore(database).spend_identify(NOW + timedelta(hours=number), most=3) is None

    async with Database.open(tmp_path / "db") as database:
        store = MetaStore(database)
        assert await store.identifies(NOW + timedelta(hours=3)) == 3
        assert await store.spend_identify(NOW + timedelta(hours=3), most=3) == timedelta(hours=21)
        assert await store.identifies(NOW + timedelta(hours=3)) == 3
        assert await store.spend_identify(NOW + timedelta(hours=24), most=3) is None
        assert await store.identifies(NOW + timedelta(hours=24)) == 3
