"""Weights and thresholds of a tier, from samples of candidates that are known to be right or wrong.

Both tiers are logistic models. Their weights start from what is known beforehand (PRIOR: a class before the message
speaks for a record, prose around it against) and move as far as the samples say so: ridge regression towards the prior,
fitted by Newton's method. Figures are given for records the fit has not seen (six folds, split by record).

Thresholds are chosen on those held-out figures: `act` is the lowest likelihood at which at most a given share of what
would be posted is wrong, `show` the lowest at which at least SHOW_RIGHT of what is shown is right; neither lies below a
floor, since the pastes hold fewer kinds of noise than life does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.matching.calibration import Weights

Floats = NDArray[np.float64]

PATTERN_PRIOR: Mapping[str, float] = {
    "letters": 2.5,
    "weight": 0.8,
    "starts": 1.0,
    "ends": 1.0,
    "coverage": 1.5,
    "prose": -1.0,
    "in_code": -3.0,
    "near_sign": 1.0,
    "wrapped": -0.3,
    "class_before": 1.5,
    "other_class_before": -1.0,
    "class_seen": 0.7,
    "code_seen": 2.5,
    "status_seen": 0.5,
    "path": 1.2,
    "line": 2.0,
    "package": 1.2,
    "same_ecosystem": 0.6,
    "other_ecosystem": -2.0,
    "hole_share": -0.8,
}
NEAREST_PRIOR: Mapping[str, float] = {
    "similarity": 5.0,
    "coverage": 3.0,
    "query_coverage": 2.0,
    "lead": 2.0,
    "is_error": 0.3,
    "package": 1.5,
    "class_seen": 0.5,
    "class_named": 1.0,
    "other_class": -0.7,
    "code_seen": 1.0,
    "same_ecosystem": 0.5,
    "other_ecosystem": -1.5,
    "path": 1.0,
    "asks": 1.5,
    "tells": -1.5,
    "in_code": -2.0,
}
PATTERN_BIAS, NEAREST_BIAS = -6.0, -7.0
# How far the pastes have to speak before a weight moves: 36 records are few.
PATTERN_RIDGE, NEAREST_RIDGE = 6.0, 3.0
KEPT_OF_PRIOR = 0.6
FOLDS = 6
# An exact answer is believed, a guess is read as one.
PATTERN_WRONG, NEAREST_WRONG, SHOW_RIGHT = 0.03, 0.10, 0.4
LEAST_ACT, LEAST_SHOW = 0.5, 0.15
# Nobody asked, and a wrong guess costs twice what silence does: so it has to be right two times of three.
LEAST_ACT_GUESS = 0.65


@dataclass
class Sample:
    """Candidates of one paste: a row of features each, and which of them are right."""

    group: str
    positive: bool
    rows: list[Sequence[float]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    may_act: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class Fitted:
    """A tier's weights and thresholds with the figures they reached on held-out records."""

    weights: Weights
    act: float
    show: float
    figures: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        return {
            "bias": round(self.weights.bias, 4),
            "weights": {name: round(weight, 4) for name, weight in self.weights.by_name.items()},
            "act": self.act,
            "show": self.show,
            "held_out": self.figures,
        }


def fit(samples: Sequence[Sample], prior: Mapping[str, float], bias: float, ridge: float) -> Weights:
    """The weights at which the samples are likeliest, given the prior, of which each keeps KEPT_OF_PRIOR at least."""
    rows = np.array([row for sample in samples for row in sample.rows], dtype=np.float64)
    right = np.array([one for sample in samples for one in sample.right], dtype=np.float64)
    design = np.hstack([rows, np.ones((len(rows), 1))])
    start = np.array([*prior.values(), bias], dtype=np.float64)
    pull = np.diag([*[ridge] * len(prior), 0.01])
    solution = start.copy()
    for _ in range(100):
        likelihood = 1 / (1 + np.exp(-np.clip(design @ solution, -30, 30)))
        curvature = (design * (likelihood * (1 - likelihood) + 1e-9)[:, None]).T @ design + pull
        step = np.linalg.solve(curvature, design.T @ (likelihood - right) + pull @ (solution - start))
        solution -= step * min(1.0, 3.0 / float(np.abs(step).max()))
        # What is known beforehand is not overruled by 36 records: each weight keeps a part of its prior at least.
        least = KEPT_OF_PRIOR * start[:-1]
        solution[:-1] = np.where(np.sign(least) * (solution[:-1] - least) < 0, least, solution[:-1])
        if float(np.abs(step).max()) < 1e-6:
            break
    return Weights(float(solution[-1]), dict(zip(prior, solution[:-1].tolist(), strict=True)))


def held_out(
    samples: Sequence[Sample], prior: Mapping[str, float], bias: float, ridge: float
) -> list[tuple[float, bool, bool]]:
    """For each paste: likelihood of its first candidate, whether it is right, whether it may be posted unasked."""
    firsts: list[tuple[float, bool, bool]] = []
    names = tuple(prior)
    for fold in range(FOLDS):
        inside = [sample for sample in samples if _fold(sample.group) != fold]
        weights = fit(inside, prior, bias, ridge)
        for sample in samples:
            if _fold(sample.group) != fold or not sample.rows:
                continue
            logits = [weights.logit(names, row) for row in sample.rows]
            best = int(np.argmax(logits))
            firsts.append((1 / (1 + float(np.exp(-logits[best]))), sample.right[best], sample.may_act[best]))
    return firsts


def thresholds(
    firsts: Sequence[tuple[float, bool, bool]], most_wrong: float, least_act: float = LEAST_ACT
) -> tuple[float, float]:
    """`act`, which is `least_act` or more, and `show`, in hundredths."""

    def right_share(limit: float, *, acting: bool) -> float:
        shown = [right for likelihood, right, may in firsts if likelihood >= limit and (may or not acting)]
        return sum(shown) / len(shown) if shown else 1.0

    act = next(limit for limit in _grid(least_act) if 1 - right_share(limit, acting=True) <= most_wrong)
    show = next(limit for limit in _grid(LEAST_SHOW) if right_share(limit, acting=False) >= SHOW_RIGHT)
    return act, min(show, act)


def _grid(lowest: float) -> list[float]:
    return [number / 100 for number in range(round(lowest * 100), 101)]


def fitted(
    samples: Sequence[Sample],
    prior: Mapping[str, float],
    bias: float,
    ridge: float,
    *,
    most_wrong: float,
    least_act: float = LEAST_ACT,
) -> Fitted:
    """Weights from all samples, thresholds and figures from held-out ones."""
    firsts = held_out(samples, prior, bias, ridge)
    act, show = thresholds(firsts, most_wrong, least_act)
    acted = [right for likelihood, right, may in firsts if likelihood >= act and may]
    positives = sum(sample.positive for sample in samples)
    figures = {
        "pastes": len(samples),
        "with_an_answer": positives,
        "posted_right": sum(acted),
        "posted_wrong": len(acted) - sum(acted),
        "shown_right": sum(right for likelihood, right, _ in firsts if likelihood >= show),
        "shown_wrong": sum(not right for likelihood, right, _ in firsts if likelihood >= show),
    }
    return Fitted(fit(samples, prior, bias, ridge), act, show, figures)


def _fold(group: str) -> int:
    return blake2b(group.encode(), digest_size=4).digest()[0] % FOLDS
