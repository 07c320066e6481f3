"""Invented records in a store, for what is built from it."""

from bot.records.record import Record
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.acceptance.invented import invented
from tests.acceptance.pipeline import AT


async def put(database: Database, *records: Record) -> None:
    """They are in the store."""
    await RecordStore(database).put(records, "a test", AT)


def many(number: int) -> list[Record]:
    """So many that are about something else than any other."""
    return [invented(2_000 + n, "fill/er", f"src/f{n}.go", f"filler {n} of the attic is dusty") for n in range(number)]
