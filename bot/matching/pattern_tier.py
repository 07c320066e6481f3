"""The exact tier: every pattern of the catalogue is tried on the paste, and what matches is located in it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import re2

from bot.matching.expressions import Expression, compiled, expressions_of, related_expressions
from bot.matching.facts import Facts
from bot.matching.line_blocks import BLOCK_BYTES
from bot.matching.reading import Reading
from bot.matching.scanner import RELATED, Key, Scanner
from bot.matching.verdict import Capture
from bot.pastes.normalise import Line, View

# Where one message stands many times in a log, a few places are enough to find the evidence around it.
_MOST_PLACES = 6
_WINDOW_LINES = 8
_MOST_FURTHER_LINES = 100
_MOST_CAPTURE = 2_000
# Joining lines is a guess; a value longer than this is two things that were joined by mistake.
_MOST_CAPTURE_WRAPPED = 160
_WRAPPED = frozenset({View.WRAPPED_SOFT, View.WRAPPED_HARD, View.WRAPPED_AT_WIDTH})


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression matched: a part of the paste, its original lines (0-based), the line as matched.

    `start` and `end` are positions in `line.cased`; `captures` are what the holes stood for there.
    """

    part: int
    view: View
    line: Line
    start: int
    end: int
    captures: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A record with an expression that matched, and the places where it did, in the order of the paste."""

    facts: Facts
    expression: Expression
    related: bool
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place the scanner pointed at, before the linear-time engine has looked."""

    key: Key
    part: int
    view: View
    lines: Sequence[Line]
    number: int


def scan(reading: Reading, scanners: Sequence[Scanner]) -> dict[str, list[Candidate]]:
    """What may match, by record id. Pure computation: run it in a thread."""
    found: dict[str, list[Candidate]] = defaultdict(list)
    for part, read in enumerate(reading.parts):
        for view, lines in read.views:
            folded = [line.folded for line in lines]
            for scanner in scanners:
                for key, number in scanner.candidates(folded):
                    found[key.record_id].append(Candidate(key, part, view, lines, number))
    return dict(found)


def confirm(found: Mapping[str, Sequence[Candidate]], facts: Mapping[str, Facts]) -> list[Hit]:
    """The candidates that do match, ordered by record id. Records whose facts are gone are left out."""
    locator = _Locator()
    return [
        hit
        for record_id in sorted(found)
        if record_id in facts
        for hit in _confirmed(facts[record_id], found[record_id], locator)
    ]


def _confirmed(facts: Facts, candidates: Sequence[Candidate], locator: "_Locator") -> Iterator[Hit]:
    by_ordinal: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_ordinal[candidate.key.ordinal].append(candidate)
    own = expressions_of(facts)
    related = related_expressions(facts) if any(ordinal >= RELATED for ordinal in by_ordinal) else ()
    for ordinal in sorted(by_ordinal):
        expressions, index = (related, ordinal - RELATED) if ordinal >= RELATED else (own, ordinal)
        if index >= len(expressions):
            continue  # the record changed after the patterns were compiled; the next build knows
        expression = expressions[index]
        places = locator.places(expression, by_ordinal[ordinal])
        if places:
            yield Hit(facts, expression, ordinal >= RELATED, places)


_Spot = tuple[View, int, int]  # view, part and number of a line
_ORDER = {view: number for number, view in enumerate(View)}


class _Locator:
    """Finds the places of expressions in one paste, each once.

    Projects copy files, so up to two hundred records have one message, and a log says its errors again and again.
    """

    def __init__(self) -> None:
        self._places: dict[tuple[Expression, frozenset[_Spot]], tuple[Place, ...]] = {}
        self._following: dict[_Spot, str] = {}

    def places(self, expression: Expression, candidates: Sequence[Candidate]) -> tuple[Place, ...]:
        """Where the expression matches of these candidates and of the lines behind them, in the order of the paste."""
        known = {(one.view, one.part, one.number): one for one in candidates}
        key = (expression, frozenset(known))
        if key not in self._places:
            self._places[key] = tuple(_places(expression, known, self._text_behind))
        return self._places[key]

    def _text_behind(self, candidate: Candidate) -> str:
        spot = (candidate.view, candidate.part, candidate.number)
        if spot not in self._following:
            following = candidate.lines[candidate.number + 1 : candidate.number + 1 + _MOST_FURTHER_LINES]
            self._following[spot] = "\n".join(line.folded for line in following)[:BLOCK_BYTES]
        return self._following[spot]


