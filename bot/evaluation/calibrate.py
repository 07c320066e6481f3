"""Fit the weights and thresholds of matching on labelled pastes: `python -m bot.evaluation.calibrate`.

Both tiers are logistic models. Their weights start from what is known beforehand (PRIOR: a class before the message
speaks for a record, prose around it against) and move as far as the pastes say so: ridge regression towards the prior,
fitted by Newton's method. Figures are given for records the fit has not seen (six folds, split by record). A paste's
wrong candidates count as well as its right one, and so do lines of ordinary chat.

Thresholds are chosen on those held-out figures: `act` is the lowest likelihood at which at most a given share of what
would be posted is wrong, `show` the lowest at which at least SHOW_RIGHT of what is shown is right; neither lies below a
floor, since the pastes hold fewer kinds of noise than life does.
"""

import argparse
import asyncio
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.indexing import StoredIndex, patterns
from bot.matching import pattern_ranking
from bot.matching.calibration import WORDS_ALONE, Weights
from bot.matching.facts import FactSource
from bot.matching.matcher import may_guess, speaks
from bot.matching.nearest_tier import MOST_CANDIDATES, NO_GUESSES, Guesses, near_features
from bot.matching.pattern_tier import confirm, scan
from bot.matching.reading import Reading, read
from bot.matching.scanner import Scanner
from bot.pastes.paste import Paste
from bot.store.fact_source import StoredFacts
from bot.store.sqlite import FILE_NAME, Database
from embeddings.encoder import Encoder
from embeddings.sentence_encoder import SentenceEncoder

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
_CHAT_LINES = 8_000
_MOST_WRONG_CANDIDATES = 5
_CHAT_FOR_NEAREST = 8  # encoding takes a hundred times as long as scanning


@dataclass
class Sample:
    """Candidates of one paste: a row of features each, and which of them are right."""

    group: str
    positive: bool
    rows: list[list[float]] = field(default_factory=list)
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


async def pattern_sample(sample: Sample, right: set[str], reading: Reading, catalogue: "_Catalogue") -> bool:
    """Add the candidates of the pattern tier; return whether there are any."""
    found = scan(reading, catalogue.scanners)
    known = await catalogue.facts.facts_of(list(found))
    even = Weights(PATTERN_BIAS, PATTERN_PRIOR)
    for ranked in pattern_ranking.rank(confirm(found, known), reading, even):
        if ranked.hit.related:
            continue
        sample.rows.append(ranked.examined.features.vector())
        sample.right.append(ranked.hit.facts.id in right)
        sample.may_act.append(ranked.pasted)
    if not sample.positive:
        _keep_strongest(sample)
    return bool(sample.rows)


async def nearest_sample(
    sample: Sample, right: set[str], reading: Reading, facts: FactSource, index: StoredIndex
) -> None:
    """Add the candidates of the nearest tier."""
    queries = reading.queries()
    near = await index.nearest(queries, MOST_CANDIDATES) if queries else []
    known = await facts.facts_of([record.record_id for record in near])
    for record in near:
        if record.record_id in known:
            sample.rows.append(near_features(record, near, known[record.record_id], reading).vector())
            sample.right.append(record.record_id in right)
            sample.may_act.append(
                may_guess(reading, Guesses((), NO_GUESSES.thresholds, by_words=not index.compared_by))
            )


