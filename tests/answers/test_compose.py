"""An answer says enough, in its place, in the reader's language."""

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.answers.answer import Certainty
from bot.answers.cleaning import clean_line
from bot.answers.compose import (
    CAPTURE_VALUE_LENGTH,
    candidate_of,
    compose,
    compose_candidate,
    compose_lookup,
    solutions,
    title,
)
from bot.answers.cutting import length
from bot.answers.plain_text import Kind, answer_blocks, as_text
from bot.locales.words import Words
from bot.matching.verdict import Because, Capture, Match, Quote, Reason, Tier, Verdict
from bot.pastes.paste import Skipped, SkippedPart
from bot.records.entry import Entry
from tests.sample_entries import EXACT, GRADIENT_SYNC, GUESS, SERVER_DISCONNECTED
from tests.strategies import answered_entries

ENGLISH, GERMAN = Words.for_language("en"), Words.for_language("de")


def verdict_of(match: Match) -> Verdict:
    return Verdict((match,), (), is_error=True, why_error="", shown=True)


def test_a_pattern_match_is_exact() -> None:
    """D4: the answer is called exact and shows the line that made it."""
    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    assert answer.certainty is Certainty.EXACT
    assert answer.percent is None
    assert answer.quote is not None
    assert answer.quote.startswith("thread 'main' panicked at crates/burn-remote")


def test_a_nearest_match_is_a_guess_with_its_likelihood() -> None:
    """D4: a guess says that it is one, and how likely."""
    answer = compose(GUESS, GRADIENT_SYNC, ENGLISH)

    assert (answer.certainty, answer.percent) == (Certainty.GUESS, 63)
    assert "nearest" in answer.how


def test_a_related_match_says_that_it_is_only_related() -> None:
    """A page that merely lists the posted error as related is not called exact."""
    answer = compose(verdict_of(Match(GRADIENT_SYNC.id, Tier.PATTERN, 0.9, (), related=True)), GRADIENT_SYNC, ENGLISH)

    assert answer.certainty is Certainty.RELATED
    assert not answer.exact
    assert answer.how == ENGLISH("card-how-related")


@pytest.mark.parametrize(("probability", "percent"), [(0.0, 1), (0.004, 1), (0.63, 63), (0.999, 99), (1.0, 99)])
def test_a_likelihood_is_never_put_as_certainty(probability: float, percent: int) -> None:
    """An estimate is neither 0 nor 100 %."""
    assert candidate_of(Match("0" * 16, Tier.NEAREST, probability, ())).percent == percent


def test_steps_keep_their_order_and_the_rest_is_counted() -> None:
    """D6, D2: the first solutions in order; what is left out is said."""
    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    assert answer.steps == SERVER_DISCONNECTED.solutions[: len(answer.steps)]
    assert 1 <= len(answer.steps) <= 3
    assert answer.hidden_steps == len(SERVER_DISCONNECTED.solutions) - len(answer.steps)
    assert "more steps behind" in as_text(answer_blocks(answer, ENGLISH))


def test_the_meaning_is_one_or_two_whole_sentences() -> None:
    """D3: the explanation ends where a sentence does."""
    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    assert SERVER_DISCONNECTED.documentation.startswith(answer.meaning)
    assert answer.meaning.endswith(".")


def test_other_errors_are_counted_not_shown() -> None:
    """C1: further errors of the log are a number and what a button needs."""
    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    assert answer.more_count == 2
    assert [other.record_id for other in answer.others] == ["c680d5d5ffa880ce", "a120b3c55ead9138"]
    assert [candidate.record_id for candidate in answer.candidates] == [GRADIENT_SYNC.id]


def test_what_was_not_read_is_named_below() -> None:
    """B4: one line with reasons, in the channel and in the terminal; an answer to all of a paste has none."""
    skipped = (SkippedPart("z/README.md", Skipped.NOT_A_LOG), SkippedPart("core", Skipped.DUMP))

    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH, skipped)

    assert answer.not_read == "Not read: core (a memory dump), z/README.md (no log)"
    assert answer.not_read in as_text(answer_blocks(answer, ENGLISH)).splitlines()
    assert compose(EXACT, SERVER_DISCONNECTED, ENGLISH).not_read == ""


