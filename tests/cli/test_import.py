"""`errata import`."""

import json
from pathlib import Path

from bot.records.decode import encode_entry
from tests.cli.errata_command import Errata
from tests.sample_entries import GRADIENT_SYNC

RECORD = {
    **encode_entry(GRADIENT_SYNC),
    "id": "00000000000000aa",
    "slug": "mine",
    "errorMessage": "Flux capacitor gone",
}


def write(folder: Path, *documents: object) -> str:
    """A file of JSON lines; the name of the file."""
    (folder / "mine.jsonl").write_text("\n".join(map(json.dumps, documents)))
    return "mine.jsonl"


def test_records_are_added_beside_those_shipped(errata: Errata, tmp_path: Path) -> None:
    """What was imported is found at once, the shipped records stay, and importing twice changes nothing."""
    name = write(tmp_path, RECORD)

    first, second = errata("import", name, "--json"), errata("import", name, "--json")

    assert (first.code, first.json["added"], first.json["changed"]) == (0, 1, 0)
    assert (second.code, second.json["added"], second.json["unchanged"]) == (0, 0, 1)
    assert first.json["catalogue"] == second.json["catalogue"]
    assert "00000000000000aa" in errata("search", "flux").out
    assert errata("show", "c680d5d5ffa880ce").code == 0


def test_people_are_told_what_to_do_next(errata: Errata, tmp_path: Path) -> None:
    """The sentence counts, and names the command that makes guesses know the records."""
    ended = errata("import", write(tmp_path, RECORD))

    assert ended.out.startswith("1 records added, 0 changed, 0 unchanged;")
    assert "errata index" in ended.err


def test_a_bad_file_leaves_everything_as_it_was(errata: Errata, tmp_path: Path) -> None:
    """Every problem is told as `file: field: what was wrong`, the code is 2, nothing at all was taken (G1)."""
    before = errata("status", "--json").json["catalogue"]["version"]
    name = write(tmp_path, RECORD, {**RECORD, "id": "xyz", "severity": "dreadful"}, {**RECORD, "solutions": 3})

    ended = errata("import", name)

    assert (ended.code, ended.out) == (2, "")
    told = ended.err.splitlines()
    assert any(line.startswith("mine.jsonl:2: id: ") for line in told)
    assert any(line.startswith("mine.jsonl:2: severity: ") for line in told)
    assert any(line.startswith("mine.jsonl:3: solutions: ") for line in told)
    assert told[-1] == "Nothing was imported."
    assert errata("status", "--json").json["catalogue"]["version"] == before


def test_problems_are_json_where_that_was_asked_for(errata: Errata, tmp_path: Path) -> None:
    """A program gets the problems as a list."""
    ended = errata("import", write(tmp_path, {"id": 3}), "--json")

    assert ended.code == 2
    assert ended.json["imported"] is False
    assert ended.json["problems"]


def test_a_missing_file_is_told(errata: Errata) -> None:
    """No file, no traceback."""
    ended = errata("import", "missing.json")

    assert ended.code == 2
    assert "missing.json: document: cannot be read" in ended.err
