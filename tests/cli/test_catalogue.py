"""`errata catalogue check`."""

import json
from pathlib import Path

from bot.records.decode import encode_entry
from tests.cli.errata_command import Errata
from tests.cli.test_import import write
from tests.sample_entries import GRADIENT_SYNC
from tests.shared_data import REPOSITORY


def record(number: int, message: str, pattern: str) -> dict[str, object]:
    """A record with this message and pattern."""
    return {
        **encode_entry(GRADIENT_SYNC),
        "id": f"{number:016x}",
        "slug": f"number-{number}",
        "errorMessage": message,
        "messagePattern": pattern,
    }


WEAK = record(1, "{} failed", "(.+?) failed")
GOOD = record(2, "Gradient synchronisation lost its tensor", "Gradient synchronisation lost its tensor")
# Neither engine takes a back-reference.
REFUSED = record(3, "twice", r"(\w+) \1 and not (?!this)")


def test_what_is_shipped_is_valid(errata: Errata) -> None:
    """The seeds can be read, and the code is 0 also where a pattern is weak."""
    ended = errata("catalogue", "check", str(REPOSITORY / "seeds"), "--json")

    assert ended.code == 0
    assert ended.json["valid"]
    assert (ended.json["records"], ended.json["refused"], ended.json["problems"]) == (3, [], [])


def test_a_weak_pattern_is_listed_with_its_reason(errata: Errata, tmp_path: Path) -> None:
    """A pattern that says too little is a warning that names file, record and reason (A3)."""
    ended = errata("catalogue", "check", write(tmp_path, WEAK, GOOD))

    assert ended.code == 0
    weak = [line for line in ended.out.splitlines() if "weak:" in line and not line.endswith("weak.")]
    assert weak == [
        "mine.jsonl:1: messagePattern: weak: only 6 fixed letters, at least 12 are needed (0000000000000001: failed)"
    ]
    assert ended.out.splitlines()[-1] == "2 records, 0 problems, 0 patterns refused, 1 weak."


def test_a_refused_pattern_is_listed_with_its_reason(errata: Errata, tmp_path: Path) -> None:
    """What no engine takes is named with its file and the engines' words, and the code is 2 (E3)."""
    ended = errata("catalogue", "check", write(tmp_path, GOOD, REFUSED), "--json")

    assert ended.code == 2
    assert not ended.json["valid"]
    assert [(one["place"], one["id"]) for one in ended.json["refused"]] == [("mine.jsonl:2", "0000000000000003")]
    assert ended.json["refused"][0]["reason"]


def test_problems_are_listed_all_at_once(errata: Errata, tmp_path: Path) -> None:
    """A file that cannot be imported gives the sentences `errata import` would, and the store is not even made."""
    (tmp_path / "bad.json").write_text(json.dumps({**GOOD, "severity": "dreadful", "tags": 1}))

    ended = errata("catalogue", "check", "bad.json")

    assert ended.code == 2
    assert "bad.json: severity: " in ended.out
    assert "bad.json: tags: " in ended.out
    assert not errata.data_dir.exists()


def test_a_record_cannot_move_the_cursor(errata: Errata, tmp_path: Path) -> None:
    """Control characters of a hostile record are not printed (C5)."""
    ended = errata("catalogue", "check", write(tmp_path, record(4, "\x1b[2Jx", "\x1b\\[2Jx")))

    assert "\x1b" not in ended.out
