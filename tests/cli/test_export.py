"""`errata export`."""

import json
from pathlib import Path

from tests.cli.errata_command import Errata
from tests.upstream_rules import problems_of


def test_the_catalogue_is_written_and_told_in_a_line(errata: Errata, tmp_path: Path) -> None:
    """What was made from pages is said; the second time nothing is new."""
    folder = tmp_path / "served" / "data"

    first, second = errata("export", str(folder)), errata("export", str(folder), "--repo", "tracel-ai/BURN", "--json")

    assert first.code == second.code == 0
    assert first.out.startswith("exported: 3 records of 1 repositories and 0 articles, version 2026-")
    assert "2 of them were made from pages" in first.err
    assert second.json.items() >= {"records": 3, "is_new": False, "from_pages": 2}.items()
    assert problems_of(folder) == []


def test_what_was_exported_can_be_imported(errata: Errata, tmp_path: Path) -> None:
    """Two bots: the second one reads what the first one wrote."""
    errata("export", str(tmp_path / "public"))
    other = Errata(tmp_path / "other", errata._monkeypatch)

    ended = other("import", str(tmp_path / "public" / "repos"), "--json")

    assert ended.code == 0
    assert ended.json["changed"] == 2  # the two pages are records now
    assert json.loads(other("ask", "--json", "Server disconnected during initialization").out)["matches"]


def test_an_unknown_repository_is_named_with_a_near_one(errata: Errata, tmp_path: Path) -> None:
    """Bad input, and nothing is written."""
    ended = errata("export", str(tmp_path / "public"), "--repo", "tracel/burn")

    assert ended.code == 2
    assert "no repository tracel/burn; did you mean tracel-ai/burn?" in ended.err
    assert not (tmp_path / "public").exists()


def test_a_folder_with_other_things_is_refused(errata: Errata, tmp_path: Path) -> None:
    """In one sentence that names what is in the way."""
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "photo.jpg").touch()

    ended = errata("export", str(tmp_path / "public"))

    assert ended.code == 2
    assert "photo.jpg" in ended.err
    assert "nothing was exported" in ended.err
