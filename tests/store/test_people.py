"""People see, delete, and opt out."""

from datetime import UTC, datetime

import pytest

from bot.store import guild_edits
from bot.store.answers import AnswerStore, Claim
from bot.store.feedback import FeedbackStore, Vote
from bot.store.guilds import GuildStore
from bot.store.people import Kept, PeopleStore
from bot.store.questions import QuestionStore
from bot.store.sqlite import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOBODY = Kept(None, (), (), (), (), ())


@pytest.fixture
def store(database: Database) -> PeopleStore:
    return PeopleStore(database)


async def leave_traces(database: Database, user_id: int) -> None:
    """One of everything that can be kept of a person."""
    answers = AnswerStore(database)
    await answers.claim(
        Claim(question_id=user_id + 1, channel_id=5, guild_id=100, author_id=user_id, digest="", record_ids=("r",)), NOW
    )
    await answers.claim(
        Claim(question_id=user_id + 2, channel_id=5, guild_id=100, author_id=9, digest="", record_ids=("r",)), NOW
    )
    await FeedbackStore(database).vote(user_id + 2, user_id, "r", Vote.HELPFUL, NOW)
    await QuestionStore(database).keep_question(
        message_id=user_id + 3,
        guild_id=100,
        channel_id=5,
        author_id=user_id,
        fingerprint="f",
        jump_url="https://discord.com/channels/100/5/6",
        redacted_text="a text",
        at=NOW,
    )
    await GuildStore(database).change(100, [guild_edits.cooldown(user_id)], user_id, NOW)


async def test_an_opt_out_holds_until_taken_back(store: PeopleStore) -> None:
    """C10: somebody who has opted out is known as such, twice as once, until they opt in."""
    await store.opt_out(1, NOW)
    await store.opt_out(1, NOW)
    assert await store.is_opted_out(1)
    assert not await store.is_opted_out(2)

    await store.opt_in(1)
    assert not await store.is_opted_out(1)


async def test_people_see_all_that_is_kept(database: Database, store: PeopleStore) -> None:
    """F4: every table with a person's id in it is in what they are shown."""
    await leave_traces(database, 1000)
    await store.opt_out(1000, NOW)

    kept = await store.kept(1000)

    assert kept == Kept(
        opted_out_since=NOW,
        answers=((5, 1001, NOW),),
        votes=(("r", "helpful", NOW),),
        questions=(("https://discord.com/channels/100/5/6", NOW),),
        redacted_texts=("a text",),
        settings_changed=((100, "cooldown_seconds", NOW),),
    )
    assert not kept.is_empty
    assert (await store.kept(1)).is_empty


async def test_people_can_delete_all_that_is_kept(database: Database, store: PeopleStore) -> None:
    """F4: afterwards no table names the person; others keep theirs, and an opt-out stays unless it is named."""
    await leave_traces(database, 1000)
    await leave_traces(database, 2000)
    await store.opt_out(1000, NOW)

    assert await store.forget(1000) == 4
    assert await store.is_opted_out(1000)
    assert await store.forget(1000, opt_out_too=True) == 1

    assert await store.kept(1000) == NOBODY
    assert len((await store.kept(2000)).answers) == 1
    for (table,) in await database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'"):
        columns = {row[0] for row in await database.rows("SELECT name FROM pragma_table_info(?)", (table,))}
        for column in columns & {"user_id", "author_id"}:
            assert await database.rows(f"SELECT * FROM {table} WHERE {column} = 1000") == [], table
    assert len(await GuildStore(database).log(100)) == 2
