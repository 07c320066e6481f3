"""How much a pattern says (A3)."""

import pytest

from bot.matching.specificity import FEWEST_LETTERS, is_common, specificity
from tests.fakes import invented_facts
from tests.matching.by_hand import expression_of


def weak(message: str, **more: object) -> str | None:
    return specificity(expression_of(invented_facts("0" * 16, message, **more))).weak


@pytest.mark.parametrize(
    "message",
    [
        "{field} is required",
        "expected {} but got {}",
        "failed: {}",
        "not found",
        "timeout",
        "something went wrong",
        "an error occurred",
        "error: {}",
        "could not open file",
        "please try again later",
        "it does not work",
        "{}",
        "invalid value",
        "%s: %s",
    ],
)
def test_common_words_and_few_letters_are_weak(message: str) -> None:
    """What people say every day is no reason to speak (A3)."""
    facts = invented_facts("0" * 16, message)
    from bot.matching.expressions import expressions_of

    assert all(specificity(one).weak for one in expressions_of(facts))


@pytest.mark.parametrize(
    "message",
    [
        "{name}() got an unexpected keyword argument {key!r}",
        "%d:%d: division by zero",
        "index out of bounds: the len is {} but the index is {}",
        "Maximum call stack size exceeded",
        "called `Option::unwrap()` on a `None` value",
        "Sequence contains no elements.",
    ],
)
def test_messages_of_a_runtime_are_weak(message: str) -> None:
    """What a language prints of any program is no sign of one project, however many rare words it has (A3)."""
    assert weak(message) == "a language or a system prints the same of any program"


@pytest.mark.parametrize(
    "message",
    [
        "division by zero in the hopper's flow rate",
        "column index out of bounds: the len is {} but the index is {}",
        "getaddrinfo failed for the granary's silo",
    ],
)
def test_messages_that_say_more_than_a_runtime_are_not_weak(message: str) -> None:
    """A program that adds its own words is known by them."""
    assert weak(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "Gradient sync server disconnected.",
        "Server disconnected during initialization",
        "Can bind the Burn Remote server endpoint",
        "Actuator {name} refused torque calibration",
        "Cannot construct instance of `{}` (no Creators, like default constructor, exist)",
        "ERR_INVALID_ARG_TYPE: the callback argument",
    ],
)
def test_messages_with_rare_words_are_not_weak(message: str) -> None:
    """A message somebody wrote for one place of one program is a reason to speak."""
    assert weak(message) is None


def test_the_reason_is_in_words() -> None:
    """`catalogue check` prints why a pattern is weak."""
    assert str(FEWEST_LETTERS) in (weak("timeout") or "")
    assert "common" in (weak("this is not what you do") or "")


def test_a_regex_by_hand_counts_only_its_letters() -> None:
    """Classes, groups and quantifiers are no words of a message."""
    assert weak("x", pattern=r"(?:[A-Za-z_][A-Za-z0-9_]*\s+)*failed \d{3}") is not None
    assert weak("x", pattern=r"(?:sprite|glyph) atlas overflow \d+") is None


def test_more_words_weigh_more() -> None:
    """A longer message never says less."""
    short = specificity(expression_of(invented_facts("0" * 16, "hopper starved")))
    long = specificity(expression_of(invented_facts("0" * 16, "hopper starved while draining silo")))

    assert long.letters > short.letters
    assert long.weight > short.weight
    assert long.rare_words >= short.rare_words


@pytest.mark.parametrize(
    ("word", "common"), [("the", True), ("error", True), ("x", True), ("17", True), ("actuator", False)]
)
def test_common_words_are_listed(word: str, common: bool) -> None:
    """The list holds what everybody says; single letters and numbers count as said by everybody."""
    assert is_common(word) == common


def test_words_of_other_scripts_count() -> None:
    """Non-Latin messages say as much as Latin ones (B8)."""
    assert weak("не удалось открыть шлюз {name}: превышено время ожидания") is None
    assert (
        specificity(expression_of(invented_facts("0" * 16, "水門を開けませんでした時間切れ"))).letters >= FEWEST_LETTERS
    )