def test_secrets_in_lines_and_values_are_redacted() -> None:
    """F1, D5: a quoted line, a captured value and a reason are redacted and bounded once more on the way out."""
    quote = Quote("connect failed for postgres://bob:hunter2@db.example.com/app", 0, 1)
    captures = (Capture("{url}", "postgres://bob:hunter2@db.example.com/app " + "x" * 500),)

    answer = compose(
        verdict_of(
            Match(
                GRADIENT_SYNC.id, Tier.PATTERN, 0.9, (Reason(Because.CLASS_SEEN, "bob@example.com"),), quote, captures
            )
        ),
        GRADIENT_SYNC,
        ENGLISH,
    )

    said = as_text(answer_blocks(answer, ENGLISH))
    assert "hunter2" not in said
    assert "bob@example.com" not in said
    assert length(answer.captures[0].value) <= CAPTURE_VALUE_LENGTH


def test_the_interface_is_german_where_people_read_german() -> None:
    """The bot's own words are translated, the record's stay as they are."""
    said = as_text(answer_blocks(compose(EXACT, SERVER_DISCONNECTED, GERMAN), GERMAN))

    assert "Genauer Treffer" in said
    assert "Was zu tun ist" in said
    assert SERVER_DISCONNECTED.solutions[0] in said


def test_a_code_stands_before_its_message() -> None:
    """People search for codes; a title has both."""
    record = dataclasses.replace(GRADIENT_SYNC, error_code="E0425", error_message="cannot find value `x`")

    assert title(record) == "E0425: cannot find value `x`"


def test_an_entry_the_verdict_does_not_name_is_refused() -> None:
    """A mix-up of records is an error, not a wrong card."""
    with pytest.raises(ValueError, match=GRADIENT_SYNC.id):
        compose(verdict_of(Match("0" * 16, Tier.PATTERN, 0.9, ())), GRADIENT_SYNC, ENGLISH)


def test_the_next_candidate_is_composed_from_its_button() -> None:
    """What a button keeps is enough for an honest card."""
    candidate = compose(EXACT, SERVER_DISCONNECTED, ENGLISH).candidates[0]

    answer = compose_candidate(candidate, GRADIENT_SYNC, ENGLISH)

    assert (answer.certainty, answer.percent, answer.quote) == (Certainty.GUESS, 41, None)


def test_a_looked_up_record_claims_no_match() -> None:
    """What somebody asked for by name was not recognised in anything."""
    answer = compose_lookup(GRADIENT_SYNC, ENGLISH)

    assert (answer.certainty, answer.percent, answer.quote) == (Certainty.LOOKED_UP, None, None)


def test_a_denied_machine_is_not_named() -> None:
    """D4: the note on AI assistance is there where it is true."""
    own = dataclasses.replace(GRADIENT_SYNC, unknown={"aiAssisted": False})

    assert compose_lookup(GRADIENT_SYNC, ENGLISH).ai_note == "AI-assisted analysis"
    assert compose_lookup(own, ENGLISH).ai_note is None


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(answered_entries(), st.sampled_from([ENGLISH, GERMAN]))
def test_any_answer_is_short_clean_and_about_something(answered: tuple[Verdict, Entry], words: Words) -> None:
    """D1, D3, D6: whatever the record holds, its answer has a title, a source and its first step."""
    verdict, entry = answered

    answer = compose(verdict, entry, words)

    shown = [block.text for block in answer_blocks(answer, words) if block.kind is not Kind.LINK]
    assert answer.title
    assert all(text == clean_line(text) for text in shown)
    assert bool(answer.steps) == bool(solutions(entry))
    assert answer.hidden_steps + len(answer.steps) == len(solutions(entry))
