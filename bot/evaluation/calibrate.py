"""Fit the weights and thresholds of matching on labelled pastes: `python -m bot.evaluation.calibrate`.

A paste's wrong candidates count as well as its right one, and so do lines of ordinary chat. How weights are fitted and
thresholds chosen, and on which records they are measured, is told in `bot.evaluation.fitting`.
"""

import argparse
import asyncio
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from bot.evaluation.fitting import (
    LEAST_ACT_GUESS,
    NEAREST_BIAS,
    NEAREST_PRIOR,
    NEAREST_RIDGE,
    NEAREST_WRONG,
    PATTERN_BIAS,
    PATTERN_PRIOR,
    PATTERN_RIDGE,
    PATTERN_WRONG,
    Fitted,
    Sample,
    fitted,
)
from bot.indexing import patterns
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
from bot.stored_index import StoredIndex
from embeddings.encoder import Encoder
from embeddings.sentence_encoder import SentenceEncoder

_CHAT_LINES = 8_000
_MOST_WRONG_CANDIDATES = 5
_CHAT_FOR_NEAREST = 8  # encoding takes a hundred times as long as scanning


async def pattern_sample(sample: Sample, right: set[str], reading: Reading, catalogue: "_Catalogue") -> bool:
    """Add the candidates of the pattern tier; return whether there are any."""
    found = scan(reading, catalogue.scanners)
    known = await catalogue.facts.facts_of(list(found))
    even = Weights(PATTERN_BIAS, PATTERN_PRIOR)
    for ranked in pattern_ranking.rank(confirm(found, known), reading, even):
        if ranked.hit.related:
            continue
        sample.rows.append(ranked.examined.features)
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
