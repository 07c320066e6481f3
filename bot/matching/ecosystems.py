"""Which language or tool a text, a path or a record comes from."""

import functools
from collections.abc import Iterable
from importlib import resources
from pathlib import PurePosixPath

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
    found: set[str] = set()
    _, markers = _table()
    text = "\n".join(lines)  # one search a marker: a call of the engine costs more than the line it looks at
    for ecosystem, marker in markers:
        if ecosystem not in found and marker.search(text):
            found.add(ecosystem)
    return frozenset(found)


def of_path(path: str) -> str | None:
    """The ecosystem of a file by its ending."""
    return _table()[0].get(PurePosixPath(path).suffix.lower())


def of_record(facts: Facts) -> str | None:
    """Where the record's error is raised: by its file, else by its tags."""
    if facts.file_path and (ecosystem := of_path(facts.file_path)):
        return ecosystem
    return next((_TAGS[tag] for tag in facts.tags if tag in _TAGS), None)


@functools.cache
def _table() -> tuple[dict[str, str], list[tuple[str, "re2._Regexp"]]]:
    """File endings, and markers in the order of the file. The file's manual is in its head."""
    endings: dict[str, str] = {}
    markers: list[tuple[str, re2._Regexp]] = []
    text = resources.files("bot.matching").joinpath("ecosystems.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        first, _, second = line.partition("\t")
        if first.startswith("."):
            endings[first] = second
        else:
            markers.append((first, re2.compile(f"(?m){second}")))
    return endings, markers
