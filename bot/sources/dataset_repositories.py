"""The list of repositories that the dataset knows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.records import rules
from bot.sources.dataset_errors import InvalidDataset
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """A line of the list. `text` is the same for the same line, so that a change is seen; `errors` counts records."""

    repo: str
    errors: int
    description: str | None
    language: str | None
    stars: int | None
    text: str


_RULES: Final[Mapping[str, tuple[rules.Rule, bool]]] = {
    "repo": (rules.repository, True),
    "errorCount": (rules.whole_number(0), True),
    "description": (rules.text, False),
    "language": (rules.text, False),
    "stars": (rules.whole_number(0), False),
    "sourceFiles": (rules.whole_number(0), False),
    "defaultBranch": (rules.text, False),
    "analyzedSha": (rules.commit, False),
    "analyzedAt": (rules.moment, False),
}


def decode_repositories(data: bytes, origin: str) -> dict[str, RepositoryRow]:
    """The rows in these bytes, by name. Fields nobody here knows are kept in `text`.

    Raises InvalidDataset with all problems at once.
    """
    try:
        document = parse_json(data, origin)
    except InvalidSource as invalid:
        raise InvalidDataset(invalid.problems) from invalid
    if not isinstance(document, list):
        raise InvalidDataset((f"{origin}: document: is {rules.kind_of(document)}, not a list",))
    rows: dict[str, RepositoryRow] = {}
    problems: list[str] = []
    for number, fields in enumerate(document):
        place = f"{origin}[{number}]"
        found = _problems(fields)
        problems += (f"{place}: {problem}" for problem in found)
        if found:
            continue
        if fields["repo"] in rows:
            problems.append(f"{place}: repo: {fields['repo']} is there twice")
        rows[fields["repo"]] = row_of(fields)
    if problems:
        raise InvalidDataset(tuple(problems))
    return rows


def row_of(fields: Mapping[str, Any]) -> RepositoryRow:
    """A row from fields that were checked."""
    return RepositoryRow(
        repo=fields["repo"],
        errors=fields["errorCount"],
        description=fields.get("description"),
        language=fields.get("language"),
        stars=fields.get("stars"),
        text=json.dumps(fields, sort_keys=True, separators=(",", ":")),
    )


def _problems(fields: object) -> list[str]:
    if not isinstance(fields, dict):
        return [f"document: is {rules.kind_of(fields)}, not an object"]
    problems: list[str] = []
    for name, (rule, required) in _RULES.items():
        value = fields.get(name)
        if value is None and not required:
            continue
        try:
            rule(value)
        except rules.Refused as refused:
            problems.append(f"{name}: {refused.problem}")
    return problems
