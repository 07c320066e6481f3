"""The command line as a whole: helps, wrong use, and what people see when something fails."""

import re
import stat

import pytest
import typer

from bot.cli import show
from bot.cli.exit_codes import ExitCode
from bot.cli.main import app
from tests.cli.errata_command import Errata

COMMANDS = (
    "ask",
    "read",
    "show",
    "search",
    "index",
    "import",
    "export",
    "catalogue",
    "eval",
    "run",
    "status",
    "sync",
    "check",
)


def test_every_command_has_an_example() -> None:
    """Each command's help ends with a way to call it."""
    group = typer.main.get_command(app)
    commands = dict(group.commands)  # type: ignore[attr-defined]  # typer's group, which its types hide
    commands |= {f"catalogue {name}": command for name, command in commands["catalogue"].commands.items()}

    assert set(COMMANDS) == {name for name in commands if " " not in name}
    for name, command in commands.items():
        assert re.search(rf"Examples?: .*errata {name.split()[0]}", command.epilog or ""), name
        assert command.help, name


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_printed(errata: Errata, command: str) -> None:
    """`--help` and `-h` work everywhere."""
    ended = errata(command, "-h")

    assert ended.code == 0
    assert "Example" in ended.out


def test_the_version_is_printed(errata: Errata) -> None:
    """`--version` needs no command."""
    assert errata("--version").out.startswith("errata ")


@pytest.mark.parametrize(
    "arguments", [("frobnicate",), ("ask", "--frobnicate"), ("show",), ("search", "x", "--limit", "0")]
)
def test_wrong_use_ends_with_2(errata: Errata, arguments: tuple[str, ...]) -> None:
    """Unknown commands and options, and missing ones, are wrong use."""
    ended = errata(*arguments)

    assert (ended.code, ended.out) == (2, "")
    assert "Usage" in ended.err


def test_a_setting_that_cannot_be_used_is_told(errata: Errata) -> None:
    """The sentence names the option; there is no traceback, and the code is 2."""
    ended = errata("--log-level", "loud", "status")

    assert ended.code == 2
    assert "log_level (as an argument)" in ended.err
    assert "Traceback" not in ended.err


def test_a_data_folder_of_another_kind_is_told(errata: Errata) -> None:
    """A damaged database gives its own sentence and 2."""
    assert errata("status").code == 0
    for path in errata.data_dir.glob("*.sqlite3*"):
        path.write_bytes(b"no database" * 1000)

    ended = errata("status")

    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_mistake_of_ours_is_an_incident(errata: Errata, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody expected ends with 70 and one calm line; the traceback is in the log alone (E7)."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(show, "words_of", broken)

    ended = errata("show", "48d4adaa22bdcf4f")

    assert ended.code == ExitCode.INTERNAL
    assert "secret detail" not in ended.err
    assert len(ended.err.splitlines()) == 1
    incident = re.search(r"incident (\w{6})\.", ended.err)
    assert incident
    log = (errata.data_dir / "errata.log").read_text()
    assert incident[1] in log
    assert "ZeroDivisionError: secret detail" in log


def test_what_is_kept_is_for_its_owner_alone(errata: Errata) -> None:
    """The database cannot be read by other users of the machine."""
    errata("status")

    (database,) = errata.data_dir.glob("*.sqlite3")
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