def read_pastes(path: Path) -> Iterator[tuple[str, set[str], str]]:
    """Text, right ids and group of each labelled paste; pastes of one record are one group."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            paste = json.loads(line)
            group = paste["gold"][0] if paste["gold"] else f"silence {number}"
            yield paste["text"], {*paste["gold"], *paste["acceptable"]}, group


def read_chat(path: Path, most: int) -> Iterator[str]:
    """Every so many lines of a compressed chat log."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        everything = lines.read().splitlines()
    yield from everything[:: max(1, len(everything) // most)]


async def calibrate(data_dirs: Sequence[Path], pastes: Path, chat: Path) -> dict[str, Any]:
    """Fit both tiers on the catalogues of these data folders together: a small one and a large one differ much."""
    encoder = SentenceEncoder()
    texts = [
        *read_pastes(pastes),
        *((line, set[str](), f"chat {n}") for n, line in enumerate(read_chat(chat, _CHAT_LINES))),
    ]
    pattern: list[Sample] = []
    nearest: dict[str, list[Sample]] = {}
    async with AsyncExitStack() as stack:
        catalogues = [await _opened(stack, folder, encoder) for folder in data_dirs]
        for catalogue in catalogues:
            for text, right, group in texts:
                sample = Sample(group, bool(right))
                if await pattern_sample(sample, right, read(Paste.of_text(text)), catalogue):
                    pattern.append(sample)
        pattern_fit = fitted(pattern, PATTERN_PRIOR, PATTERN_BIAS, PATTERN_RIDGE, most_wrong=PATTERN_WRONG)
        for catalogue in catalogues:
            for number, (text, right, group) in enumerate(texts):
                reading = read(Paste.of_text(text))
                few = group.startswith("chat") and number % _CHAT_FOR_NEAREST
                if few or await _pattern_speaks(reading, catalogue, pattern_fit):
                    continue
                for index, by_words in zip(catalogue.indexes, (True, False), strict=True):
                    sample = Sample(group, bool(right))
                    await nearest_sample(sample, right, reading, catalogue.facts, index)
                    if by_words or index.compared_by:
                        nearest.setdefault(index.compared_by or WORDS_ALONE, []).append(sample)
    return {
        "pattern": pattern_fit.to_json(),
        "nearest": {
            key: fitted(
                samples,
                NEAREST_PRIOR,
                NEAREST_BIAS,
                NEAREST_RIDGE,
                most_wrong=NEAREST_WRONG,
                least_act=LEAST_ACT_GUESS,
            ).to_json()
            for key, samples in sorted(nearest.items())
        },
    }


@dataclass(frozen=True)
class _Catalogue:
    facts: FactSource
    scanners: Sequence[Scanner]
    indexes: Sequence[StoredIndex]


async def _opened(stack: AsyncExitStack, data_dir: Path, encoder: Encoder) -> _Catalogue:
    database = await stack.enter_async_context(Database.open(data_dir / FILE_NAME))
    indexes = (StoredIndex(database, data_dir, None), StoredIndex(database, data_dir, encoder))
    return _Catalogue(StoredFacts(database), (await patterns(database, data_dir)).scanners, indexes)


async def _pattern_speaks(reading: Reading, catalogue: _Catalogue, fit_: Fitted) -> bool:
    found = scan(reading, catalogue.scanners)
    known = await catalogue.facts.facts_of(list(found))
    ranked = pattern_ranking.rank(confirm(found, known), reading, fit_.weights)
    return speaks(ranked, fit_.act)


def _keep_strongest(sample: Sample) -> None:
    """Of a text without an answer the candidates that look best: hundreds of hopeless ones teach nothing."""
    order = sorted(range(len(sample.rows)), key=lambda number: -sample.rows[number][0])[:_MOST_WRONG_CANDIDATES]
    sample.rows = [sample.rows[number] for number in order]
    sample.right = [sample.right[number] for number in order]
    sample.may_act = [sample.may_act[number] for number in order]


def main() -> None:
    """Write calibration.json, and its held-out figures to the terminal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data-dir", type=Path, action="append", required=True, help="a data folder with a catalogue to measure on"
    )
    parser.add_argument("--pastes", type=Path, required=True, help="labelled pastes, JSON lines")
    parser.add_argument(
        "--chat", type=Path, required=True, help="chat in which nothing should be found, gzip, a line each"
    )
    arguments = parser.parse_args()
    document = asyncio.run(calibrate(arguments.data_dir, arguments.pastes, arguments.chat))
    target = resources.files("bot.matching").joinpath("calibration.json")
    Path(str(target)).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    json.dump(document, sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
