"""Every pattern tried on a paste, and located in it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from bot.matching import pattern_tier
from bot.matching.expressions import Expression, expressions_of
from bot.matching.pattern_tier import Hit, confirm, scan
from bot.pastes.normalise import View
from tests.fakes import invented_facts
from tests.matching.by_hand import hits_in, reading_of, scanner_of

HOPPER = invented_facts("1" * 16, "hopper {id} starved while draining silo {silo}")
SLUICE = invented_facts("2" * 16, "the sluice is shut", related=("The weir {n} overflowed its banks",))
PARAGRAPHS = invented_facts("3" * 16, "no grain specified\n\n  either barley or rye must be present")


def only_hit(text: str) -> Hit:
    (hit,) = hits_in(text, HOPPER, SLUICE, PARAGRAPHS)
    return hit


def test_a_place_leads_back_to_the_original_line() -> None:
    """Line numbers count blank lines; the span covers the message and its values."""
    hit = only_hit("\n\nquiet\nError: Hopper 7 starved while draining silo North\nquiet")

    (place,) = hit.places
    assert (place.part, place.line.first, place.line.last) == (0, 3, 3)
    assert place.line.cased[place.start : place.end] == "Hopper 7 starved while draining silo North"


def test_captures_keep_their_case_and_carry_the_messages_names() -> None:
    """What a placeholder stood for is shown as it was printed, under the name the template gives it."""
    (place,) = only_hit("Hopper NorthEast starved while draining silo Silo-B").places

    assert [(capture.name, capture.value) for capture in place.captures] == [("id", "NorthEast"), ("silo", "Silo-B")]


def test_each_line_where_it_stands_is_a_place() -> None:
    """A log says its errors again and again; each is found once."""
    text = "hopper 1 starved while draining silo a\nquiet\nhopper 2 starved while draining silo b"

    assert [place.line.first for place in only_hit(text).places] == [0, 2]


def test_a_flood_of_one_message_gives_a_few_places() -> None:
    """Thousands of equal lines cost no more than a few."""
    text = "hopper 1 starved while draining silo a\n" * 5_000

    assert 1 <= len(only_hit(text).places) <= 10


def test_a_wrapped_message_is_found_over_its_lines() -> None:
    """The place names the first and the last line."""
    (place,) = only_hit("quiet\nhopper 1 starved\nwhile draining silo a\n").places

    assert place.view is not View.LINES
    assert (place.line.first <= 1, place.line.last) == (True, 2)


def test_joining_lines_does_not_swallow_the_paste() -> None:
    """A value over many joined lines is two things that were joined by mistake, not a hit."""
    filler = "\n".join(f"grain number {number} is fine" for number in range(12))

    assert hits_in(f"hopper 1\n{filler}\nstarved while draining silo a", HOPPER) == []


def test_a_message_of_several_lines_is_found_indented() -> None:
    """Blank lines between its paragraphs do not count, and neither does where they begin."""
    (place,) = only_hit("error: no grain specified\n\n      either barley or rye must be present\n").places

    assert (place.line.first, place.line.last) == (0, 2)


def test_escaped_text_is_read() -> None:
    """Inside one JSON log line, with quotes and line ends escaped (B1)."""
    places = only_hit(r'{"level":"error","msg":"panic\nhopper 1 starved while draining silo a\n  at x"}').places

    (place,) = (place for place in places if place.view is View.UNESCAPED)
    assert place.line.first == 0
    assert place.captures[-1].value == "a"


def test_a_related_error_is_told_from_the_records_own() -> None:
    """Both are found; which one it was is part of the hit."""
    assert [(hit.facts.id, hit.related) for hit in hits_in("the weir 3 overflowed its banks", SLUICE)] == [
        (SLUICE.id, True)
    ]
    assert [hit.related for hit in hits_in("the sluice is shut", SLUICE)] == [False]


def test_records_whose_facts_are_gone_are_left_out() -> None:
    """A record deleted between compiling and asking is no error."""
    found = scan(reading_of("the sluice is shut"), [scanner_of([SLUICE])])

    assert confirm(found, {}) == []


def test_a_record_that_changed_since_compiling_is_no_error() -> None:
    """A pattern that no longer exists is passed over."""
    found = scan(reading_of("the weir 3 overflowed its banks"), [scanner_of([SLUICE])])

    assert confirm(found, {SLUICE.id: invented_facts(SLUICE.id, "the sluice is shut")}) == []


def test_hits_are_ordered_by_id() -> None:
    """However the catalogue was ordered (A11)."""
    text = "the sluice is shut\nhopper 1 starved while draining silo a"

    assert hits_in(text, HOPPER, SLUICE) == hits_in(text, SLUICE, HOPPER)
    assert [hit.facts.id for hit in hits_in(text, SLUICE, HOPPER)] == [HOPPER.id, SLUICE.id]


@pytest.mark.parametrize("filler", ["a quiet line of a log", "x" * 300])
def test_the_end_of_a_large_log_is_read(filler: str) -> None:
    """A megabyte of other lines in front changes nothing (B1)."""
    text = f"{filler}\n" * (1_000_000 // len(filler)) + "hopper 1 starved while draining silo a"

    (place,) = only_hit(text).places

    assert place.line.first == text.count("\n")


@given(st.text(max_size=800), st.text(max_size=60))
def test_places_lie_inside_their_lines(text: str, value: str) -> None:
    """Whatever stands around the message and in its holes, positions are positions."""
    for hit in hits_in(f"{text}\nhopper {value} starved while draining silo {value}\n{text}", HOPPER):
        for place in hit.places:
            assert 0 <= place.start <= place.end <= len(place.line.cased)
            assert len(place.captures) <= 2


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60), st.text("aé ß.", max_size=10))
def test_a_message_without_values_stands_where_the_engine_finds_it(before: str, after: str) -> None:
    """It is looked for as it is, and one with values in bytes where all is ASCII: the places are the same."""
    for facts in (HOPPER, replace(HOPPER, message="the weir is dry", pattern="the weir is dry")):
        printed = facts.message.format(id=7, silo=3)
        reading = reading_of(f"{before} {printed} {after}")
        (expression, *_) = expressions_of(facts)
        for hit in confirm(scan(reading, [scanner_of([facts])]), {facts.id: facts}):
            for place in hit.places:
                found = re2.search(expression.regex, place.line.folded)
                assert found is not None
                assert (place.start, place.end) == found.span()


def test_repeats_behind_the_first_few_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that says one thing on every line is searched as far as places are kept, however long it is (E3)."""
    searched: list[str] = []

    def noting(expression: Expression) -> Callable[[str], Sequence[tuple[int, int]]]:
        found_in = spans_in(expression)
        assert found_in is not None

        def spans(text: str) -> Sequence[tuple[int, int]]:
            searched.append(text)
            return found_in(text)

        return spans

    spans_in = pattern_tier._spans_in
    monkeypatch.setattr(pattern_tier, "_spans_in", noting)
    hits = hits_in("\n".join(f"hopper {number} starved while draining silo a" for number in range(2_000)), HOPPER)

    assert [place.line.first for place in hits[0].places] == [0, 1, 2, 3, 4, 5]
    assert len(searched) < 50
