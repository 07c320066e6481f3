"""Labelled pastes from files."""

import gzip
import json
from pathlib import Path

import pytest

from bot.evaluation.labelled import LabelledPaste, read_labelled
from bot.sources.errors import InvalidSource
from tests.shared_data import shared_file

WHOLE = {"id": "a", "text": "boom", "gold": ["0" * 16], "acceptable": ["1" * 16], "kind": "exact", "note": "ignored"}


def test_a_line_is_a_paste(tmp_path: Path) -> None:
    """Every field that matters is read; unknown ones, blank lines and a missing kind are no problem."""
    path = tmp_path / "pastes.jsonl"
    path.write_text(json.dumps(WHOLE) + "\n\n" + '{"id": "b", "text": "", "gold": []}\n')

    pastes = read_labelled(path)

    assert pastes == (
        LabelledPaste("a", "boom", "exact", ("0" * 16,), ("1" * 16,)),
        LabelledPaste("b", "", "paste"),
    )
    assert pastes[0].right == {"0" * 16, "1" * 16}


def test_a_packed_file_is_read_too(tmp_path: Path) -> None:
    """Gzip is recognised by its content."""
    path = tmp_path / "pastes.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(WHOLE).encode()))

    assert [paste.id for paste in read_labelled(path)] == ["a"]


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    """Each problem names file, line and field, and all of the file come together."""
    path = tmp_path / "pastes.jsonl"
    lines = ['{"id": "a", "text": 1, "gold": "x"}', "nonsense", "[]", json.dumps(WHOLE), json.dumps(WHOLE)]
    path.write_text("\n".join(lines))

    with pytest.raises(InvalidSource) as told:
        read_labelled(path)

    assert [problem.partition(" ")[0] for problem in told.value.problems] == [
        f"{path}:1:", f"{path}:1:", f"{path}:2:", f"{path}:3:", f"{path}:5:",
    ]  # fmt: skip
    assert f"{path}:1: text: must be a text" in told.value.problems
    assert f"{path}:1: gold: must be a list of record ids" in told.value.problems


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    """A file without pastes would give figures without meaning."""
    path = tmp_path / "pastes.jsonl"
    path.write_text("\n")

    with pytest.raises(InvalidSource, match="document: is empty"):
        read_labelled(path)


def test_the_development_pastes_are_read() -> None:
    """The shared set holds 574 pastes, 216 of which have a record."""
    pastes = read_labelled(shared_file("eval/pastes.jsonl"))

    assert len(pastes) == 574
    assert sum(bool(paste.gold) for paste in pastes) == 216
