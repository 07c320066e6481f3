"""What is missing from a paste that is too poor to be answered. The rules and their manual are in lacks.txt."""

import functools
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources

import re2

from bot.errors import BotError
from bot.pastes.paste import Paste
from bot.pastes.readers.cleaning import clean_lines

_FILE = "lacks.txt"
# Who pastes more than a few screens has not left out the rest. So much takes some milliseconds, wherever it is asked.
_MOST_CHARACTERS = 12_000
_LOGGED_AS_ERROR = frozenset({"ERROR", "FATAL", "CRITICAL", "SEVERE", "PANIC", "EMERGENCY"})
_SPECIAL = ("(talk)", "(beside)", "(telling)")


class BadLackRule(BotError):
    """A line of the rules cannot be used; `line_number` is 1-based."""

    def __init__(self, line_number: int, why: str) -> None:
        super().__init__(f"{_FILE}:{line_number}: {why}")
        self.line_number, self.why = line_number, why


class Where(StrEnum):
    """Which lines a rule looks at; see the manual."""

    ANY = "any"
    END = "end"
    ALONE = "alone"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Lack:
    """What is missing: `name` is that of its sentence, `tool` is what people call the program that printed the rest."""

    name: str
    tool: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the file."""

    lack: Lack
    where: Where
    pattern: "re2._Regexp"
    unless: "re2._Regexp | None"


@dataclass(frozen=True, slots=True)
class Rules:
    """The file as a whole: the rules in their order, its three lists of lines, and what any `only` fits."""

    rules: tuple[Rule, ...]
    talk: "re2._Regexp"
    beside: "re2._Regexp"
    telling: "re2._Regexp"
    endings: "re2._Regexp"


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    is_logged_error: bool


def lack_of(paste: Paste) -> Lack | None:
    """Return what is missing from a paste, or None where nothing is known to be. Time is linear in its length."""
    if sum(len(part.text) for part in paste.parts) > _MOST_CHARACTERS:
        return None
    rules = shipped_rules()
    cleaned = [line for part in paste.parts for line in clean_lines(part.text) if line.text]
    lines = [_Line(" " * line.indent + line.text, line.level in _LOGGED_AS_ERROR) for line in cleaned]
    lines = [line for line in lines if line.is_logged_error or not rules.talk.search(line.text)]
    if not lines:
        return None
    text = "\n".join(line.text for line in lines)
    last = next((line.text for line in reversed(lines) if not rules.beside.search(line.text)), "")
    looked_at = {Where.ANY: text, Where.END: last}
    if len(lines) == 1:
        looked_at[Where.ALONE] = text
    if not any(_tells_more(line, rules) for line in lines):
        looked_at[Where.ONLY] = text
    fitting = (rule for rule in rules.rules if rule.where in looked_at and rule.pattern.search(looked_at[rule.where]))
    return next((rule.lack for rule in fitting if rule.unless is None or not rule.unless.search(text)), None)


@functools.cache
def shipped_rules() -> Rules:
    """The rules of lacks.txt. Raises BadLackRule for a line that is none."""
    return rules_of(resources.files("bot.pastes").joinpath(_FILE).read_text(encoding="utf-8"))


def rules_of(text: str) -> Rules:
    """Read rules as the manual in lacks.txt explains them. Raises BadLackRule."""
    rules: list[Rule] = []
    endings: list[str] = []
    special: dict[str, re2._Regexp] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, *columns = line.split("\t")
        if name in _SPECIAL and len(columns) == 1:
            special[name] = _compiled(columns[0], number)
        elif name.startswith("(") or len(columns) not in (3, 4) or columns[1] not in set(Where):
            raise BadLackRule(number, "a rule is: name, tool, any|end|alone|only, pattern, and perhaps unless")
        else:
            unless = _compiled(columns[3], number) if len(columns) == 4 else None
            endings += [f"(?:{columns[2]})"] if columns[1] == Where.ONLY else []
            rules.append(Rule(Lack(name, columns[0]), Where(columns[1]), _compiled(columns[2], number), unless))
    if missing := [name for name in _SPECIAL if name not in special]:
        raise BadLackRule(len(text.splitlines()), f"{', '.join(missing)} is missing")
    return Rules(
        tuple(rules),
        talk=special["(talk)"],
        beside=special["(beside)"],
        telling=special["(telling)"],
        # Where there is no such rule nothing is an ending; an empty pattern would fit everything.
        endings=_compiled("|".join(endings) or r"\z.", 0),
    )


def _compiled(pattern: str, line_number: int) -> "re2._Regexp":
    options = re2.Options()
    options.log_errors = False  # told with its line instead
    try:
        return re2.compile(f"(?m){pattern}", options)  # whole pastes are searched, line by line
    except re2.error as error:
        raise BadLackRule(line_number, f"RE2 does not take {pattern}: {error}") from error


def _tells_more(line: _Line, rules: Rules) -> bool:
    """Whether a line says what went wrong, and not merely that something did."""
    if not line.is_logged_error and not rules.telling.search(line.text):
        return False
    return not rules.endings.search(line.text)
