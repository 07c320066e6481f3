"""The list of repositories."""

import json

import pytest

from bot.sources.dataset_errors import InvalidDataset
from bot.sources.dataset_repositories import decode_repositories
from tests.dataset_standin import as_json, published, record

(ROW,) = json.loads(published([record(1)])["/data/repos.json"])


def test_rows_are_found_by_name() -> None:
    """With what they say; a change of any field, known or not, changes their text."""
    rows = decode_repositories(as_json([ROW, {**ROW, "repo": "example/two", "stars": 7, "language": "Rust"}]), "x")

    assert rows["example/two"].stars == 7
    assert rows["example/two"].language == "Rust"
    assert rows["example/one"].errors == 1
    changed = decode_repositories(as_json([{**ROW, "novel": 1}]), "x")
    assert changed["example/one"].text != rows["example/one"].text


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "document: is an object, not a list"),
        ([7], r"x\[0\]: document: is a number"),
        ([{**ROW, "repo": "../etc/passwd"}], r"x\[0\]: repo: "),
        ([{**ROW, "errorCount": -1}], "errorCount"),
        ([{**ROW, "analyzedAt": "soon"}], "analyzedAt"),
        ([ROW, ROW], r"x\[1\]: repo: example/one is there twice"),
    ],
)
def test_a_wrong_list_is_refused(document: object, said: str) -> None:
    """All problems at once, each with its place."""
    with pytest.raises(InvalidDataset, match=said):
        decode_repositories(as_json(document), "x")
