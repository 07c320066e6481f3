"""The table says what was measured, marks what misses its aim, and sets baselines in proportion."""

import pytest

from tests.benchmarks.scale.aims import AIMS, ANSWER_EXACT, LOAD, PATTERNS_4K, Aim
from tests.benchmarks.scale.growth import growth
from tests.benchmarks.scale.measured import Measured, from_json, percentile, spread, to_json
from tests.benchmarks.scale.table import MISS, NOTHING, cell, number, table

FEW = [
    Measured("a row of its own", {"time": 3.0}, unit="min"),
    Measured(PATTERNS_4K, {"p50": 0.4, "p99": 1.0}, remarks=("said of the small one",)),
    Measured("re2.Set", {"p50": 4.0, "p99": 9.0}, beside=PATTERNS_4K),
]
MANY = [
    Measured(PATTERNS_4K, {"p50": 0.5, "p99": 2.1}, remarks=("mostly reading",)),
    Measured("re2.Set", {"p50": 100.0, "p99": 2000.0}, beside=PATTERNS_4K, remarks=("in 2 sets",)),
    Measured(ANSWER_EXACT, {"p50": 6.0, "p99": 19.0}),
]


def test_table_is_what_it_was() -> None:
    """Columns ascend, known rows come in the order of their aims, baselines below them, remarks of the largest size last."""
    said = table({153_000: MANY, 1_000: FEW})

    assert said.splitlines() == [
        "| what | to reach | 1,000 | 153,000 |",
        "| --- | --- | --- | --- |",
        "| pattern tier, 4 KB paste | p50 0.5, p99 2 ms | p50 0.4, p99 1 ms | p50 0.5, p99 2.1 ✗ ms |",
        "| ↳ re2.Set |  | p50 4, p99 9 ms (10 ×) | p50 100, p99 2,000 ms (200 ×) |",
        "| whole answer by a pattern, 4 KB paste | p50 5, p99 20 ms | – | p50 6 ✗, p99 19 ms |",
        "| a row of its own |  | 3 min | – |",
        "",
        "✗ misses what is to be reached.",
        "",
        "At 153,000 records:",
        "",
        "- pattern tier, 4 KB paste: mostly reading",
        "- pattern tier, 4 KB paste, re2.Set: in 2 sets",
    ]


def test_baseline_without_its_row_has_no_ratio() -> None:
    """A baseline whose row could not be measured stands alone, and its row is an empty cell."""
    said = table({1_000: FEW, 153_000: [MANY[1]]})

    assert f"| p50 0.4, p99 1 ms | {NOTHING} |" in said
    assert "| p50 4, p99 9 ms (10 ×) | p50 100, p99 2,000 ms |" in said


def test_figures_that_are_to_be_large_miss_when_they_are_small() -> None:
    """Of the load the share that was answered must not be below its aim, and the time must not be above."""
    good = Measured(LOAD, {"p99": 250.0, "answered": 100.0}, unit="ms, %")
    bad = Measured(LOAD, {"p99": 250.1, "answered": 99.9}, unit="ms, %")

    assert AIMS[LOAD].missed(good.figures) == []
    assert AIMS[LOAD].missed(bad.figures) == ["p99", "answered"]
    assert cell(bad, AIMS[LOAD]) == f"p99 250 {MISS}, answered 100 {MISS} ms, %"


def test_aim_says_nothing_of_figures_that_were_not_taken() -> None:
    """A row without a figure of the aim does not miss it."""
    assert Aim("x", {"p50": 1.0}).missed({"p99": 5.0}) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (0.00042, "0.00042"),
        (0.000012, "0.000012"),
        (0.0123, "0.012"),
        (1.26, "1.3"),
        (99.4, "99"),
        (99.7, "100"),
        (12_345.6, "12,346"),
    ],
)
def test_numbers_are_short(value: float, said: str) -> None:
    """Two significant digits are what repeats from run to run."""
    assert number(value) == said


def test_measured_survives_its_journey() -> None:
    """What another process prints is what is read here."""
    assert from_json(to_json(MANY)) == MANY


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.99, 99), (0.01, 1), (1.0, 100)])
def test_percentile_is_a_value_that_was_measured(share: float, value: int) -> None:
    """Of the numbers from 1 to 100, in any order, each is its own percentile."""
    assert percentile([*range(51, 101), *range(1, 51)], share) == value


def test_percentile_of_few_is_the_worst() -> None:
    """With fewer than a hundred samples the worst one counts as p99."""
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3.0
    assert percentile([7.0], 0.5) == 7.0


def test_one_disturbed_round_does_not_show() -> None:
    """Figures are medians over the rounds."""
    assert spread([[1.0, 2.0], [1.0, 2.0], [50.0, 900.0]]) == {"p50": 1.0, "p99": 2.0}


def test_growth_compares_medians() -> None:
    """Only rows measured at both sizes are compared; baselines are not."""
    found = growth(FEW, MANY, 15_300)

    assert found[0].figures == {"patterns 4 KB": pytest.approx(1.25)}
    assert growth(FEW, [], 15_300) == []
