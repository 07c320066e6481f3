"""The weights that turn evidence into a likelihood, and the thresholds above which something is said.

They are fitted on labelled pastes by `python -m bot.evaluation.calibrate`, which writes `calibration.json` beside this
file. Weights of the nearest tier hold for one encoder and its revision: an index of another is refused until weights
for it exist (A8).
"""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from math import exp
from typing import Any


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model: weights by the names of features, and the bias."""

    bias: float
    by_name: Mapping[str, float]

    def logit(self, names: Sequence[str], values: Sequence[float]) -> float:
        return self.bias + sum([self.by_name[name] * value for name, value in zip(names, values, strict=True)])


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Likelihoods: below `act` nothing is posted unasked, below `show` nothing is shown at all."""

    act: float
    show: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything fitted. `nearest` is keyed by encoder name and revision, `words alone` where vectors are missing."""

    pattern: Weights
    pattern_thresholds: Thresholds
    nearest: Mapping[str, Weights]
    nearest_thresholds: Mapping[str, Thresholds]


# The key of the weights for when only words were compared.
WORDS_ALONE = "words alone"


def probability(logit: float) -> float:
    """The logistic function, for any finite number."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else 1 - 1 / (1 + exp(logit))


@functools.cache
def shipped_calibration() -> Calibration:
    """The calibration that comes with this version."""
    text = resources.files("bot.matching").joinpath("calibration.json").read_text(encoding="utf-8")
    return read_calibration(json.loads(text))


def read_calibration(document: Mapping[str, Any]) -> Calibration:
    """Decode what `calibrate` wrote."""
    nearest = document["nearest"]
    return Calibration(
        _weights(document["pattern"]),
        _thresholds(document["pattern"]),
        {encoder: _weights(fitted) for encoder, fitted in nearest.items()},
        {encoder: _thresholds(fitted) for encoder, fitted in nearest.items()},
    )


def _weights(fitted: Mapping[str, Any]) -> Weights:
    return Weights(float(fitted["bias"]), {name: float(weight) for name, weight in fitted["weights"].items()})


def _thresholds(fitted: Mapping[str, Any]) -> Thresholds:
    return Thresholds(float(fitted["act"]), float(fitted["show"]))
