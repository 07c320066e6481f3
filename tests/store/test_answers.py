"""Answers by their question: claimed once, whatever happens."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.store.answers import AnswerStore, Claim, Claimed, Refusal, Shape, State, Withdrawal
from bot.store.feedback import FeedbackStore, Vote
from bot.store.sqlite import Database
from tests.shared_data import REPOSITORY

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
CLAIM = Claim(question_id=1, channel_id=10, guild_id=100, author_id=1000, digest="d1", record_ids=("rec1", "rec2"))


@pytest.fixture
def store(database: Database) -> AnswerStore:
    return AnswerStore(database)


async def test_an_answer_is_known_by_both_ids(store: AnswerStore) -> None:
    """D8: after posting, question and answer lead to the same facts."""
    assert await store.claim(CLAIM, NOW) == Claimed(Shape.CARD)
    assert await store.posted(1, 900, NOW + MINUTE)

    answer = await store.of_question(1)
    assert answer is not None
    assert answer == await store.of_answer(900)
    assert (answer.state, answer.answer_id, answer.record_ids, answer.digest) == (
        State.POSTED,
        900,
        ("rec1", "rec2"),
        "d1",
    )
    assert (answer.claimed_at, answer.posted_at, answer.asked, answer.in_thread) == (NOW, NOW + MINUTE, False, False)
    assert await store.of_question(2) is None
    assert await store.of_answer(1) is None


async def test_a_question_is_claimed_by_one_of_many(store: AnswerStore) -> None:
    """E15: of callers that come at once, as after a resume, one may answer; so too after posting and withdrawing."""
    outcomes = await asyncio.gather(*(store.claim(CLAIM, NOW) for _ in range(10)))

    assert sorted(map(str, outcomes)) == [str(Claimed(Shape.CARD)), *["taken"] * 9]
    await store.posted(1, 900, NOW)
    assert await store.claim(CLAIM, NOW) is Refusal.TAKEN
    await store.withdraw(1, Withdrawal.DISMISSED, NOW)
    assert await store.claim(CLAIM, NOW) is Refusal.TAKEN


async def test_two_processes_do_not_claim_one_question(tmp_path: Path) -> None:
    """E15: the claim holds over connections, as when an old process still runs while the new one starts."""
    path = tmp_path / "db"
    async with Database.open(path) as one, Database.open(path) as other:
        outcomes = await asyncio.gather(
            *(AnswerStore(database).claim(CLAIM, NOW) for database in (one, other, one, other))
        )

    assert outcomes.count(Refusal.TAKEN) == 3


async def test_what_was_not_posted_may_be_claimed_again(store: AnswerStore) -> None:
    """A claim given back leaves no trace; a posted answer cannot be given back."""
    await store.claim(CLAIM, NOW)
    await store.release(1)
    assert await store.claim(CLAIM, NOW) == Claimed(Shape.CARD)

    await store.posted(1, 900, NOW)
    await store.release(1)
    assert await store.of_answer(900) is not None


async def test_a_question_deleted_before_its_answer_came_refuses_the_answer(store: AnswerStore) -> None:
    """D8: whoever posts after the question is gone learns it, and takes the message back."""
    await store.claim(CLAIM, NOW)
    await store.withdraw(1, Withdrawal.DELETED, NOW)
    assert not await store.posted(1, 900, NOW)

    await store.forget(1)
    assert not await store.posted(1, 900, NOW)
    assert await store.of_question(1) is None


async def test_posting_twice_is_posting_once_and_another_message_is_refused(store: AnswerStore) -> None:
    """E15: a second message for one question is told to be taken back."""
    await store.claim(CLAIM, NOW)

    assert await store.posted(1, 900, NOW)
    assert await store.posted(1, 900, NOW + MINUTE)
    assert not await store.posted(1, 901, NOW)
    answer = await store.of_answer(900)
    assert answer is not None
    assert answer.posted_at == NOW


async def test_withdrawing_gives_the_message_to_remove_once(store: AnswerStore) -> None:
    """H3, D9: the first withdrawal says which message to remove, the second that there is none."""
    await store.claim(CLAIM, NOW)
    await store.posted(1, 900, NOW)

    first = await store.withdraw(1, Withdrawal.DISMISSED, NOW)
    second = await store.withdraw(1, Withdrawal.DISMISSED, NOW)

    assert first is not None
    assert first.answer_id == 900
    assert second is None
    assert await store.of_answer(900) is None


async def test_an_edit_brings_back_what_an_edit_took_away_and_nothing_else(store: AnswerStore) -> None:
    """D8: a question edited into an error again is answered again; one whose answer was dismissed stays quiet."""
    for question_id, why in ((1, Withdrawal.EDITED), (2, Withdrawal.DISMISSED)):
        await store.claim(replace(CLAIM, question_id=question_id), NOW)
        await store.posted(question_id, 900 + question_id, NOW)
        await store.withdraw(question_id, why, NOW)

    assert await store.reclaim(1, "d2", ["rec3"], NOW + MINUTE)
    assert not await store.reclaim(1, "d2", ["rec3"], NOW + MINUTE)
    assert not await store.reclaim(2, "d2", ["rec3"], NOW + MINUTE)
    answer = await store.of_question(1)
    assert answer is not None
    assert (answer.state, answer.record_ids, answer.withdrawn_for) == (State.CLAIMED, ("rec3",), None)
    assert await store.posted(1, 950, NOW + MINUTE)


async def test_an_edited_question_updates_its_answer(store: AnswerStore) -> None:
    """D8: digest and records follow; a withdrawn answer does not."""
    await store.claim(CLAIM, NOW)
    assert await store.revise(1, "d2", ["rec9"])

    answer = await store.of_question(1)
    assert answer is not None
    assert (answer.digest, answer.record_ids) == ("d2", ("rec9",))
    await store.withdraw(1, Withdrawal.DISMISSED, NOW)
    assert not await store.revise(1, "d3", [])


async def test_the_same_record_is_not_shown_to_one_person_again_within_the_window(store: AnswerStore) -> None:
    """C2: the same person in another channel is refused within the window and answered after it, or when they ask."""
    await store.claim(CLAIM, NOW)
    again = replace(CLAIM, question_id=2, channel_id=11)

    assert await store.claim(again, NOW + MINUTE, repeat_since=NOW) is Refusal.REPEATED
    assert await store.of_question(2) is None
    other_record = replace(again, question_id=3, record_ids=("rec2", "rec1"))
    assert await store.claim(other_record, NOW + MINUTE, repeat_since=NOW) == Claimed(Shape.CARD)
    assert await store.claim(again, NOW + 9 * MINUTE, repeat_since=NOW + 8 * MINUTE) == Claimed(Shape.CARD)
    assert await store.claim(replace(again, question_id=4, asked=True), NOW) == Claimed(Shape.CARD)


async def test_the_same_record_is_not_shown_in_one_thread_again_within_the_window(store: AnswerStore) -> None:
    """C2: another person in the same thread is refused, another person in a channel is not."""
    await store.claim(replace(CLAIM, in_thread=True), NOW)
    await store.claim(replace(CLAIM, question_id=2, author_id=1, channel_id=11), NOW)
    somebody = replace(CLAIM, author_id=2000)

    assert (
        await store.claim(replace(somebody, question_id=3, in_thread=True), NOW, repeat_since=NOW) is Refusal.REPEATED
    )
    assert await store.claim(replace(somebody, question_id=4, channel_id=11), NOW, repeat_since=NOW) == Claimed(
        Shape.CARD
    )


async def test_what_was_withdrawn_does_not_count_as_shown(store: AnswerStore) -> None:
    """C2: an answer taken back leaves room for a new one."""
    await store.claim(CLAIM, NOW)
    await store.withdraw(1, Withdrawal.DELETED, NOW)

    assert await store.claim(replace(CLAIM, question_id=2), NOW, repeat_since=NOW) == Claimed(Shape.CARD)


async def test_who_wants_to_be_the_only_one_in_a_channel_is_refused_after_anybody(store: AnswerStore) -> None:
    """C8: of many that come at once one is heard; a withdrawn answer counts, another channel's does not."""
    alone = replace(CLAIM, record_ids=(), in_thread=True)

    outcomes = await asyncio.gather(
        *(store.claim(replace(alone, question_id=number), NOW, only_first=True) for number in range(1, 6))
    )

    assert sorted(map(str, outcomes)) == [str(Claimed(Shape.CARD)), *["repeated"] * 4]
    await store.withdraw(1, Withdrawal.EDITED, NOW)
    assert await store.claim(replace(alone, question_id=9), NOW, only_first=True) is Refusal.REPEATED
    assert await store.claim(replace(alone, question_id=9), NOW) == Claimed(Shape.CARD)
    elsewhere = replace(alone, question_id=10, channel_id=11)
    assert await store.claim(elsewhere, NOW, only_first=True) == Claimed(Shape.CARD)


