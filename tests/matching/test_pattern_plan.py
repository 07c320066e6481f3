"""What is compiled when a catalogue changes."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matching import pattern_plan
from bot.matching.pattern_plan import MOST_DELTAS, MOST_WASTE, Held, Plan, part_of, parts_for, plan

PARTS = 4


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_plan, "RECORDS_PER_BUCKET", 300)


def catalogue(records: int) -> dict[str, int]:
    return {f"{number:016x}": number for number in range(records)}


def held_after(made: Plan, current: Mapping[str, int], before: list[Held], build: int) -> list[Held]:
    """The buckets there are once a plan has been carried out."""
    by_name = {bucket.name: bucket for bucket in before}
    return [by_name[kept.name] for kept in made.kept] + [
        Held(f"{build}-{number}", wanted.part, {record_id: current[record_id] for record_id in wanted.ids})
        for number, wanted in enumerate(made.wanted)
    ]


def live(made: Plan, before: list[Held]) -> list[tuple[str, int | None]]:
    """Every live key with the fingerprint it was compiled from; None for those to be compiled now."""
    by_name = {bucket.name: bucket for bucket in before}
    keys: list[tuple[str, int | None]] = [(record_id, None) for wanted in made.wanted for record_id in wanted.ids]
    for kept in made.kept:
        records = by_name[kept.name].records.items()
        keys += [one for one, stale in zip(records, kept.stale, strict=True) if not stale]
    return keys


def compiled(made: Plan) -> int:
    return sum(len(wanted.ids) for wanted in made.wanted)


def test_from_nothing_each_part_is_one_bucket() -> None:
    """Every record is in the bucket of its part, and there is no delta."""
    current = catalogue(1_000)

    made = plan(current, PARTS, [])

    assert made.kept == ()
    assert [wanted.part for wanted in made.wanted] == list(range(PARTS))
    assert all(part_of(record_id, PARTS) == wanted.part for wanted in made.wanted for record_id in wanted.ids)
    assert sorted(record_id for wanted in made.wanted for record_id in wanted.ids) == sorted(current)


def test_an_unchanged_catalogue_compiles_nothing() -> None:
    """All buckets stay, and nothing in them is stale."""
    current = catalogue(1_000)
    before = held_after(plan(current, PARTS, []), current, [], 0)

    made = plan(current, PARTS, before)

    assert made.wanted == ()
    assert len(made.kept) == PARTS
    assert not any(kept.stale.any() for kept in made.kept)


def test_one_changed_record_is_one_small_bucket() -> None:
    """The record is stale where it stood, and all else is kept."""
    current = catalogue(1_000)
    before = held_after(plan(current, PARTS, []), current, [], 0)
    (changed,) = random.Random(1).sample(sorted(current), 1)

    made = plan({**current, changed: 77_777}, PARTS, before)

    assert [(wanted.part, wanted.ids) for wanted in made.wanted] == [(None, (changed,))]
    assert sum(int(kept.stale.sum()) for kept in made.kept) == 1


def test_a_change_taken_back_compiles_nothing() -> None:
    """The key that was stale counts again, and the small bucket goes."""
    current = catalogue(1_000)
    before = held_after(plan(current, PARTS, []), current, [], 0)
    changed = {**current, f"{7:016x}": 77_777}
    after = held_after(plan(changed, PARTS, before), changed, before, 1)

    made = plan(current, PARTS, after)

    assert made.wanted == ()
    assert {kept.part for kept in made.kept} == set(range(PARTS))


def test_a_lost_bucket_is_made_anew_and_no_other() -> None:
    """Damage costs what is damaged."""
    current = catalogue(1_000)
    before = held_after(plan(current, PARTS, []), current, [], 0)

    made = plan(current, PARTS, [bucket for bucket in before if bucket.part != 2])

    assert [wanted.part for wanted in made.wanted] == [2]


def test_a_catalogue_that_changed_much_is_compiled_whole() -> None:
    """Three records became a thousand: no base of three with a thousand beside it."""
    few = catalogue(3)
    before = held_after(plan(few, 1, []), few, [], 0)

    made = plan(catalogue(250), 1, before)

    assert made.kept == ()
    assert [(wanted.part, len(wanted.ids)) for wanted in made.wanted] == [(0, 250)]


STEP = st.tuples(st.sampled_from(["change", "add", "drop"]), st.integers(1, 60), st.integers(0, 2**32))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=12))
def test_every_record_is_live_once_with_what_it_says_now(steps: list[tuple[str, int, int]]) -> None:
    """Through any changes: each record counts in one bucket, there are few buckets, and none is mostly waste (A11)."""
    current, before, added = catalogue(400), list[Held](), 400
    for build, (what, count, seed) in enumerate((("change", 1, 0), *steps)):
        for record_id in random.Random(seed).sample(sorted(current), min(count, len(current))):
            if what == "drop":
                del current[record_id]
            elif what == "add":
                current[f"{added:016x}"], added = added, added + 1
            else:
                current[record_id] += 1_000_000

        made = plan(current, PARTS, before)
        shuffled = dict(random.Random(seed).sample(sorted(current.items()), len(current)))

        assert repr(plan(shuffled, PARTS, before)) == repr(made)
        keys = live(made, before)
        assert Counter(record_id for record_id, _ in keys) == Counter(current.keys())
        assert all(fingerprint in (None, current[record_id]) for record_id, fingerprint in keys)
        assert all(kept.stale.mean() <= MOST_WASTE for kept in made.kept if kept.part is not None)
        before = held_after(made, current, before, build)
        assert sum(bucket.part is None for bucket in before) <= MOST_DELTAS


@pytest.mark.parametrize(("share", "most_on_average"), [(0.01, 0.07), (0.001, 0.015)])
def test_what_changes_often_is_not_compiled_often(share: float, most_on_average: float) -> None:
    """Over a hundred builds, with small buckets joined and old ones made anew, a change costs a few times itself."""
    current, before, costs = catalogue(1_150), list[Held](), list[int]()
    drawn = random.Random(5)
    for build in range(101):
        if build:
            for record_id in drawn.sample(sorted(current), max(1, round(share * len(current)))):
                current[record_id] += 1_000_000
        made = plan(current, PARTS, before)
        costs.append(compiled(made))
        before = held_after(made, current, before, build)

    assert costs[0] == len(current)
    assert sum(costs[1:]) / 100 <= most_on_average * len(current)
    assert max(costs[1:]) <= 0.45 * len(current)  # never all parts at once, though they grew old together


def test_many_new_records_become_several_buckets() -> None:
    """A delta is never larger than a bucket may be."""
    current = catalogue(4_000)
    before = held_after(plan(current, 16, []), current, [], 0)
    current.update((f"{number:016x}", 1) for number in range(4_000, 4_500))

    made = plan(current, 16, before)

    assert [wanted.part for wanted in made.wanted] == [None, None]
    assert sorted(len(wanted.ids) for wanted in made.wanted) == [250, 250]


@pytest.mark.parametrize(
    ("records", "before", "parts"),
    [(0, None, 1), (300, None, 1), (301, None, 2), (301, 1, 1), (600, 1, 1), (601, 1, 4), (301, 4, 4), (300, 4, 1)],
)
def test_parts_stay_while_they_are_about_right(records: int, before: int | None, parts: int) -> None:
    """Another number of parts compiles everything, so a catalogue at the edge does not go to and fro."""
    assert parts_for(records, before) == parts
