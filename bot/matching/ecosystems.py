"""Which language or tool a text, a path or a record comes from."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from posixpath import splitext

import re2

from bot.matching.facts import Facts

# Some records have no path; their tags name the language.
_TAGS = {
    "python": "python",
    "rust": "rust",
    "java": "java",
    "kotlin": "java",
    "scala": "java",
    "javascript": "javascript",
    "typescript": "javascript",
    "go": "go",
    "csharp": "dotnet",
    "dotnet": "dotnet",
    "php": "php",
    "ruby": "ruby",
    "elixir": "elixir",
    "swift": "swift",
    "dart": "dart",
    "lua": "lua",
    "c": "c",
    "cpp": "c",
}


def of_text(lines: Iterable[str]) -> frozenset[str]:
    """Every ecosystem that some line of the text gives away."""
    table = _table()
    return frozenset(table.homes[number] for number in table.markers.Match("\n".join(lines)) or ())


@functools.lru_cache(maxsize=8192)
def of_path(path: str) -> str | None:
    """The ecosystem of a file by its ending."""
    return _table().endings.get(splitext(path)[1].lower())


def of_record(facts: Facts) -> str | None:
    """Where the record's error is raised: by its file, else by its tags."""
    if facts.file_path and (ecosystem := of_path(facts.file_path)):
        return ecosystem
    return next((_TAGS[tag] for tag in facts.tags if tag in _TAGS), None)


@dataclass(frozen=True, slots=True)
class _Table:
    """File endings, all markers in one set, and the ecosystem of each marker by its number."""

    endings: dict[str, str]
    markers: "re2.Set"
    homes: tuple[str, ...]


@functools.cache
def _table() -> _Table:
    """The file's manual is in its head."""
    endings: dict[str, str] = {}
    homes: list[str] = []
    markers = re2.Set.SearchSet()
    text = resources.files("bot.matching").joinpath("ecosystems.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        first, _, second = line.partition("\t")
        if first.startswith("."):
            endings[first] = second
        else:
            homes.append(first)
            markers.Add(f"(?m){second}")
    markers.Compile()
    return _Table(endings, markers, tuple(homes))
