"""What the README says about commands and settings is what there is."""

import re

import pytest
from typer.main import get_command

from bot.cli.main import app
from bot.cogs.sync import all_commands
from tests.settings_table import describe_settings
from tests.shared_data import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("setting", describe_settings(), ids=lambda setting: setting.key)
def test_every_setting_is_in_the_table(setting: object) -> None:
    """With its variable, its key, its default and what it does, as the program describes it."""
    row = f"| `{setting.variable}` | `{setting.key}` | {setting.default} | {setting.description} |"  # type: ignore[attr-defined]

    assert row in README


def test_every_command_of_the_terminal_is_in_the_table() -> None:
    """And the table names none that is not there."""
    group = get_command(app)
    known = set(group.commands)  # type: ignore[attr-defined]  # a group
    named = set(re.findall(r"`errata (\w+)", README))

    assert known <= named
    assert named <= known


def test_every_slash_command_is_in_the_table() -> None:
    """Groups with their subcommands."""
    for command in all_commands():
        for name in [command.name, *(sub.name for sub in getattr(command, "commands", ()))]:
            assert name in README, name


def test_every_file_it_links_to_is_there() -> None:
    """Links into the repository lead somewhere."""
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]

    assert links
    for link in links:
        assert (REPOSITORY / link).exists(), link