async def test_an_outage_gets_one_card_and_pointers_to_it(store: AnswerStore) -> None:
    """C3: of people who paste one error in one channel at once, one gets the card, the others a link to it."""
    claims = [replace(CLAIM, question_id=n, author_id=n) for n in range(1, 21)]

    outcomes = await asyncio.gather(*(store.claim(claim, NOW, outage_since=NOW - MINUTE) for claim in claims))

    shapes = [outcome.shape for outcome in outcomes if isinstance(outcome, Claimed)]
    assert shapes.count(Shape.CARD) == 1
    assert shapes.count(Shape.POINTER) == 19
    firsts = {outcome.first.question_id for outcome in outcomes if isinstance(outcome, Claimed) and outcome.first}
    card = outcomes[shapes.index(Shape.CARD)]
    assert firsts == {claims[outcomes.index(card)].question_id}


async def test_pointers_are_no_cards_to_point_to(store: AnswerStore) -> None:
    """C3: after the window the next one gets a card again; another channel and another record have their own."""
    await store.claim(CLAIM, NOW)
    pointer = await store.claim(replace(CLAIM, question_id=2), NOW + MINUTE, outage_since=NOW)
    assert isinstance(pointer, Claimed)
    assert pointer.shape is Shape.POINTER

    late = NOW + 2 * MINUTE
    for question_id, changed in ((3, {}), (4, {"channel_id": 11}), (5, {"record_ids": ("rec2",)})):
        claim = replace(CLAIM, question_id=question_id, **changed)
        since = NOW + MINUTE if question_id == 3 else NOW
        assert await store.claim(claim, late, outage_since=since) == Claimed(Shape.CARD)

    await store.promote(2)
    promoted = await store.of_question(2)
    assert promoted is not None
    assert promoted.shape is Shape.CARD


