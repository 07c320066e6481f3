"""`errata status` and `errata index`."""

import pytest

from tests.cli.errata_command import Errata


def test_status_tells_what_is_served(errata: Errata) -> None:
    """Version, size, index, and what the bot does unasked are told, in lines and as JSON."""
    lines = errata("status")
    document = errata("status", "--json").json

    assert lines.code == 0
    assert f"{document['catalogue']['version']}: 3 records of 1 repositories" in lines.out
    assert "is not built for this catalogue (`errata index`)" in lines.out
    assert document["catalogue"]["records"] == 3
    assert document["index_fits"] is False
    assert document["token"] is False
    assert document["data_dir"] == str(errata.data_dir)


def test_the_index_fits_once_it_is_built(errata: Errata) -> None:
    """After `errata index` the status says that it fits; a second build has nothing to encode."""
    first = errata("index", "--words-only", "--json")
    second = errata("index", "--words-only")

    assert first.code == 0
    assert (first.json["records"], first.json["encoded"]) == (3, 0)
    assert second.out.startswith("3 records: ")
    assert errata("status", "--json").json["index_fits"] is True


def test_status_tells_what_the_process_is_held_to(errata: Errata, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repositories of the settings with their records, and those of them that the catalogue does not have."""
    assert errata("status", "--json").json["held_to"] is None

    monkeypatch.setenv("ERRATA_CATALOGUE", "Tracel-AI/burn, no/body")

    assert errata("status", "--json").json["held_to"] == {
        "repositories": ["tracel-ai/burn"],
        "records": 3,
        "unknown": ["no/body"],
    }
    lines = errata("status").out
    assert "held to     3 records of tracel-ai/burn\n            not in the catalogue: no/body\n" in lines
