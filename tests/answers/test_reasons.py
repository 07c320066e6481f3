"""Why a record was found, in words."""

from itertools import product

import pytest

from bot.answers.reasons import in_words
from bot.locales.words import Words, languages
from bot.matching.verdict import Because, Reason

ENGLISH = Words.for_language("en")
REASONS = (
    Reason(Because.WHOLE_LINE),
    Reason(Because.LINE_NAMED, "src/client.rs:179"),
    Reason(Because.SAME_MESSAGE, number=2),
)


@pytest.mark.parametrize(("because", "language"), list(product(Because, languages())))
def test_every_reason_has_words_in_every_language(because: Because, language: str) -> None:
    """None is missing, and each is a sentence (D4)."""
    said = in_words((Reason(because, "message", 3),), Words.for_language(language))

    assert said.endswith(".")
    assert said[0] == said[0].upper()


def test_reasons_make_one_sentence() -> None:
    """The weightiest first, with plurals."""
    assert in_words(REASONS, ENGLISH) == (
        "Its message is the whole line; src/client.rs:179 is named; 2 more records say the same."
    )


def test_what_does_not_fit_is_left_out_whole() -> None:
    """No reason is cut in its middle."""
    assert in_words(REASONS, ENGLISH, 60) == "Its message is the whole line; src/client.rs:179 is named."


def test_nothing_is_said_where_there_is_no_reason() -> None:
    """A record that was looked up has none."""
    assert in_words((), ENGLISH) == ""
