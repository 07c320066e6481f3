"""The exact tier: every pattern of the catalogue is tried on the paste, and what matches is located in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bot.matching.expressions import Expression, compiled, expressions_of, related_expressions
from bot.matching.facts import Facts
from bot.matching.line_blocks import LineText
from bot.matching.literal_search import spans_of
from bot.matching.reading import Reading
from bot.matching.scanner import RELATED, Scanner
from bot.matching.verdict import Capture
from bot.pastes.normalise import Line, View

# Where one message stands many times in a log, a few places are enough to find the evidence around it.
_MOST_PLACES = 6
_WINDOW_LINES = 8
_MOST_CAPTURE = 2_000
# Joining lines is a guess; a value longer than this is two things that were joined by mistake.
_MOST_CAPTURE_WRAPPED = 160
_WRAPPED = frozenset({View.WRAPPED_SOFT, View.WRAPPED_HARD, View.WRAPPED_AT_WIDTH})


# Of these and of what is made of them a paste has dozens: a frozen dataclass takes three times as long to make.
class Place(NamedTuple):
    """Where an expression matched: a part of the paste, its original lines (0-based), the line as matched.

    `start` and `end` are positions in `line.cased`; `captures` are what the holes stood for there.
    """

    part: int
    view: View
    line: Line
    start: int
    end: int
    captures: tuple[Capture, ...]


class Hit(NamedTuple):
    """A record with an expression that matched, and the places where it did, in the order of the paste."""

    facts: Facts
    expression: Expression
    related: bool
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Viewed:
    """A view of a part of the paste, as the scanners read it."""

    part: int
    view: View
    lines: Sequence[Line]
    text: LineText
    order: tuple[int, int]  # earlier views are preferred, and in them earlier parts


class Sighting(NamedTuple):
    """Where a scanner saw what may be a match, before anything exact has looked: on `line`, and maybe up to `end`."""

    viewed: Viewed
    line: int
    end: int


class Candidate(NamedTuple):
    """An expression of a record that may match; copies of a record share the list of its sightings."""

    ordinal: int
    sightings: list[Sighting]


def scan(reading: Reading, scanners: Sequence[Scanner]) -> dict[str, list[Candidate]]:
    """What may match, by record id. Pure computation: run it in a thread."""
    every = [
        Viewed(part, view, lines, LineText([line.folded for line in lines]), (_ORDER[view], part))
        for part, read in enumerate(reading.parts)
        for view, lines in read.views
    ]
    found: dict[str, list[Candidate]] = {}
    for scanner in scanners:
        sightings: dict[int, list[Sighting]] = {}
        for viewed in every:
            for number, line, end in scanner.spots(viewed.text):
                sightings.setdefault(number, []).append(Sighting(viewed, line, end))
        for number, seen in sightings.items():
            for record_id, ordinal in scanner.keys(number):
                found.setdefault(record_id, []).append(Candidate(ordinal, seen))
    return found


def confirm(found: Mapping[str, Sequence[Candidate]], facts: Mapping[str, Facts]) -> list[Hit]:
    """The candidates that do match, ordered by record id. Records whose facts are gone are left out."""
    locator = _Locator()
    hits: list[Hit] = []
    for record_id in sorted(found):
        one = facts.get(record_id)
        if one is None:
            continue
        candidates = found[record_id]
        for candidate in candidates if len(candidates) == 1 else sorted(candidates, key=_ordinal):
            is_related = candidate.ordinal >= RELATED
            expressions = related_expressions(one) if is_related else expressions_of(one)
            index = candidate.ordinal - RELATED if is_related else candidate.ordinal
            if index >= len(expressions):
                continue  # the record changed after the patterns were compiled; the next build knows
            places = locator.places(expressions[index], candidate.sightings)
            if places:
                hits.append(Hit(one, expressions[index], is_related, places))
    return hits


def _ordinal(candidate: Candidate) -> int:
    return candidate.ordinal


_SpansIn = Callable[[str], Sequence[tuple[int, int]]]  # of a text: where an expression stands in it, and its groups
_ORDER = {view: number for number, view in enumerate(View)}


class _Locator:
    """Finds the places of expressions in one paste, each once: projects copy files, so up to 230 records have one."""

    def __init__(self) -> None:
        # Both are the same objects for all copies, and kept here, so that no other object gets their place in memory.
        self._places: dict[tuple[int, int], tuple[list[Sighting], Expression, tuple[Place, ...]]] = {}

    def places(self, expression: Expression, sightings: list[Sighting]) -> tuple[Place, ...]:
        """Where the expression matches of what was sighted, in the order of the paste."""
        key = (id(sightings), id(expression))
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = sightings, expression, tuple(_places(expression, sightings))
        return known[2]


def _places(expression: Expression, sightings: Sequence[Sighting]) -> list[Place]:
    spans_in = _spans_in(expression)
    places: list[Place] = []
    taken: set[tuple[int, int]] = set()
    for viewed, number in _lines(expression, sightings):
        if expression.multiline:
            place = _over_lines(expression, spans_in, viewed, number)
        elif _is_taken(viewed, viewed.lines[number], taken):
            continue
        else:
            place = _in_line(expression, spans_in, viewed, viewed.lines[number])
        if place is None or _is_taken(viewed, place.line, taken):
            continue
        taken.update((place.part, original) for original in range(place.line.first, place.line.last + 1))
        places.append(place)
        if len(places) == _MOST_PLACES:
            break
    return sorted(places, key=_where) if len(places) > 1 else places


def _where(place: Place) -> tuple[int, int, int]:
    return place.part, place.line.first, place.start


def _lines(expression: Expression, sightings: Sequence[Sighting]) -> Iterator[tuple[Viewed, int]]:
    """The lines to look at, ordered by view, part and number.

    Looked for as they are asked for: of a message that stands on every line, the first few are enough.
    """
    if not expression.simple or expression.multiline:
        spots = {(seen.viewed.order, seen.line): seen.viewed for seen in sightings}
        yield from ((spots[order, number], number) for order, number in sorted(spots))
        return
    literals = [
        step.literal for step in expression.steps
    ] or expression.literals  # those of the steps have their spaces
    longest = max(literals, key=len)
    at: Viewed | None = None
    following = 0
    for seen in sightings if len(sightings) == 1 else sorted(sightings, key=_paste_order):
        if seen.viewed is not at:
            at, following = seen.viewed, 0
        # The scanner tells once a block, of the literal; a traceback shows the line of source that raises before the
        # message itself.
        while (number := at.text.next_with(longest, max(seen.line, following), seen.end)) is not None:
            yield at, number
            following = number + 1
        following = max(following, seen.end)


def _paste_order(seen: Sighting) -> tuple[tuple[int, int], int]:
    return seen.viewed.order, seen.line


def _is_taken(viewed: Viewed, line: Line, taken: set[tuple[int, int]]) -> bool:
    """Whether the line was found before: a joined line says what its first line said already.

    An unescaped one shows where in it the message begins, and so is none of them.
    """
    if not taken or viewed.view is View.UNESCAPED:
        return False
    return any((viewed.part, number) in taken for number in range(line.first, line.last + 1))


def _over_lines(expression: Expression, spans_in: _SpansIn | None, viewed: Viewed, number: int) -> Place | None:
    window = viewed.lines[max(0, number - _WINDOW_LINES) : number + _WINDOW_LINES + 1]
    joined = Line(
        "\n".join(line.folded for line in window),
        "\n".join(line.cased for line in window),
        window[0].first,
        window[-1].last,
        window[0].body,
    )
    place = _in_line(expression, spans_in, viewed, joined)
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


def _in_line(expression: Expression, spans_in: _SpansIn | None, viewed: Viewed, line: Line) -> Place | None:
    if spans_in is None:  # only the multi-pattern engine takes it, so the line is all that is known
        return Place(viewed.part, viewed.view, line, 0, len(line.cased), ())
    spans = spans_in(line.folded)
    if not spans:
        return None
    (start, end), holes = spans[0], spans[1:]
    if not holes:
        return Place(viewed.part, viewed.view, line, start, end, ())
    captures = tuple(
        Capture(name, line.cased[slice(*hole)][:_MOST_CAPTURE])
        for hole, name in zip(holes, _names(expression, len(holes)), strict=True)
        if hole != (-1, -1)
    )
    if viewed.view in _WRAPPED and any(
        last - first > _MOST_CAPTURE_WRAPPED
        for first, last in holes
        if last < len(line.folded)  # what a last hole takes is the rest of the run, whatever it is
    ):
        return None
    return Place(viewed.part, viewed.view, line, start, end, captures)


def _spans_in(expression: Expression) -> _SpansIn | None:
    """What tells where in a text the expression and each of its groups stand; nothing where it does not.

    None where the linear-time engine refuses it.
    """
    if expression.steps:
        return partial(spans_of, expression.steps)
    regex = compiled(expression.regex)
    if regex is None:
        return None
    groups = range(regex.groups + 1)

    def spans(text: str) -> list[tuple[int, int]]:
        if not all(literal in text for literal in expression.literals if "\n" not in literal):
            return []  # the engine would find the same, and take ten times as long
        # In bytes the engine answers three times as fast, and in ASCII their positions are those of the letters.
        found = regex.search(text.encode() if text.isascii() else text)
        return [found.span(group) for group in groups] if found else []

    return spans


def _names(expression: Expression, groups: int) -> Sequence[str]:
    """A name for each group: the message's own where they fit in number, else their position."""
    if len(expression.hole_names) == groups:
        return expression.hole_names
    return [str(number) for number in range(1, groups + 1)]
