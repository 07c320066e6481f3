"""Guesses, weighed."""

import threading
from collections.abc import Mapping, Sequence

import pytest

from bot.matching.calibration import WORDS_ALONE, Weights
from bot.matching.facts import Facts
from bot.matching.nearest_tier import Near, NearestTier, NotCalibrated, near_features, reasons, weigh
from bot.matching.reading import Reading
from bot.matching.verdict import Because, Reason
from embeddings.nearest import NearRecord
from embeddings.passage import Facet
from tests.fakes import ListedFacts, ListedNearest, invented_facts
from tests.matching.by_hand import NEAREST_WEIGHTS, THRESHOLDS, hand_calibration, reading_of

HOPPER = invented_facts("1" * 16, "hopper starved", repo="siloworks/granary", file_path="src/hopper.rs")
SLUICE = invented_facts("2" * 16, "sluice shut", repo="millpond/weir", file_path="src/sluice.py")
FACTS = ListedFacts([HOPPER, SLUICE])


def near(record_id: str, similarity: float | None = 0.6, fused: float = 1.0, coverage: float = 0.5) -> NearRecord:
    return NearRecord(
        record_id=record_id,
        similarity=similarity,
        lexical=1.0,
        coverage=coverage,
        query_coverage=0.3,
        fused=fused,
        facet=Facet.MEANING,
    )


async def test_records_come_with_a_likelihood_most_likely_first() -> None:
    """What the index found is weighed with what the paste says about itself."""
    index = ListedNearest([near(SLUICE.id), near(HOPPER.id)], "model 1")
    tier = NearestTier(index, FACTS, hand_calibration("model 1"))

    guesses = await tier.find(reading_of("thread 'main' panicked at src/hopper.rs:1:1:\ngranary is empty"))

    found = guesses.near
    assert [one.facts.id for one in found] == [HOPPER.id, SLUICE.id]
    assert 0 < found[1].probability < found[0].probability < 1
    assert (guesses.thresholds, guesses.by_words) == (THRESHOLDS, False)


async def test_an_index_of_another_model_is_refused() -> None:
    """Similarities of an encoder nobody has measured mean nothing, and the sentence says what to do (A8)."""
    tier = NearestTier(ListedNearest([near(HOPPER.id)], "model 2"), FACTS, hand_calibration("model 1"))

    with pytest.raises(NotCalibrated, match="errata index") as raised:
        await tier.find(reading_of("hopper starved"))

    assert raised.value.encoder == "model 2"


async def test_another_revision_is_another_model() -> None:
    """The key holds name and revision (A8)."""
    tier = NearestTier(ListedNearest([near(HOPPER.id)], "model 1 rev-b"), FACTS, hand_calibration("model 1 rev-a"))

    with pytest.raises(NotCalibrated):
        await tier.find(reading_of("hopper starved"))


async def test_words_alone_have_weights_of_their_own() -> None:
    """Where no vectors are compared, no cosine counts."""
    tier = NearestTier(ListedNearest([near(HOPPER.id, similarity=None)], None), FACTS, hand_calibration())

    found = await tier.find(reading_of("hopper starved"))

    assert found.by_words
    assert found.near[0].features.similarity == 0.0
    assert WORDS_ALONE in hand_calibration().nearest


async def test_an_empty_paste_asks_nothing() -> None:
    """Nothing is encoded for nothing, and nothing is ever shown."""
    index = ListedNearest([near(HOPPER.id)], "model 1")

    found = await NearestTier(index, FACTS, hand_calibration("model 1")).find(reading_of("  \n\n"))

    assert (found.near, index.asked) == ((), [])
    assert found.thresholds.show == 1.0


async def test_records_that_are_gone_are_left_out() -> None:
    """An index that is older than the catalogue names records nobody can show."""
    tier = NearestTier(ListedNearest([near("9" * 16), near(HOPPER.id)], None), FACTS, hand_calibration())

    found = await tier.find(reading_of("hopper starved"))

    assert [one.facts.id for one in found.near] == [HOPPER.id]


