"""Pastes as people bring them, made from the catalogue's own messages and from the development pastes."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.records.template import Literal, parse_template
from tests.acceptance.tracebacks import TRACEBACKS

SEED = 7
SIZES = {"200 B": 200, "4 KB": 4_096, "64 KB": 65_536}
# One error in so many characters of a log.
ERROR_EVERY = 6_000
_FRAMES_KEPT = 12
_VALUES = ("north-7", "42", "/srv/app/config.yml", "berth", "0x1f", "ann", "timeout", "3.11")
_WORDS = (
    "cache", "warm", "worker", "request", "queue", "flush", "session", "batch", "shard", "retry", "lease", "commit", "page",
    "index", "tenant",
)  # fmt: skip
# Kinds of development pastes for which no pattern speaks: what they want is looked for among the nearest.
NEAREST_KINDS = ("paraphrase", "drifted", "negative-other-error")
_ASKED = ("anyone knows what this is? ", "got this after the update:\n", "help please\n", "")


def printed(message: str, choice: random.Random) -> str:
    """What a program prints from a record's message, its placeholders filled in."""
    pieces = [piece.text if isinstance(piece, Literal) else choice.choice(_VALUES) for piece in parse_template(message)]
    return "".join(pieces).strip()


def made(messages: Sequence[str], length: int, count: int) -> list[str]:
    """So many different pastes of about that many characters, each around messages of the catalogue.

    Up to 400 characters: a sentence and the message. Longer ones are logs in which an error stands every few
    thousand characters, with a dozen frames of a stack around it.
    """
    choice = random.Random(f"{SEED} {length}")
    make: Callable[[Sequence[str], int, random.Random], str] = _short if length <= 400 else _log
    return [make(messages, length, choice) for _ in range(count)]


def nearest_pastes(file: Path, count: int) -> list[str]:
    """Development pastes that are told in other words than a record's, evenly over the file."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [row["text"] for row in rows if row["kind"] in NEAREST_KINDS and len(row["text"]) < 2_000]
    return [texts[place] for place in drawn(len(texts), min(count, len(texts)))]


def drawn(total: int, count: int) -> list[int]:
    """So many places of `total`, evenly over all of them; a size is then a fair sample of the whole."""
    return [place * total // count for place in range(count)]


def _short(messages: Sequence[str], length: int, choice: random.Random) -> str:
    text = choice.choice(_ASKED) + printed(choice.choice(messages), choice)
    while len(text) < length:
        text += f"\n    at {choice.choice(_WORDS)}.{choice.choice(_WORDS)} (/app/src/{choice.choice(_WORDS)}.js:{choice.randint(1, 400)}:9)"
    return text[:length]


def _log(messages: Sequence[str], length: int, choice: random.Random) -> str:
    errors = max(1, length // ERROR_EVERY)
    at = {round((number + 0.5) * length / errors) for number in range(errors)}
    lines: list[str] = []
    size = 0
    while size < length:
        due = {place for place in at if place <= size}
        at -= due
        lines += _error(messages, choice) if due else [_ordinary(choice)]
        size = sum(map(len, lines)) + len(lines)
    return "\n".join(lines)[:length]


def _error(messages: Sequence[str], choice: random.Random) -> list[str]:
    form = TRACEBACKS[choice.choice(("python", "java", "javascript", "go", "rust"))]
    lines = form(printed(choice.choice(messages), choice)).split("\n")
    return lines if len(lines) <= 2 * _FRAMES_KEPT else [*lines[:_FRAMES_KEPT], *lines[-_FRAMES_KEPT:]]


def _ordinary(choice: random.Random) -> str:
    words = " ".join(choice.choices(_WORDS, k=choice.randint(3, 9)))
    level = choice.choice(("INFO", "INFO", "INFO", "DEBUG", "WARN"))
    clock = f"{choice.randint(0, 23):02d}:{choice.randint(0, 59):02d}:{choice.randint(0, 59):02d}"
    return f"2026-11-30T{clock}.{choice.randint(0, 999):03d}Z {level} [{choice.choice(_WORDS)}-{choice.randint(1, 9)}] {words} in {choice.randint(1, 900)} ms"
