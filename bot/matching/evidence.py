"""What a paste says about itself, and how a record agrees with it."""

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

import re2

from bot.matching import ecosystems
from bot.matching.facts import Facts
from bot.matching.named_files import SeenPath, named_files

_ERROR_CLASS = re2.compile(r"\b[A-Z][\w$]*(?:Error|Exception|Failure|Warning|Fault|Panic|Interrupt)\b")
_CODE = re2.compile(r"\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{1,6}-?\d{2,6}|E[A-Z]{4,})\b")
_STATUS = re2.compile(r"(?i)\b(?:http(?:/\d\.\d)?|status(?: code)?|code)[ :=]{1,3}[1-5]\d\d\b")
# Of a longer word nobody made a name.
_LONGEST_WORD = 100
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*+(?:[._-][A-Za-z0-9]++)*+")
_IN_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_SPACED = bytes(byte if byte in _IN_WORDS else ord(" ") for byte in range(256))
_VERSION = re.compile(r"[-_.]v?\d[\w.]*$", re.MULTILINE)
# Words of a log that look like codes but name levels, methods and formats (A2).
_NO_CODES = frozenset(
    {"ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "GET", "POST", "PUT", "HTTP", "JSON", "NULL"}
)
# Evidence beyond the first megabyte is not looked for; the message itself is, everywhere.
_MOST_TEXT = 1_000_000
# Names of repositories that are ordinary words say nothing where they stand alone in a text.
_TELLING_NAME_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything of a paste that can speak for or against a record."""

    ecosystems: frozenset[str]
    paths: dict[str, tuple[SeenPath, ...]]
    classes: frozenset[str]
    codes: frozenset[str]
    statuses: frozenset[int]
    words: frozenset[str]


class Agreement(NamedTuple):
    """How one record agrees with the evidence.

    `path`: how many parts of its path, from the file upwards, one path of the paste shares; 0 where none does.
    `line`: whether a path that agrees also names its line. `ecosystem`: 1 the same, -1 another, 0 unknown.
    `package`: 1 where the paste names its repository, OF_FOLDER where only a folder of its path that may be a package.
    """

    path: int
    line: bool
    class_seen: bool
    code_seen: bool
    status_seen: bool
    package: float
    ecosystem: int


def evidence_of(text: str) -> Evidence:
    """Read once for each paste, whatever the number of records it is compared with."""
    text = text[:_MOST_TEXT]
    data = text.encode()  # where no positions are wanted, the engine is twice as fast with bytes
    classes, codes, statuses = _said(data)
    return Evidence(
        ecosystems=ecosystems.of_text(text.splitlines()),
        paths=named_files(text),
        classes=frozenset(name.decode().lower() for name in classes),
        codes=frozenset(code.decode() for code in codes) - _NO_CODES,
        statuses=frozenset(int(status[-3:]) for status in statuses),
        words=_words(data),
    )


def _said(data: bytes) -> list[set[bytes]]:
    """What each of _SAYINGS finds. One walk tells which of them find anything; in most texts none does."""
    numbers = _ANY_SAYING.Match(data) or ()
    return [
        {match[0] for match in saying.finditer(data)} if number in numbers else set()
        for number, saying in enumerate(_SAYINGS)
    ]


def _set_of(patterns: Sequence["re2._Regexp"]) -> "re2.Set":
    together = re2.Set.SearchSet()
    for pattern in patterns:
        together.Add(pattern.pattern)
    together.Compile()
    return together


_SAYINGS = (_ERROR_CLASS, _CODE, _STATUS)
_ANY_SAYING = _set_of(_SAYINGS)


def agreement(facts: Facts, evidence: Evidence) -> Agreement:
    """Compare one record with what the paste says."""
    path, line = _path_agreement(facts, evidence)
    home = ecosystems.of_record(facts) if evidence.ecosystems else None
    return Agreement(
        path=path,
        line=line,
        class_seen=facts.error_class is not None and _class_seen(facts.error_class, evidence.classes),
        code_seen=facts.error_code is not None and facts.error_code in evidence.codes,
        status_seen=facts.http_status is not None and facts.http_status in evidence.statuses,
        package=_package_agreement(facts, evidence),
        ecosystem=0 if home is None else 1 if home in evidence.ecosystems else -1,
    )


def _class_seen(error_class: str, seen: frozenset[str]) -> bool:
    return bool(error_class and seen) and class_name(error_class) in seen


@functools.lru_cache(maxsize=4096)
def class_name(error_class: str) -> str:
    """The last part of a qualified class name, in lower case: `anyhow::Error` is `error`."""
    return re.split(r"::|\.|\\|/", error_class)[-1].strip("<> ").lower()


def says_what_failed(name: str) -> bool:
    """Whether the name of a class, as `class_name` returns it, says more than that something failed."""
    return name not in _SAYS_NOTHING


_SAYS_NOTHING = frozenset({"", "error", "exception", "err", "warning", "value"})


@functools.lru_cache(maxsize=8192)
def repository_names(repo: str) -> frozenset[str]:
    """Names under which a paste may speak of a repository, in lower case."""
    owner, _, name = repo.lower().partition("/")
    names = {name, name.removesuffix(".js"), name.removesuffix(".py"), name.replace("-", "_"), name.replace("-", ".")}
    return _telling(names | {owner})


@functools.lru_cache(maxsize=8192)
def folder_names(file_path: str) -> frozenset[str]:
    """Folders of a path that are named like packages: those in `crates/`, `packages/`, `src/` and the like."""
    names: set[str] = set()
    for folder, package in itertools.pairwise(PurePosixPath(file_path.lower()).parts):
        if folder in _PACKAGE_FOLDERS and "." not in package:
            names |= {package, package.replace("_", "-"), package.replace("-", "_")}
    return _telling(names)


def _telling(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if len(name) >= _TELLING_NAME_LENGTH and name not in _COMMON_FOLDERS)


def _package_agreement(facts: Facts, evidence: Evidence) -> float:
    if not evidence.words.isdisjoint(repository_names(facts.repo)):
        return 1.0
    if facts.file_path and not evidence.words.isdisjoint(folder_names(facts.file_path)):
        return OF_FOLDER
    return 0.0


# Forks and copies share folders with what they were made from, but not its name.
OF_FOLDER = 0.6
_PACKAGE_FOLDERS = frozenset({"crates", "packages", "libs", "lib", "src", "modules", "plugins", "components"})
_COMMON_FOLDERS = frozenset(
    {
        "main",
        "core",
        "util",
        "utils",
        "common",
        "test",
        "tests",
        "java",
        "server",
        "client",
        "base",
        "commands",
        "internal",
    }
    | {
        "error",
        "errors",
        "types",
        "cmd",
        "http",
        "python",
        "build",
        "node",
        "model",
        "models",
        "config",
        "framework",
        "cli",
    }
    | {
        "docker",
        "command",
        "discord",
        "runtime",
        "tools",
        "helpers",
        "api",
        "data",
        "file",
        "files",
        "network",
        "store",
    }
)


def _path_agreement(facts: Facts, evidence: Evidence) -> tuple[int, bool]:
    if not facts.file_path or facts.file_path.rpartition("/")[2].lower() not in evidence.paths:
        return 0, False
    own = _parts(facts.file_path)
    best = (0, False)
    for seen in evidence.paths.get(own[-1], ()) if own else ():
        shared = 0
        for ours, theirs in zip(reversed(own), reversed(seen.parts), strict=False):
            if ours != theirs and not _same_package(ours, theirs):
                break
            shared += 1
        # Releases move lines about; only the very line is counted as agreeing.
        at_line = seen.line_number is not None and seen.line_number == facts.line_number
        best = max(best, (shared, at_line))
    return best


def _parts(path: str) -> tuple[str, ...]:
    """Folders and file in lower case."""
    return tuple(part for part in path.lower().split("/") if part not in {"", "."})


def _same_package(ours: str, theirs: str) -> bool:
    """A package folder as installed often carries its version: `burn-ir-0.19.0` is `burn-ir`."""
    return theirs.startswith(ours) and re.fullmatch(r"[-@]v?\d[\w.+-]*", theirs[len(ours) :]) is not None


def _words(text: bytes) -> frozenset[str]:
    """Names in the text in lower case, dotted and hyphenated ones also in parts and without version."""
    # A log says the same again and again: what stands between spaces is made single before names are looked for in it.
    singles = b" ".join(set(text.translate(_SPACED).split())).decode()
    found = {word for word in set(_WORD.findall(singles)) if len(word) <= _LONGEST_WORD}
    words = set("\n".join(found).lower().split("\n"))
    # One of one part has no others; a code or a constant mentions nobody by what it is made of.
    named = "\n".join([word for word in found if not (word.isalnum() or word.isupper())]).lower()
    words.update(_VERSION.sub("", named).split("\n"))
    words.update(named.replace("\n", ".").replace("_", ".").split("."))
    words.update(part for part in named.replace("\n", "-").split("-") if len(part) > _TELLING_NAME_LENGTH)
    words.discard("")
    return frozenset(words)