def test_equal_records_are_ordered_by_id() -> None:
    """The order in which the index names them makes no difference (A11)."""
    facts = {id_: invented_facts(id_, "hopper starved") for id_ in ("a" * 16, "b" * 16)}
    rows = [near("a" * 16), near("b" * 16)]
    reading = reading_of("hopper starved")

    forwards = weigh(rows, facts, reading, NEAREST_WEIGHTS)
    backwards = weigh(rows[::-1], facts, reading, NEAREST_WEIGHTS)

    assert [one.facts.id for one in forwards] == [one.facts.id for one in backwards] == ["a" * 16, "b" * 16]


def test_markers_of_another_ecosystem_weigh_against() -> None:
    """A Rust record is less likely beside a Python traceback (A10)."""
    rust, neutral = reading_of("hopper starved"), reading_of("Traceback (most recent call last):\nhopper starved")

    (before,) = weigh([near(HOPPER.id)], FACTS.by_id, rust, NEAREST_WEIGHTS)
    (after,) = weigh([near(HOPPER.id)], FACTS.by_id, neutral, NEAREST_WEIGHTS)

    assert after.features.other_ecosystem == 1.0
    assert after.probability < before.probability


def test_the_lead_is_over_the_best_rival() -> None:
    """The first is ahead of the second, the second behind the first; alone, all of it is lead."""
    first, second = near(HOPPER.id, fused=1.4), near(SLUICE.id, fused=1.0)
    reading = reading_of("x")

    assert near_features(first, [first, second], HOPPER, reading).lead == pytest.approx(0.4)
    assert near_features(second, [first, second], SLUICE, reading).lead == pytest.approx(-0.4)
    assert near_features(first, [first], HOPPER, reading).lead == pytest.approx(1.4)


@pytest.mark.parametrize(
    ("record", "text", "expected"),
    [
        (near(HOPPER.id, similarity=0.7), "x", Reason(Because.CLOSE, "meaning")),
        (near(HOPPER.id, coverage=0.8), "x", Reason(Because.WORDS_SHARED, number=80)),
        (near(HOPPER.id, similarity=0.1, coverage=0.1), "my granary", Reason(Because.PACKAGE, "granary")),
        (near(HOPPER.id, similarity=0.1, coverage=0.1), "x", Reason(Because.NEAREST, "meaning")),
        (near(HOPPER.id, similarity=None, coverage=0.0), "x", Reason(Because.NEAREST, "meaning")),
    ],
)
def test_a_guess_says_what_made_it(record: NearRecord, text: str, expected: Reason) -> None:
    """Things a person can check (D4)."""
    (found,) = weigh([record], FACTS.by_id, reading_of(text), NEAREST_WEIGHTS)

    assert expected in reasons(found)


async def test_nothing_is_computed_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the readers find, and the weighing, are worked out in a thread: the heartbeat does not wait (E5)."""
    threads: list[threading.Thread] = []
    queries, weighed = Reading.queries, weigh

    def noting_queries(reading: Reading) -> list[str]:
        threads.append(threading.current_thread())
        return queries(reading)

    def noting_weigh(
        records: Sequence[NearRecord], facts: Mapping[str, Facts], reading: Reading, weights: Weights
    ) -> list[Near]:
        threads.append(threading.current_thread())
        return weighed(records, facts, reading, weights)

    monkeypatch.setattr(Reading, "queries", noting_queries)
    monkeypatch.setattr("bot.matching.nearest_tier.weigh", noting_weigh)
    tier = NearestTier(ListedNearest([near(HOPPER.id)], "model 1"), FACTS, hand_calibration("model 1"))

    await tier.find(reading_of("hopper starved"))

    assert len(threads) == 2
    assert threading.current_thread() not in threads
