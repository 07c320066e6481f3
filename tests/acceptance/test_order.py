"""A11: where a record stands in the dataset makes no difference to what is answered."""

import gzip
import itertools
import json
import random
from pathlib import Path
from typing import Any

from bot.assembly import assembled
from bot.matching.verdict import Tier, Verdict
from bot.pastes.paste import Paste
from bot.settings import load_settings
from tests.acceptance.pipeline import NoModel
from tests.dataset_standin import published, serving
from tests.shared_data import shared_file
from tests.syncing_bench import ALL, Bench

_EVERY = 170  # of the 153,000 records: 900
_QUESTIONS = 200


def _records() -> list[dict[str, Any]]:
    with gzip.open(shared_file("scale/catalogue.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in itertools.islice(lines, 0, None, _EVERY)]


def _questions(records: list[dict[str, Any]]) -> list[str]:
    """Pastes of people, and messages of the catalogue with values where their holes are."""
    with shared_file("eval/pastes.jsonl").open(encoding="utf-8") as lines:
        pastes = [json.loads(line) for line in lines]
    asked = [paste["text"] for paste in pastes if paste["kind"] != "negative-chat"][:: len(pastes) // 120]
    messages = [f"Error: {record['errorMessage'].replace('{}', '7').replace('%s', 'north')}" for record in records]
    return [*asked, *messages[:: len(messages) // _QUESTIONS]][:_QUESTIONS]


async def _answers(folder: Path, records: list[dict[str, Any]], questions: list[str]) -> list[Verdict]:
    """What is answered once this dataset was synced, by patterns and by the words of the nearest records."""
    with serving(published(records)) as server:
        await Bench(folder, server).sync(ALL)
    async with assembled(load_settings(data_dir=folder), encoder=NoModel()) as parts:
        return [await parts.answering.explain(Paste.of_text(question)) for question in questions]


async def test_a11_three_shuffles_of_the_dataset_give_the_same_answers(tmp_path: Path) -> None:
    """The same 200 questions; records and repositories stand in other places each time."""
    records = _records()
    questions = _questions(records)
    shuffles = [random.Random(seed).sample(records, len(records)) for seed in range(3)]

    first, *others = [
        await _answers(tmp_path / str(number), shuffled, questions) for number, shuffled in enumerate(shuffles)
    ]

    assert len(questions) == _QUESTIONS
    assert {match.tier for verdict in first for match in verdict.matches} == set(Tier)
    for other in others:
        assert other == first
