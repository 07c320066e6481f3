"""How a match sits in its line, in numbers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching import features
from bot.matching.facts import Facts
from bot.matching.features import Examined, Examiner, Surroundings, surroundings
from bot.matching.pattern_ranking import rank
from bot.matching.pattern_tier import Place
from bot.pastes.error_signs import ErrorSigns
from tests.fakes import invented_facts
from tests.matching.by_hand import PATTERN_WEIGHTS, hits_in, reading_of

HOPPER = invented_facts("1" * 16, "hopper {id} starved while draining silo {silo}", error_class="HopperError")


def examined(text: str, facts: Facts = HOPPER) -> Examined:
    """The one hit of a record in a text, at its best place."""
    reading = reading_of(text)
    (hit,) = hits_in(text, facts)
    return Examiner(reading.evidence, {number: part.signs for number, part in enumerate(reading.parts)}).examine(hit)


@pytest.mark.parametrize(
    "line",
    [
        "hopper 7 starved while draining silo north",
        "HopperError: hopper 7 starved while draining silo north",
        "granary.errors.HopperError: hopper 7 starved while draining silo north",
        "2026-01-01 12:00:00,123 ERROR [main] granary.intake - hopper 7 starved while draining silo north",
        "thread 'main' panicked at 'hopper 7 starved while draining silo north', src/hopper.rs:15:9",
        "thread 'main' (4711) panicked at 'hopper 7 starved while draining silo north', src/hopper.rs:15:9",
        'called `Result::unwrap()` on an `Err` value: HopperError("hopper 7 starved while draining silo north")',
        "granary-1  | hopper 7 starved while draining silo north",
        "> hopper 7 starved while draining silo north",
    ],
)
def test_a_message_that_a_program_printed_starts_behind_a_label(line: str) -> None:
    """Behind nothing, a class, a prefix of a log or the head of a panic it begins where a message begins (B10)."""
    assert examined(line).features.starts == 1.0


def test_a_message_inside_a_sentence_does_not_start_there() -> None:
    """Words before it are prose (A4)."""
    features = examined(
        "yesterday I told you that hopper 7 starved while draining silo north because of the rain"
    ).features

    assert features.starts == 0.0
    assert features.prose > 0.5


def test_coverage_is_the_share_of_the_line_that_is_explained() -> None:
    """The label does not count, other words do."""
    whole = examined("HopperError: hopper 7 starved while draining silo north").features
    half = examined("we were at lunch and then the hopper 7 starved while draining silo north").features

    assert whole.coverage == 1.0
    assert half.coverage < 0.7


@pytest.mark.parametrize(
    ("line", "before", "other"),
    [
        ("HopperError: hopper 7 starved while draining silo north", 1.0, 0.0),
        ("granary.HopperError: hopper 7 starved while draining silo north", 1.0, 0.0),
        ("SiloError: hopper 7 starved while draining silo north", 0.0, 1.0),
        ("hopper 7 starved while draining silo north", 0.0, 0.0),
    ],
)
def test_the_class_before_the_message_speaks_for_or_against(line: str, before: float, other: float) -> None:
    """The record's own class before the message is evidence for it, another's against it (B12)."""
    features = examined(line).features

    assert (features.class_before, features.other_class_before) == (before, other)


def test_a_class_everybody_uses_speaks_less() -> None:
    """`Error:` before the message is worth half, and its absence nothing."""
    facts = invented_facts("1" * 16, HOPPER.message, error_class="Error")

    assert examined("Error: hopper 7 starved while draining silo north", facts).features.class_before == 0.5
    assert examined("TypeError: hopper 7 starved while draining silo north", facts).features.other_class_before == 0.0


def test_source_code_with_the_message_in_it_is_in_code() -> None:
    """`raise` with the message is where it comes from, not an error (A4)."""
    features = examined('    raise HopperError(f"hopper {x} starved while draining silo {y}")').features

    assert features.in_code == 1.0


def test_the_plainest_place_is_kept() -> None:
    """Where the message stands in code, in talk and in a panic, the panic is what is shown."""
    text = (
        'raise HopperError("hopper 7 starved while draining silo north")\n'
        "did you know that hopper 7 starved while draining silo north again\n\n\n\n"
        "HopperError: hopper 7 starved while draining silo north"
    )

    best = examined(text)

    assert best.place.line.first == 5
    assert best.features.class_before == 1.0


def test_a_long_value_is_a_share_of_the_match() -> None:
    """Where holes make up most of what matched, the pattern explains little."""
    short = examined("hopper 7 starved while draining silo 3").features.hole_share
    long = examined(f"hopper {'very long ' * 30}starved while draining silo 3").features.hole_share

    assert short < 0.1
    assert long > 0.8


def test_joined_lines_are_told() -> None:
    """A match over a wrapped line is worth less than one on a line."""
    assert examined("hopper 7 starved while\ndraining silo north").features.wrapped == 1.0
    assert examined("hopper 7 starved while draining silo north").features.wrapped == 0.0


def test_evidence_of_the_paste_becomes_numbers() -> None:
    """Path, line, package, code and status."""
    facts = invented_facts(
        "1" * 16,
        HOPPER.message,
        repo="siloworks/granary",
        file_path="crates/granary-bin/src/hopper.rs",
        line_number=15,
        error_code="HOPPER_E5",
        http_status=503,
    )

    features = examined(
        "thread 'main' panicked at crates/granary-bin/src/hopper.rs:15:9:\n"
        "hopper 7 starved while draining silo north\nHOPPER_E5, status: 503",
        facts,
    ).features

    assert (features.path, features.line, features.package) == (2.0, 1.0, 1.0)
    assert (features.code_seen, features.status_seen, features.same_ecosystem) == (1.0, 1.0, 1.0)
    assert features.near_sign == 1.0


def test_every_number_is_small() -> None:
    """Weights are comparable because features are."""
    for text in ("hopper 7 starved while draining silo north", f"x {'hopper a starved while draining silo ' * 40}"):
        assert all(-2.6 <= value <= 4 for value in examined(text).features)


def test_equal_places_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 230 records have one message; what stands around it is the same for all of them (E1)."""
    copies = [replace(HOPPER, id=f"{number:016x}", repo=f"owner/copy-{number}") for number in range(230)]
    text = "HopperError: hopper 7 starved while draining silo 3\nquiet\nhopper 8 starved while draining silo 4"
    looked: list[Place] = []

    def counted(place: Place, signs: ErrorSigns, *, opens_with_hole: bool = False) -> Surroundings:
        looked.append(place)
        return surroundings(place, signs, opens_with_hole=opens_with_hole)

    monkeypatch.setattr("bot.matching.features.surroundings", counted)
    ranked = rank(hits_in(text, *copies), reading_of(text), PATTERN_WEIGHTS)

    assert len(ranked) == 230
    assert len({one.logit for one in ranked}) == 1
    assert len(looked) == 2


@given(st.text("ab_:>|]=-' ([{.$Aé\t", max_size=12))
def test_where_a_message_starts_is_told_as_the_pattern_tells_it(before: str) -> None:
    """The short way comes to the same as the search."""
    assert features._starts_behind(before) == bool(features._LABEL_END.search(before))


@pytest.mark.parametrize(
    "before", ["thread 'main' panicked at '", "ValueError('", "logger - ", "a.b - ", "well - ", "x -", "it's "]
)
def test_where_a_message_starts_is_told_for_labels_without_a_colon(before: str) -> None:
    """The same, for what is not drawn by chance."""
    assert features._starts_behind(before) == bool(features._LABEL_END.search(before))
