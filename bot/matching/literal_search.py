"""Literals with values between them, found in a line as a regex engine would find them, in a tenth of its time.

A message is fixed words with values between, each as short as it can be. So each literal is looked for behind the one
before it, and where one is missing, no later place of those before it helps. An engine has to be built for every
expression, in which most are met once, and it is called through four layers of Python.
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple


class Hole(Enum):
    """What follows a literal, with its regex."""

    NOTHING = ""
    VALUE = "(.*?)"
    VALUE_OR_NOTHING = "(?: (.*?))?"  # the literal behind it begins with a space of its own
    REST = "(.*)"
    REST_OR_NOTHING = "(?: (.*))?"


class Step(NamedTuple):
    """A literal, never empty, and what follows it; what is followed by nothing or a rest is the last."""

    literal: str
    hole: Hole


Span = tuple[int, int]
_NOT_THERE = (-1, -1)


def spans_of(steps: Sequence[Step], line: str) -> list[Span]:
    """Where the steps stand in the line, and then where each value does, (-1, -1) for one left out; [] where nowhere.

    The same as what RE2 finds for the regex of the steps in a line without line feeds.
    """
    spans: list[Span] = []
    position = first = 0  # where the next literal is looked for, and where the value before it begins
    values_left_out = False
    for literal, hole in steps:
        begin = line.find(literal, position)
        while hole is Hole.VALUE_OR_NOTHING and begin >= 0 and not line.startswith(" ", begin + len(literal)):
            begin = line.find(literal, begin + 1)
        if begin < 0:
            return _searched(steps, line) if values_left_out and literal in line else []
        spans.append((first, begin))
        position = first = begin + len(literal)
        if hole is Hole.VALUE_OR_NOTHING:  # if all is found with a value here, that is what the engine finds first
            values_left_out = True
            position = first = position + 1
    whole = spans[0][1]
    if hole is Hole.NOTHING:
        return [(whole, position), *spans[1:]]
    if hole is Hole.REST_OR_NOTHING:
        if not line.startswith(" ", position):
            return [(whole, position), *spans[1:], _NOT_THERE]
        first += 1
    return [(whole, len(line)), *spans[1:], (first, len(line))]


def _searched(steps: Sequence[Step], line: str) -> list[Span]:
    """The same, where one of the values that may be left out has to be for all to be found."""
    found = _Search(steps, line).found_from(0, 0)
    if found is None:
        return []
    begin, end, values = found
    return [(begin, end), *reversed(values)]


class _Search:
    """One search in one line. Values are noted last one first."""

    def __init__(self, steps: Sequence[Step], line: str) -> None:
        self._steps, self._line = steps, line
        # From where on each step with what follows it is known not to be found, so that no way is gone twice.
        self._missing = [len(line) + 1] * len(steps)

    def found_from(self, number: int, position: int) -> tuple[int, int, list[Span]] | None:
        """Where this step and those behind it are found first at or behind this position: begin, end, values."""
        if position >= self._missing[number]:
            return None
        line, (literal, hole) = self._line, self._steps[number]
        begin = line.find(literal, position)
        if hole is Hole.VALUE_OR_NOTHING:  # a space follows in any case
            while begin >= 0 and not line.startswith(" ", begin + len(literal)):
                begin = line.find(literal, begin + 1)
        if begin >= 0 and (behind := self._behind(number, begin + len(literal))) is not None:
            return begin, *behind
        self._missing[number] = position
        return None

    def _behind(self, number: int, position: int) -> tuple[int, list[Span]] | None:
        """What follows this step's literal, which ends here: the end of all, and the values."""
        line, hole = self._line, self._steps[number].hole
        if hole is Hole.NOTHING:
            return position, []
        if hole is Hole.REST:
            return len(line), [(position, len(line))]
        spaced = line.startswith(" ", position)
        if hole is Hole.REST_OR_NOTHING:
            return (len(line), [(position + 1, len(line))]) if spaced else (position, [_NOT_THERE])
        first = position + (hole is Hole.VALUE_OR_NOTHING)
        if hole is Hole.VALUE or spaced:
            found = self.found_from(number + 1, first)
            if found is not None:
                begin, end, values = found
                values.append((first, begin))
                return end, values
        following = self._steps[number + 1].literal
        if hole is Hole.VALUE_OR_NOTHING and line.startswith(following, position):
            behind = self._behind(number + 1, position + len(following))
            if behind is not None:
                behind[1].append(_NOT_THERE)
                return behind
        return None
