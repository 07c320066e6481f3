"""`errata check` without a token."""

import shutil
from pathlib import Path

import pytest

from bot.cli.api_description import DescriptionUnusable, problems
from bot.cogs.sync import command_payloads
from tests.cli.errata_command import Ended, Errata
from tests.shared_data import shared_file


def outcomes(ended: Ended) -> dict[str, str]:
    """How each check went, by name."""
    return {check["name"]: check["outcome"] for check in ended.json["checks"]}


def test_offline_parts_need_no_token(errata: Errata) -> None:
    """Settings, data, store, patterns, index and model are checked; what is missing is a warning with what to do."""
    ended = errata("check", "--json")

    assert ended.code == 0
    assert ended.json["passed"]
    assert outcomes(ended) == {
        "settings": "ok", "data folder": "ok", "store": "ok", "patterns": "ok", "index": "warn", "model": "ok",
        "commands": "warn", "token": "warn",
    }  # fmt: skip
    assert all(check["to_do"] for check in ended.json["checks"] if check["outcome"] != "ok")


def test_lines_say_what_to_do(errata: Errata) -> None:
    """For people each check is a line with its outcome first."""
    lines = errata("check").out.splitlines()

    assert lines[0] == "ok    settings: valid"
    assert "warn  index: it is not built for this catalogue → run `errata index`" in lines


def test_commands_are_as_discord_describes_them(errata: Errata) -> None:
    """With the API description the commands' payloads are checked strictly."""
    ended = errata("check", "--json", "--api-description", str(shared_file("discord/openapi.json")))

    assert outcomes(ended)["commands"] == "ok"


async def test_a_wrong_command_is_told() -> None:
    """Too long a name, a type that is none, and a property nobody knows are problems."""
    (first, *_) = await command_payloads()
    path = shared_file("discord/openapi.json")

    assert problems(path, [first]) == []
    assert problems(path, [{**first, "name": "x" * 33}])
    assert problems(path, [{**first, "type": "slash"}])
    assert problems(path, [{**first, "colour": "red"}])


def test_another_document_is_told(tmp_path: Path) -> None:
    """What is no API description gives a sentence, not a traceback."""
    path = tmp_path / "other.json"
    path.write_text("{}")

    with pytest.raises(DescriptionUnusable, match="not Discord's API description"):
        problems(path, [])


def test_a_data_folder_that_cannot_be_written_fails(errata: Errata) -> None:
    """Where a file stands in the folder's place, the check fails with 1 and nothing else of the store is asked."""
    errata.data_dir.write_text("a file")

    ended = errata("check", "--json")

    assert ended.code == 1
    assert outcomes(ended)["data folder"] == "fail"
    assert "store" not in outcomes(ended)


def test_a_damaged_store_fails(errata: Errata) -> None:
    """The store's own sentence says what to do; the model is checked all the same."""
    errata("status")
    for path in errata.data_dir.glob("*.sqlite3*"):
        path.write_bytes(b"no database" * 1000)
    shutil.rmtree(errata.data_dir / "patterns")

    ended = errata("check", "--json")

    assert ended.code == 1
    assert (outcomes(ended)["store"], outcomes(ended)["model"]) == ("fail", "ok")
