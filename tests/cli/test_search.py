"""`errata search`."""

import pytest

from tests.cli.errata_command import Errata
from tests.cli.golden_terminal import assert_golden


def test_records_are_found_by_words(errata: Errata) -> None:
    """Into a pipe, each record is a line of id, repository and title with tabs between."""
    ended = errata("search", "disconnected")

    assert ended.code == 0
    assert_golden("search.txt", ended.out)


def test_a_terminal_gets_a_table(errata: Errata, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the same is a table."""
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "80", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("COLORTERM", raising=False)

    assert_golden("search.ansi", errata("search", "server", "disconnected").out)


def test_json_holds_records_and_version(errata: Errata) -> None:
    """Programs get one object."""
    ended = errata("search", "disconnected", "--repo", "tracel-ai/burn", "--json", "--limit", "1")

    assert [record["id"] for record in ended.json["records"]] == ["48d4adaa22bdcf4f"]
    assert len(ended.json["catalogue"]) == 16


@pytest.mark.parametrize("arguments", [("xylophone",), ("disconnected", "--repo", "nobody/nothing")])
def test_nothing_found_is_said(errata: Errata, arguments: tuple[str, ...]) -> None:
    """The code is 1, and nothing stands on standard output."""
    ended = errata("search", *arguments)

    assert (ended.code, ended.out, ended.err) == (1, "", "No record holds these words.\n")