def _places(
    expression: Expression, found: Mapping[_Spot, Candidate], text_behind: Callable[[Candidate], str]
) -> list[Place]:
    regex = compiled(expression.regex)
    places: list[Place] = []
    taken: set[tuple[int, int]] = set()
    known = dict(found)
    if regex is not None and not expression.multiline:
        for one in found.values():
            for number in _further(expression, regex, one.number, text_behind(one)):
                if (one.view, one.part, number) not in known:
                    known[one.view, one.part, number] = Candidate(one.key, one.part, one.view, one.lines, number)
    for candidate in sorted(known.values(), key=lambda one: (_ORDER[one.view], one.part, one.number)):
        place = _place(expression, regex, candidate)
        if place is None:
            continue
        # A joined line says what its first line said already; an unescaped one shows where in it the message begins.
        covered = {(place.part, number) for number in range(place.line.first, place.line.last + 1)}
        if place.view is not View.UNESCAPED and not covered.isdisjoint(taken):
            continue
        taken.update(covered)
        places.append(place)
        if len(places) == _MOST_PLACES:
            break
    return sorted(places, key=lambda place: (place.part, place.line.first, place.start))


def _further(expression: Expression, regex: "re2._Regexp", line: int, text: str) -> Iterator[int]:
    """The lines where the expression stands again in `text`, what follows this line: the scanner tells once a block.

    A traceback shows the line of source that raises before the message itself.
    """
    if not all(literal in text for literal in expression.literals):
        return  # the engine would find the same, and take a hundred times as long
    position, places = 0, 0
    while places < _MOST_PLACES and (found := regex.search(text, position)) is not None:
        line_end = text.find("\n", found.end())
        yield line + 1 + text.count("\n", 0, found.start())
        if line_end < 0:
            return
        position, places = line_end + 1, places + 1


def _place(expression: Expression, regex: "re2._Regexp | None", candidate: Candidate) -> Place | None:
    lines = candidate.lines
    if not expression.multiline:
        return _in_line(expression, regex, candidate, lines[candidate.number])
    first = max(0, candidate.number - _WINDOW_LINES)
    window = lines[first : candidate.number + _WINDOW_LINES + 1]
    joined = Line(
        "\n".join(line.folded for line in window),
        "\n".join(line.cased for line in window),
        window[0].first,
        window[-1].last,
        window[0].body,
    )
    place = _in_line(expression, regex, candidate, joined)
    if place is None:
        return None
    before = joined.folded.count("\n", 0, place.start)
    inside = joined.folded.count("\n", 0, place.end)
    begin = sum(len(line.folded) + 1 for line in window[:before])
    end = begin + sum(len(line.folded) + 1 for line in window[before : inside + 1]) - 1
    covered = Line(
        joined.folded[begin:end],
        joined.cased[begin:end],
        window[before].first,
        window[inside].last,
        window[before].body,
    )
    return Place(place.part, place.view, covered, place.start - begin, place.end - begin, place.captures)


def _in_line(expression: Expression, regex: "re2._Regexp | None", candidate: Candidate, line: Line) -> Place | None:
    if regex is None:  # only the multi-pattern engine takes it, so the line is all that is known
        return Place(candidate.part, candidate.view, line, 0, len(line.cased), ())
    found = regex.search(line.folded)
    if found is None:
        return None
    captures = tuple(
        Capture(name, line.cased[slice(*found.span(group))][:_MOST_CAPTURE])
        for group, name in enumerate(_names(expression, found.re.groups), start=1)
        if found.span(group) != (-1, -1)
    )
    if candidate.view in _WRAPPED and any(
        found.end(group) - found.start(group) > _MOST_CAPTURE_WRAPPED
        for group in range(1, found.re.groups + 1)
        if found.end(group) < len(line.folded)  # what a last hole takes is the rest of the run, whatever it is
    ):
        return None
    return Place(candidate.part, candidate.view, line, found.start(), found.end(), captures)


def _names(expression: Expression, groups: int) -> Sequence[str]:
    """A name for each group: the message's own where they fit in number, else their position."""
    if len(expression.hole_names) == groups:
        return expression.hole_names
    return [str(number) for number in range(1, groups + 1)]
