"""Noise taken out of a text: what may differ between two pastes of one error gives way to placeholders."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import re2

from bot.errors import BotError

KEEP = "<keep>"
GONE = "<>"


class BadNoiseFile(BotError):
    """A list of masks or signs cannot be used; `line_number` is 1-based."""

    def __init__(self, name: str, line_number: int, why: str) -> None:
        super().__init__(f"{name}:{line_number}: {why}")
        self.name, self.line_number, self.why = name, line_number, why


@dataclass(frozen=True, slots=True)
class Mask:
    """A regex for noise, with its placeholder: `<word>`, or KEEP, or GONE."""

    placeholder: str
    regex: Any  # google-re2 ships no types


def mask(text: str, masks: tuple[Mask, ...]) -> str:
    """Return the text with every mask's noise replaced; masking that again changes nothing.

    Placeholders already in the text count as masked. Time grows with the text's length times the number of masks.
    """
    # What one mask leaves may be noise for another, between two placeholders above all. This ends, because every change
    # turns characters outside placeholders into placeholders or into nothing.
    while (once := _mask_once(text, masks)) != text:
        text = once
    return text


def read_masks(name: str, content: str) -> tuple[Mask, ...]:
    """The masks of a list in the form that noise/masks.txt explains. Raises BadNoiseFile."""
    masks = []
    for line_number, placeholder, regex in read_lines(name, content):
        if not (placeholder == GONE or re2.fullmatch(r"<[a-z]+>", placeholder)):
            raise BadNoiseFile(name, line_number, f"{placeholder!r} is not a placeholder such as <path>")
        if regex.search("") is not None:
            raise BadNoiseFile(name, line_number, "the regex matches nothing at all, and so everywhere")
        masks.append(Mask(placeholder, regex))
    return tuple(masks)


def read_lines(name: str, content: str) -> Iterator[tuple[int, str, Any]]:
    """(line number, word, compiled regex) of each line that is neither empty nor a comment. Raises BadNoiseFile."""
    for line_number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        word, tab, pattern = line.partition("\t")
        if not tab:
            raise BadNoiseFile(name, line_number, "there is no tab between word and regex")
        try:
            yield line_number, word, re2.compile(pattern)
        except re2.error as error:
            raise BadNoiseFile(name, line_number, f"RE2 refuses the regex: {error}") from error


@cache
def shipped_masks() -> tuple[Mask, ...]:
    """The masks of noise/masks.txt."""
    return read_masks("masks.txt", shipped_list("masks.txt"))


def shipped_list(name: str) -> str:
    """The text of a file in noise/."""
    return (files("bot.triage") / "noise" / name).read_text(encoding="utf-8")


def _mask_once(text: str, masks: tuple[Mask, ...]) -> str:
    # Pieces alternate in what may still be masked and what may not: placeholders and what a KEEP has matched.
    pieces = list(_apart(text, _placeholder(), placeholder=None))
    for each in masks:
        placeholder = None if each.placeholder == KEEP else each.placeholder
        pieces = [
            part
            for piece, is_open in pieces
            for part in (_apart(piece, each.regex, placeholder) if is_open else ((piece, False),))
        ]
    return "".join(piece for piece, _ in pieces)


@cache
def _placeholder() -> Any:
    return re2.compile(r"<[a-z]+>")


def _apart(text: str, regex: Any, placeholder: str | None) -> Iterator[tuple[str, bool]]:
    """The text around matches, open to other masks, and the matches, closed; `placeholder` stands for them if given."""
    end = 0
    for found in regex.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], True
        if found.end() > found.start():
            yield found.group() if placeholder is None else placeholder if placeholder != GONE else "", False
        end = found.end()
    if end < len(text):
        yield text[end:], True
