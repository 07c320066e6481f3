"""Fitting weights: the laws the fit keeps, on samples small enough to check by eye."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evaluation.fitting import (
    KEPT_OF_PRIOR,
    LEAST_ACT,
    LEAST_SHOW,
    NEAREST_PRIOR,
    PATTERN_PRIOR,
    Sample,
    fit,
    fitted,
    held_out,
    thresholds,
)
from bot.matching import nearest_tier, pattern_ranking

PRIOR = {"tells": 1.0, "speaks_against": -1.0}


def sample(group: str, *candidates: tuple[float, float, bool]) -> Sample:
    """A paste with candidates: two features each, and whether it is the right one."""
    return Sample(
        group,
        any(right for *_, right in candidates),
        [[tells, against] for tells, against, _ in candidates],
        [right for *_, right in candidates],
        [True for _ in candidates],
    )


PLAIN = [sample(f"record {number}", (2.0, 0.0, True), (0.0, 1.0, False)) for number in range(40)]


def test_priors_name_every_feature() -> None:
    """A feature without a prior would be fitted from nothing, a prior without a feature would never count."""
    assert tuple(PATTERN_PRIOR) == pattern_ranking.FEATURE_NAMES
    assert tuple(NEAREST_PRIOR) == nearest_tier.FEATURE_NAMES


def test_what_separates_right_from_wrong_gains_weight() -> None:
    """The more the pastes say so, the further a weight moves from its prior."""
    weights = fit(PLAIN, PRIOR, -1.0, ridge=1.0)

    assert weights.by_name["tells"] > PRIOR["tells"]
    assert weights.by_name["speaks_against"] < PRIOR["speaks_against"]


def test_a_few_pastes_do_not_overrule_what_is_known() -> None:
    """Where they say the opposite, a part of the prior stays."""
    upside_down = [sample(f"record {number}", (0.0, 1.0, True), (2.0, 0.0, False)) for number in range(40)]

    weights = fit(upside_down, PRIOR, -1.0, ridge=1.0)

    assert weights.by_name == {"tells": KEPT_OF_PRIOR, "speaks_against": -KEPT_OF_PRIOR}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.floats(-3, 4), st.floats(-3, 4), st.booleans()), min_size=1, max_size=5),
        min_size=2,
        max_size=12,
    )
)
def test_any_samples_give_finite_weights(pastes: list[list[tuple[float, float, bool]]]) -> None:
    """Also where nothing is right, or everything."""
    weights = fit([sample(str(n), *candidates) for n, candidates in enumerate(pastes)], PRIOR, -1.0, ridge=1.0)

    assert all(map(math.isfinite, [weights.bias, *weights.by_name.values()]))


def test_each_paste_is_judged_once_by_weights_that_never_saw_its_record() -> None:
    """The figures are those of unseen records: one row a paste, its first candidate."""
    firsts = held_out(PLAIN, PRIOR, -1.0, ridge=1.0)

    assert len(firsts) == len(PLAIN)
    assert all(right for _, right, _ in firsts)


def test_thresholds_keep_the_share_of_wrong_answers() -> None:
    """`act` is the lowest likelihood that is clean enough; neither goes below its floor."""
    firsts = [(0.9, True, True)] * 24 + [(0.8, False, True)] + [(0.6, False, True)] * 10

    act, show = thresholds(firsts, most_wrong=0.05)

    assert 0.6 < act <= 0.8
    assert LEAST_SHOW <= show <= act
    assert thresholds([(0.9, True, True)], most_wrong=0.05) == (LEAST_ACT, LEAST_SHOW)


def test_what_may_not_be_posted_does_not_count_against_posting() -> None:
    """A wrong candidate in source code is never posted, so it moves no threshold for posting."""
    firsts = [(0.9, True, True)] * 10 + [(0.95, False, False)] * 5

    assert thresholds(firsts, most_wrong=0.0)[0] == LEAST_ACT


def test_the_document_holds_what_matching_reads() -> None:
    """Weights, thresholds and the figures they reached."""
    document = fitted(PLAIN, PRIOR, -1.0, 1.0, most_wrong=0.05).to_json()

    assert set(document) == {"bias", "weights", "act", "show", "held_out"}
    assert document["held_out"]["posted_right"] == len(PLAIN)
    assert document["act"] >= document["show"]
