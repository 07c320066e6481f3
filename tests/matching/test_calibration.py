"""Weights and thresholds, as they ship."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching import nearest_tier, pattern_ranking
from bot.matching.calibration import WORDS_ALONE, Weights, probability, read_calibration, shipped_calibration
from bot.stored_index import encoder_key
from embeddings.sentence_encoder import SentenceEncoder

DOCUMENT = {
    "pattern": {
        "bias": -1,
        "weights": {"letters": 2},
        "act": 0.8,
        "show": 0.3,
        "held_out": {"pastes": 9},
    },
    "nearest": {"model 1": {"bias": -2, "weights": {"lead": 1.5}, "act": 0.9, "show": 0.4}},
}


def test_a_document_is_read_back() -> None:
    """What `calibrate` writes; its figures are for people."""
    calibration = read_calibration(DOCUMENT)

    assert calibration.pattern == Weights(-1.0, {"letters": 2.0})
    assert (calibration.pattern_thresholds.act, calibration.pattern_thresholds.show) == (0.8, 0.3)
    assert calibration.nearest["model 1"].by_name == {"lead": 1.5}
    assert calibration.nearest_thresholds["model 1"].act == 0.9


def test_weights_are_matched_by_name() -> None:
    """A feature without a weight is a mistake, not a zero."""
    weights = Weights(1.0, {"a": 2.0, "b": -1.0})

    assert weights.logit(("b", "a"), (1.0, 3.0)) == 6.0
    with pytest.raises(KeyError):
        weights.logit(("c",), (1.0,))
    with pytest.raises(ValueError, match="zip"):
        weights.logit(("a",), (1.0, 2.0))


@given(st.floats(min_value=-1e6, max_value=1e6))
def test_a_likelihood_is_one(logit: float) -> None:
    """Between 0 and 1 for any number, and symmetric."""
    assert 0.0 <= probability(logit) <= 1.0
    assert math.isclose(probability(logit) + probability(-logit), 1.0)


def test_the_shipped_calibration_knows_every_feature_and_the_shipped_encoder() -> None:
    """Every feature has its weight, and the model that ships has thresholds of its own (A8)."""
    calibration = shipped_calibration()

    assert set(calibration.pattern.by_name) == set(pattern_ranking.FEATURE_NAMES)
    assert {WORDS_ALONE, encoder_key(SentenceEncoder())} <= set(calibration.nearest)
    for weights in calibration.nearest.values():
        assert set(weights.by_name) == set(nearest_tier.FEATURE_NAMES)


def test_the_shipped_thresholds_are_in_order() -> None:
    """What is posted unasked is at least as likely as what is shown on request."""
    calibration = shipped_calibration()

    for thresholds in (calibration.pattern_thresholds, *calibration.nearest_thresholds.values()):
        assert 0 < thresholds.show <= thresholds.act < 1


def test_what_speaks_against_a_record_never_speaks_for_it() -> None:
    """Signs of the shipped weights: code, prose and another ecosystem weigh against, class and file for (A10)."""
    weights = shipped_calibration().pattern.by_name

    assert all(weights[name] <= 0 for name in ("prose", "in_code", "wrapped", "other_class_before", "hole_share"))
    assert weights["other_ecosystem"] < 0
    assert all(
        weights[name] > 0 for name in ("letters", "starts", "coverage", "class_before", "path", "line", "package")
    )
    assert all(fitted.by_name["other_ecosystem"] < 0 for fitted in shipped_calibration().nearest.values())
