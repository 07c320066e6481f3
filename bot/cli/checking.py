"""What a check says: a line that is well, that should be looked at, or that must be repaired."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bot.answers.cleaning import clean_line
from bot.cli.output import print_json, stdout


class Outcome(StrEnum):
    """How a check went."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, how it went, what was found, and, where it is not well, what to do."""

    name: str
    outcome: Outcome
    found: str
    to_do: str = ""


def ok(name: str, found: str) -> Check:
    return Check(name, Outcome.OK, found)


def warn(name: str, found: str, to_do: str) -> Check:
    return Check(name, Outcome.WARN, found, to_do)


def fail(name: str, found: str, to_do: str) -> Check:
    return Check(name, Outcome.FAIL, found, to_do)


def print_checks(checks: Iterable[Check], *, as_json: bool) -> None:
    """Print all of them, in their order."""
    checks = list(checks)
    if as_json:
        print_json(checks_json(checks))
        return
    from rich.text import Text  # noqa: PLC0415  # see bot.cli.main

    console = stdout()
    colours = {Outcome.OK: "green", Outcome.WARN: "yellow", Outcome.FAIL: "bold red"}
    for check in checks:
        text = clean_line(f"{check.name}: {check.found}" + (f" → {check.to_do}" if check.to_do else ""))
        line = Text(f"{check.outcome.value:<5} ", style=colours[check.outcome]) + Text(text)
        console.print(line, soft_wrap=not console.is_terminal)


def checks_json(checks: Iterable[Check]) -> dict[str, Any]:
    """One object: whether nothing failed, and every check."""
    checks = list(checks)
    return {
        "passed": all(check.outcome is not Outcome.FAIL for check in checks),
        "checks": [{**asdict(check), "outcome": check.outcome.value} for check in checks],
    }