KILLED = textwrap.dedent(
    """
    import asyncio, sys
    from datetime import UTC, datetime
    from pathlib import Path
    from bot.store.answers import AnswerStore, Claim
    from bot.store.sqlite import Database

    async def main() -> None:
        async with Database.open(Path(sys.argv[1])) as database:
            store = AnswerStore(database)
            for question_id in (1, 2):
                claim = Claim(
                    question_id=question_id, channel_id=1, guild_id=None, author_id=1, digest="d", record_ids=("r",)
                )
                await store.claim(claim, datetime(2026, 11, 30, tzinfo=UTC))
            await store.posted(1, 900, datetime(2026, 11, 30, tzinfo=UTC))
            print("claimed", flush=True)
            await asyncio.sleep(60)

    asyncio.run(main())
    """
)


async def test_claims_survive_sigkill_and_are_looked_into_once(tmp_path: Path) -> None:
    """E15: after SIGKILL between claim and post the claim is there, is given to one caller, and can be ended."""
    path = tmp_path / "db"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "claimed\n"

    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)

    async with Database.open(path) as one, Database.open(path) as other:
        started = NOW
        found = await asyncio.gather(*(AnswerStore(db).take_over(started, started + MINUTE) for db in (one, other)))
        assert [answer.question_id for some in found for answer in some] == [2]
        assert await AnswerStore(one).claim(replace(CLAIM, question_id=1), NOW) is Refusal.TAKEN
        assert await AnswerStore(other).posted(2, 901, NOW)
        assert await AnswerStore(one).take_over(NOW + 9 * MINUTE, NOW) == ()


async def test_forgetting_takes_records_and_votes_along(database: Database, store: AnswerStore) -> None:
    """F4: deleting the message removes what was derived from it."""
    await store.claim(CLAIM, NOW)
    await FeedbackStore(database).vote(1, 5, "rec1", Vote.HELPFUL, NOW)

    await store.forget(1)

    for table in ("answers", "answer_records", "votes"):
        assert await database.rows(f"SELECT * FROM {table}") == [], table


async def test_the_newest_standing_answers_are_listed(store: AnswerStore) -> None:
    """D8: those to look at after an absence: posted, not older than asked for, the newest first, no more than asked."""
    for number in range(1, 6):
        await store.claim(replace(CLAIM, question_id=number, author_id=number), NOW + number * MINUTE)
    for number in (1, 2, 3, 4):
        await store.posted(number, 900 + number, NOW + number * MINUTE)
    await store.withdraw(3, Withdrawal.DISMISSED, NOW + 6 * MINUTE)

    standing = await store.standing(NOW + 2 * MINUTE, 10)

    assert [answer.question_id for answer in standing] == [4, 2]
    assert [answer.question_id for answer in await store.standing(NOW, 2)] == [4, 2]
