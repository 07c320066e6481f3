"""Questions nobody could answer, in groups."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from bot.store.questions import QuestionStore
from bot.store.sqlite import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def url(message_id: int) -> str:
    return f"https://discord.com/channels/100/1/{message_id}"


async def keep(
    store: QuestionStore,
    message_id: int,
    fingerprint: str = "f",
    *,
    text: str | None = None,
    guild_id: int | None = 100,
) -> None:
    """Keep a message that was written `message_id` minutes after noon."""
    await store.keep_question(
        message_id=message_id,
        guild_id=guild_id,
        channel_id=1,
        author_id=2,
        fingerprint=fingerprint,
        jump_url=url(message_id),
        redacted_text=text,
        at=NOW + timedelta(minutes=message_id),
    )


@pytest.fixture
def store(database: Database) -> QuestionStore:
    return QuestionStore(database)


async def test_questions_are_grouped_by_fingerprint(store: QuestionStore) -> None:
    """H4: a group has its count, first and last moment and the links of its last messages; large groups come first."""
    await keep(store, 1, "rare")
    for message_id in range(2, 9):
        await keep(store, message_id)
    await keep(store, 9, guild_id=None)

    often, rare = await store.groups(100)

    assert (often.fingerprint, often.count) == ("f", 7)
    assert (often.first_seen, often.last_seen) == (NOW + timedelta(minutes=2), NOW + timedelta(minutes=8))
    assert often.jump_urls == tuple(url(n) for n in (8, 7, 6, 5, 4))
    assert often.redacted_texts == ()
    assert (rare.fingerprint, rare.count) == ("rare", 1)
    assert [group.count for group in await store.groups(None)] == [1]
    assert await store.group(100, "none") is None


async def test_a_message_counts_once(store: QuestionStore) -> None:
    """H6: the same message after a restart adds nothing; an edited one moves to its new group."""
    await keep(store, 1)
    await keep(store, 1)
    (group,) = await store.groups(100)
    assert group.count == 1

    await keep(store, 1, "other", text="said by the guild to be kept")

    (group,) = await store.groups(100)
    assert (group.fingerprint, group.redacted_texts) == ("other", ("said by the guild to be kept",))


async def test_a_deleted_message_leaves_its_group(store: QuestionStore) -> None:
    """F4: what was derived from a message goes with it, the group with its last one."""
    await keep(store, 1)
    await keep(store, 2)

    assert await store.forget_question(1)
    assert not await store.forget_question(1)
    (group,) = await store.groups(100)
    assert (group.count, group.jump_urls) == (1, (url(2),))
    assert await store.forget_group(100, "f") == 1
    assert await store.groups(100) == ()


async def test_a_file_of_the_cdn_is_refused(store: QuestionStore) -> None:
    """F5: the database itself takes nothing but the address of a message."""
    with pytest.raises(sqlite3.IntegrityError):
        await store.keep_question(
            message_id=1,
            guild_id=1,
            channel_id=1,
            author_id=1,
            fingerprint="f",
            jump_url="https://cdn.discordapp.com/attachments/1/2/log.txt?ex=1&is=2&hm=3",
            redacted_text=None,
            at=NOW,
        )
