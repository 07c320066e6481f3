"""Votes: each person once."""

from datetime import UTC, datetime

import pytest

from bot.store.answers import AnswerStore, Claim
from bot.store.feedback import FeedbackStore, Vote, Votes
from bot.store.sqlite import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
async def store(database: Database) -> FeedbackStore:
    """A store with answers to the questions 1 and 2."""
    for question_id in (1, 2):
        claim = Claim(
            question_id=question_id, channel_id=1, guild_id=None, author_id=1, digest="", record_ids=("a", "b")
        )
        await AnswerStore(database).claim(claim, NOW)
    return FeedbackStore(database)


async def test_a_person_counts_once_for_an_answer(store: FeedbackStore) -> None:
    """H6: pressing again changes nothing, other people and other answers add up."""
    assert await store.vote(1, 10, "a", Vote.HELPFUL, NOW)
    assert not await store.vote(1, 10, "a", Vote.HELPFUL, NOW)
    assert await store.vote(1, 11, "a", Vote.HELPFUL, NOW)
    assert await store.vote(2, 10, "a", Vote.NOT_MINE, NOW)

    assert await store.of_record("a") == Votes(helpful=2, not_mine=1)


async def test_the_last_word_counts(store: FeedbackStore) -> None:
    """Somebody who thinks again moves the vote and does not add one."""
    await store.vote(1, 10, "a", Vote.HELPFUL, NOW)

    assert await store.vote(1, 10, "a", Vote.DISMISSED, NOW)
    assert await store.of_record("a") == Votes(dismissed=1)


async def test_the_next_candidate_has_votes_of_its_own(store: FeedbackStore) -> None:
    """What people say of the first record and of the next one shown instead is both worth knowing."""
    await store.vote(1, 10, "a", Vote.NOT_MINE, NOW)
    await store.vote(1, 10, "b", Vote.HELPFUL, NOW)

    assert await store.by_record() == {"a": Votes(not_mine=1), "b": Votes(helpful=1)}


async def test_a_vote_on_an_unknown_answer_counts_nothing(store: FeedbackStore) -> None:
    """Where it cannot be told whether somebody has voted before, nobody does."""
    assert not await store.vote(99, 10, "a", Vote.HELPFUL, NOW)
    assert await store.of_record("a") == Votes()
