"""The desk, with the real store behind it."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.store.questions import QuestionStore
from bot.store.sqlite import Database
from bot.triage.desk import Desk
from bot.triage.question import Question

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PASTE = "it says\nKeyError: 'zanzibar'"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / "db") as opened:
        yield opened


async def keep(database: Database, message_id: int, text: str = PASTE, *, keeps_text: bool = False) -> Question:
    return await Desk(QuestionStore(database)).keep(
        text,
        message_id=message_id,
        guild_id=100,
        channel_id=5,
        author_id=7,
        keeps_text=keeps_text,
        at=NOW + timedelta(minutes=message_id),
    )


async def test_questions_of_one_error_come_together(database: Database) -> None:
    """H4: count, first and last seen and the links of both messages."""
    await keep(database, 1)
    await keep(database, 2, "hello!\nKeyError: 'elsewhere'\n")
    await keep(database, 3, "ValueError: other")

    largest, _ = await QuestionStore(database).groups(100)

    assert (largest.count, largest.first_seen, largest.last_seen) == (
        2,
        NOW + timedelta(minutes=1),
        NOW + timedelta(minutes=2),
    )
    assert largest.jump_urls == ("https://discord.com/channels/100/5/2", "https://discord.com/channels/100/5/1")


async def test_no_word_of_the_paste_is_in_the_file(database: Database, tmp_path: Path) -> None:
    """F4: unless the guild says so, the text is nowhere in the database or its journal."""
    await keep(database, 1)
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"discord.com/channels/100/5/1" in files
    assert b"zanzibar" not in files
    assert b"KeyError" not in files

    await keep(database, 2, keeps_text=True)
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"zanzibar" in files


async def test_a_question_goes_with_its_message(database: Database) -> None:
    """F4: forgetting removes it, twice as once."""
    await keep(database, 1)
    desk = Desk(QuestionStore(database))

    await desk.forget(1)
    await desk.forget(1)

    assert await QuestionStore(database).groups(100) == ()
