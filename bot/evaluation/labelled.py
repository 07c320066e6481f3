"""Pastes of which somebody has written down which record answers them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.sources.capped_reading import opened
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json


@dataclass(frozen=True, slots=True)
class LabelledPaste:
    """A text and what should come of it.

    `gold` are the ids of the records that answer it, none where the bot has to stay silent; `acceptable` are ids that
    would be a right answer too. `kind` is the word figures are grouped by.
    """

    id: str
    text: str
    kind: str
    gold: tuple[str, ...] = ()
    acceptable: tuple[str, ...] = ()

    @property
    def right(self) -> frozenset[str]:
        """The ids that are no wrong answer."""
        return frozenset((*self.gold, *self.acceptable))


def read_labelled(path: Path) -> tuple[LabelledPaste, ...]:
    """All pastes of a file of JSON lines, gzipped or not, in its order; fields nobody here knows are left alone.

    Raises InvalidSource with every problem as "file:line: field: what was wrong".
    """
    problems: list[str] = []
    pastes: dict[str, LabelledPaste] = {}
    with opened(path) as reader:
        for number, line in enumerate(reader.lines(), start=1):
            if not line.strip():
                continue
            origin = f"{path}:{number}"
            try:
                paste = _decoded(parse_json(line, origin), origin)
            except InvalidSource as invalid:
                problems += invalid.problems
                continue
            if paste.id in pastes:
                problems.append(f"{origin}: id: {paste.id} stands already in this file")
            pastes[paste.id] = paste
    if not pastes and not problems:
        problems.append(f"{path}: document: is empty")
    if problems:
        raise InvalidSource(tuple(problems))
    return tuple(pastes.values())


def _decoded(document: object, origin: str) -> LabelledPaste:
    if not isinstance(document, dict):
        raise InvalidSource((f"{origin}: document: must be an object",))
    problems = [f"{origin}: {problem}" for problem in _problems(document)]
    if problems:
        raise InvalidSource(tuple(problems))
    return LabelledPaste(
        id=document["id"],
        text=document["text"],
        kind=document.get("kind", "paste"),
        gold=tuple(document["gold"]),
        acceptable=tuple(document.get("acceptable", ())),
    )


def _problems(document: Mapping[str, object]) -> Iterator[str]:
    for field in ("id", "text", "kind"):
        value = document.get(field, "paste" if field == "kind" else None)
        if not isinstance(value, str) or (field != "text" and not value):
            yield f"{field}: must be a text"
    for field in ("gold", "acceptable"):
        value = document.get(field, [] if field == "acceptable" else None)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            yield f"{field}: must be a list of record ids"
