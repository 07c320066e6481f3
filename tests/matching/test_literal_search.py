"""Literals with values between them are found where the engine finds them."""

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matching.expressions import Expression, expressions_of
from bot.matching.literal_search import Hole, Step, spans_of
from tests.fakes import invented_facts

# Few letters, so that literals occur again, overlap each other and stand beside the spaces that may be missing.
PIECES = st.text("ab ", min_size=1, max_size=3)
MESSAGES = st.lists(st.one_of(PIECES, st.just("{x}")), min_size=1, max_size=7).map("".join)


def by_engine(expression: Expression, line: str) -> list[tuple[int, int]]:
    regex = re2.compile(expression.regex)
    found = regex.search(line)
    return [found.span(group) for group in range(regex.groups + 1)] if found else []


@settings(max_examples=500)
@given(MESSAGES, st.lists(st.text("ab ", max_size=24), min_size=1, max_size=6))
def test_a_line_is_read_as_the_engine_reads_it(message: str, lines: list[str]) -> None:
    """Whether it matches, where, and what each value stands for: the same as RE2 with the pattern's regex."""
    for expression in expressions_of(invented_facts("0" * 16, message)):
        assert expression.steps
        for line in [*lines, message, message.replace("{x}", " "), message.replace("{x}", "ab")]:
            assert spans_of(expression.steps, line) == by_engine(expression, line)


@pytest.mark.parametrize(
    ("message", "line", "spans"),
    [
        ("no file", "there is no file", [(9, 16)]),
        ("file {x} missing", "filename: file a missing", [(10, 24), (15, 16)]),
        ("file {x} missing", "file missing", [(0, 12), (-1, -1)]),
        ("file {x} missing", "file  missing", [(0, 13), (5, 5)]),
        ("file {x} missing", "file a, file missing missing", [(0, 20), (5, 12)]),
        ("got {x}", "got", [(0, 3), (-1, -1)]),
        ("got {x}", "got a b", [(0, 7), (4, 7)]),
        ("code={x}", "code=", [(0, 5), (5, 5)]),
        ("a {x} b {y} c", "a b c", [(0, 5), (-1, -1), (-1, -1)]),
        ("a {x} b", "b a", []),
    ],
)
def test_values_are_as_short_as_they_can_be(message: str, line: str, spans: list[tuple[int, int]]) -> None:
    """All but the last; one between two spaces may be missing with one of them."""
    (expression,) = expressions_of(invented_facts("0" * 16, message))

    assert spans_of(expression.steps, line) == spans == by_engine(expression, line)


def test_a_pattern_of_many_values_takes_no_time_to_miss() -> None:
    """No way is gone twice: with two ways at each of fifty values it would never end (E3)."""
    steps = [Step("a", Hole.VALUE_OR_NOTHING), *[Step(" a", Hole.VALUE_OR_NOTHING)] * 50, Step(" b", Hole.NOTHING)]

    assert spans_of(steps, f"b{' a' * 400}") == []


@pytest.mark.parametrize("message", ["first line {x}\nsecond line", "a {x} b " * 200])
def test_what_is_too_much_for_the_search_is_left_to_the_engine(message: str) -> None:
    """Several lines, and more values than any message has, which it would call itself too often for."""
    assert [expression.steps for expression in expressions_of(invented_facts("0" * 16, message))] == [()]
