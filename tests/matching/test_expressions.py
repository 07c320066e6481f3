"""Patterns in the form the engines take."""

import re2
from hypothesis import given
from hypothesis import strategies as st

from bot.matching.expressions import compiled, expressions_of, refusal, related_expressions
from bot.pastes.normalise import fold, normalise_line
from tests.fakes import invented_facts


def captured(message: str, printed: str, pattern: str | None = None) -> tuple[str, ...] | None:
    """What the holes of a message stand for in a line, or None where it does not match."""
    facts = invented_facts("0" * 16, message, **({} if pattern is None else {"pattern": pattern}))
    for expression in expressions_of(facts):
        regex = compiled(expression.regex)
        if regex is not None and (found := regex.search(fold(normalise_line(printed)))):
            return tuple(found.groups())
    return None


def test_a_value_at_the_end_of_the_line_is_taken_whole() -> None:
    """A trailing placeholder matches all that is left, not its first letter."""
    assert captured("failed to download `{}`: {err:?}", "error: Failed to download `x`: Timed Out") == (
        "x",
        "timed out",
    )


def test_an_empty_value_still_matches() -> None:
    """Programs print empty values, and the two spaces around one become one."""
    assert captured("user {name} not found", "user  not found") is not None
    assert captured("failed: {}", "failed:") is not None


def test_words_that_only_contain_the_literal_do_not_match() -> None:
    """Literal characters are never regex characters."""
    assert captured("what? (no) [x]", "wha no x") is None
    assert captured("a.b", "aXb") is None


def test_placeholders_upstream_left_in_its_pattern_are_found_all_the_same() -> None:
    """A pattern derived by upstream with a verb it does not know is read again from the message."""
    assert captured("module %R missing", "module 'six' missing", pattern="module %R missing") is not None


def test_a_message_of_several_lines_matches_indented_and_without_blank_lines() -> None:
    """Tools indent the paragraphs of a cause; blank lines between them do not count."""
    message = "no targets specified\n\n  either src/lib.rs or src/main.rs must be present"
    facts = invented_facts("0" * 16, message)
    (expression,) = expressions_of(facts)

    assert expression.multiline
    regex = compiled(expression.regex)
    assert regex is not None
    assert regex.search("no targets specified\neither src/lib.rs or src/main.rs must be present")


def test_a_regex_written_by_hand_stays_as_it_is() -> None:
    """What is more than literals and holes goes to the engines unchanged, without regard to case."""
    (expression,) = expressions_of(invented_facts("0" * 16, "E 12", pattern=r"E(?:rror)? (?P<n>\d{2})"))

    assert not expression.simple
    regex = compiled(expression.regex)
    assert regex is not None
    assert regex.search("ERROR 12")


def test_a_regex_outside_linear_time_is_refused_with_a_reason() -> None:
    """Back-references and look-arounds cannot be matched in linear time (E3)."""
    assert refusal(r"(?i)(a)\1") is not None
    assert refusal(r"(?i)(?<!x)y") is not None
    assert refusal(r"(?i)a+b") is None


def test_related_errors_have_patterns_of_their_own() -> None:
    """Each error a page lists as related becomes one pattern."""
    facts = invented_facts("0" * 16, "a message", related=("Failed to send {x}", "Can close it"))

    assert [expression.literals for expression in related_expressions(facts)] == [
        ("failed to send",),
        ("can close it",),
    ]


MESSAGES = st.lists(
    st.one_of(
        st.text(
            alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="{}$%#"),
            min_size=1,
            max_size=12,
        ),
        st.sampled_from(["{}", "{name}", "%s"]),
    ),
    min_size=1,
    max_size=6,
).map("".join)


@given(MESSAGES)
def test_every_derived_pattern_compiles_and_finds_its_own_message(message: str) -> None:
    """Whatever the literals hold, the pattern is valid and the message, taken as printed, matches it."""
    for expression in expressions_of(invented_facts("0" * 16, message)):
        regex = compiled(expression.regex)

        assert isinstance(regex, re2._Regexp)
        assert regex.search(fold(normalise_line(message)))
