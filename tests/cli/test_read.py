"""`errata read`."""

from pathlib import Path

import pytest

from tests.cli.errata_command import Errata
from tests.cli.golden_terminal import assert_golden

# Put together from pieces: a whole token would stop this file at every scanner for leaked keys.
TOKEN = "ghp_" + "a1B2c3D4" * 4 + "a1B2"
LOG = f"""\
api-1  | cloning https://{TOKEN}@github.com/o/r
api-1  | Traceback (most recent call last):
api-1  |   File "/app/prices.py", line 4, in load
api-1  |     return json.loads(text)
api-1  | json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
api-1  |
api-1  | The above exception was the direct cause of the following exception:
api-1  |
api-1  | Traceback (most recent call last):
api-1  |   File "/app/main.py", line 9, in <module>
api-1  |     prices = load()
api-1  | shop.errors.PricesMissing: the price list answered 503 Service Unavailable
"""


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "build.log"
    path.write_text(LOG, encoding="utf-8")
    return str(path)


def test_errors_and_redactions_are_told(errata: Errata, log: str) -> None:
    """Into a pipe, each error and each kind of secret is a line with tabs between; no secret is printed (F1)."""
    ended = errata("read", log)

    assert ended.code == 0
    assert TOKEN not in ended.out
    assert_golden("read.txt", ended.out)


def test_a_terminal_gets_a_table(errata: Errata, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the same is a table."""
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "100", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("COLORTERM", raising=False)

    assert_golden("read.ansi", errata("read", log).out)


def test_json_holds_everything(errata: Errata) -> None:
    """Programs get all frames, lines counted from 1, and what was redacted, also from standard input."""
    ended = errata("read", "-", "--json", stdin=LOG.encode())

    (part,) = ended.json["parts"]
    cause, final = part["errors"]
    assert (cause["role"], cause["class"], cause["first_line"]) == ("root cause", "json.decoder.JSONDecodeError", 2)
    assert (final["http_status"], final["last_line"]) == (503, 12)
    assert final["frames"] == [
        {"file": "/app/main.py", "line": 9, "function": "<module>", "package": None, "version": None}
    ]
    assert [(found["count"], found["credential"]) for found in part["redactions"]] == [(1, True)]
    assert TOKEN not in ended.out


def test_a_text_without_errors_is_said(errata: Errata) -> None:
    """The code is 1, and nothing stands on standard output."""
    ended = errata("read", "all is well and green")

    assert (ended.code, ended.out, ended.err) == (1, "", "No error is told of here.\n")


def test_nothing_to_read_is_wrong_use(errata: Errata) -> None:
    """Nothing at all ends with 2 and says so (E13)."""
    ended = errata("read", "-", stdin=b"")

    assert ended.code == 2
    assert ended.out == ""
    assert ended.err


def test_no_data_is_made(errata: Errata, log: str) -> None:
    """Reading needs no catalogue, and leaves no data folder behind."""
    errata("read", log)

    assert not errata.data_dir.exists()
