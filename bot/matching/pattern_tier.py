"""The exact tier: every pattern of the catalogue is tried on the paste, and what matches is located in it."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import islice

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
_SpansIn = Callable[[str], list[tuple[int, int]]]  # of a text: where an expression stands in it, and its groups
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
            self._following[spot] = _text_from(candidate.lines, candidate.number + 1)
        return self._following[spot]


def _text_from(lines: Sequence[Line], first: int) -> str:
    """As much of the text from this line on as one block may hold, and at most _MOST_FURTHER_LINES."""
    taken: list[str] = []
    size = 0
    for line in islice(lines, first, first + _MOST_FURTHER_LINES):
        taken.append(line.folded)
        size += len(line.folded) + 1
        if size > BLOCK_BYTES:
            break
    return "\n".join(taken)[:BLOCK_BYTES]


def _places(
    expression: Expression, found: Mapping[_Spot, Candidate], text_behind: Callable[[Candidate], str]
) -> list[Place]:
    spans_in = _spans_in(expression)
    places: list[Place] = []
    taken: set[tuple[int, int]] = set()
    for candidate in _with_further(expression, spans_in, found, text_behind):
        line = candidate.lines[candidate.number]
        if not expression.multiline and _is_taken(candidate, line, taken):
            continue
        place = _place(expression, spans_in, candidate)
        if place is None or _is_taken(candidate, place.line, taken):
            continue
        taken.update((place.part, number) for number in range(place.line.first, place.line.last + 1))
        places.append(place)
        if len(places) == _MOST_PLACES:
            break
    return sorted(places, key=lambda place: (place.part, place.line.first, place.start))


def _with_further(
    expression: Expression,
    spans_in: _SpansIn | None,
    found: Mapping[_Spot, Candidate],
    text_behind: Callable[[Candidate], str],
) -> Iterator[Candidate]:
    """The candidates and further lines behind each, ordered by view, part and line.

    Looked for as they are asked for: of a message that stands on every line, the first few are enough.
    """
    known = {(_ORDER[one.view], one.part, one.number): one for one in found.values()}
    waiting = sorted(known)
    while waiting:
        view, part, number = heappop(waiting)
        one = known[view, part, number]
        yield one
        if spans_in is None or expression.multiline or (one.view, part, number) not in found:
            continue
        for further in _further(expression, spans_in, number, text_behind(one)):
            if (view, part, further) not in known:
                known[view, part, further] = Candidate(one.key, one.part, one.view, one.lines, further)
                heappush(waiting, (view, part, further))


def _is_taken(candidate: Candidate, line: Line, taken: set[tuple[int, int]]) -> bool:
    """Whether the line was found before: a joined line says what its first line said already.

    An unescaped one shows where in it the message begins, and so is none of them.
    """
    if candidate.view is View.UNESCAPED:
        return False
    return any((candidate.part, number) in taken for number in range(line.first, line.last + 1))


def _further(expression: Expression, spans_in: _SpansIn, line: int, text: str) -> Iterator[int]:
    """The lines where the expression stands again in `text`, what follows this line: the scanner tells once a block.

    A traceback shows the line of source that raises before the message itself.
    """
    if not all(literal in text for literal in expression.literals):
        return  # the engine would find the same, and take a hundred times as long
    numbered = enumerate(text.split("\n"), start=line + 1)
    yield from islice((number for number, one in numbered if spans_in(one)), _MOST_PLACES)


def _place(expression: Expression, spans_in: _SpansIn | None, candidate: Candidate) -> Place | None:
    lines = candidate.lines
    if not expression.multiline:
        return _in_line(expression, spans_in, candidate, lines[candidate.number])
    first = max(0, candidate.number - _WINDOW_LINES)
    window = lines[first : candidate.number + _WINDOW_LINES + 1]
    joined = Line(
        "\n".join(line.folded for line in window),
        "\n".join(line.cased for line in window),
        window[0].first,
        window[-1].last,
        window[0].body,
    )
    place = _in_line(expression, spans_in, candidate, joined)
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


def _in_line(expression: Expression, spans_in: _SpansIn | None, candidate: Candidate, line: Line) -> Place | None:
    if spans_in is None:  # only the multi-pattern engine takes it, so the line is all that is known
        return Place(candidate.part, candidate.view, line, 0, len(line.cased), ())
    spans = spans_in(line.folded)
    if not spans:
        return None
    (start, end), holes = spans[0], spans[1:]
    captures = tuple(
        Capture(name, line.cased[slice(*hole)][:_MOST_CAPTURE])
        for hole, name in zip(holes, _names(expression, len(holes)), strict=True)
        if hole != (-1, -1)
    )
    if candidate.view in _WRAPPED and any(
        last - first > _MOST_CAPTURE_WRAPPED
        for first, last in holes
        if last < len(line.folded)  # what a last hole takes is the rest of the run, whatever it is
    ):
        return None
    return Place(candidate.part, candidate.view, line, start, end, captures)


def _spans_in(expression: Expression) -> _SpansIn | None:
    """What tells where in a text the expression and each of its groups stand; nothing where it does not.

    It remembers its texts, for a log says the same again and again. None where the linear-time engine refuses it.
    """
    regex = compiled(expression.regex)
    if regex is None:
        return None
    groups = regex.groups
    if groups == 0 and len(expression.literals) == 1 and not expression.multiline:
        return partial(_span_of_literal, expression.literals[0])

    @functools.cache
    def spans(text: str) -> list[tuple[int, int]]:
        if not all(literal in text for literal in expression.literals if "\n" not in literal):
            return []  # the engine would find the same, and take ten times as long
        # In bytes the engine answers three times as fast, and in ASCII their positions are those of the letters.
        found = regex.search(text.encode() if text.isascii() else text)
        return [found.span(group) for group in range(groups + 1)] if found else []

    return spans


def _span_of_literal(literal: str, text: str) -> list[tuple[int, int]]:
    """Without values a message is found as it is; a call of the engine takes twenty times as long."""
    start = text.find(literal)
    return [(start, start + len(literal))] if start >= 0 else []


def _names(expression: Expression, groups: int) -> Sequence[str]:
    """A name for each group: the message's own where they fit in number, else their position."""
    if len(expression.hole_names) == groups:
        return expression.hole_names
    return [str(number) for number in range(1, groups + 1)]
