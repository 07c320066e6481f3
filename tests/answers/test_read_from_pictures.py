"""What a card and a sentence of regret say of text that was read from a picture."""

from dataclasses import replace

import pytest

from bot.answers.compose import compose
from bot.answers.plain_text import answer_blocks, as_text
from bot.answers.silence import no_answer
from bot.cogs.card import card
from bot.locales.words import Words, languages
from bot.matching.verdict import Quote, ReadFrom, Verdict
from bot.pastes.paste import Part, Paste
from tests.cogs.card_checks import broken_limits, components
from tests.sample_entries import EXACT, GRADIENT_SYNC, GUESS, SERVER_DISCONNECTED

ENGLISH, GERMAN = Words.for_language("en"), Words.for_language("de")
LINE = "Server disconnected during initialization"


def pictured(verdict: Verdict, read_from: ReadFrom) -> Verdict:
    """The verdict, its line read from a picture."""
    best, *rest = verdict.matches
    return replace(verdict, matches=(replace(best, quote=Quote(LINE, 0, 1, read_from=read_from)), *rest))


@pytest.mark.parametrize(
    ("read_from", "said"),
    [
        (ReadFrom.PICTURE, "Read from a picture:\n    Server disconnected"),
        (
            ReadFrom.PICTURE_UNSURELY,
            "Read from a picture, not surely; please paste the text itself:\n    Server disconnected",
        ),
    ],
)
def test_the_card_quotes_what_was_read(read_from: ReadFrom, said: str) -> None:
    """D4: in front of the line stands that it is from a picture, and where it is unsure that text is wanted."""
    answer = compose(pictured(EXACT, read_from), SERVER_DISCONNECTED, ENGLISH)

    assert said in as_text(answer_blocks(answer, ENGLISH))


def test_a_line_of_text_is_quoted_as_ever() -> None:
    """Nothing is said of pictures where there were none."""
    answer = compose(pictured(EXACT, ReadFrom.TEXT), SERVER_DISCONNECTED, ENGLISH)

    assert answer.read_from == ""
    assert "picture" not in as_text(answer_blocks(answer, ENGLISH))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("verdict", [EXACT, GUESS])
def test_the_card_keeps_within_the_limits(verdict: Verdict, language: str) -> None:
    """D1, D3: the words about the picture take their room from the rest."""
    words = Words.for_language(language)
    entry = replace(
        SERVER_DISCONNECTED if verdict is EXACT else GRADIENT_SYNC,
        documentation="It says that something is so. " * 40,
        solutions=tuple(f"Do the thing number {number}, with care and from the beginning." * 2 for number in range(9)),
    )

    answer = compose(pictured(verdict, ReadFrom.PICTURE_UNSURELY), entry, words)

    shown = components(card(answer, words))
    assert broken_limits(shown) == []
    assert words("card-read-unsure") in str(shown)
    assert len(as_text(answer_blocks(answer, words))) < 1200


def test_no_match_says_that_it_was_read_from_a_picture() -> None:
    """C8: a reading may be wrong, so who asked is asked for the text."""
    paste = Paste((Part("flux error 1", "shot.png", confidences=(0.99,)),))
    nothing = Verdict((), (), is_error=True, why_error="", shown=False)

    said = no_answer(paste, nothing, ENGLISH).text

    assert "shot.png" in said
    assert "What I read from a picture may be misread, so please paste the text itself." in said
    assert "gelesen" in no_answer(paste, nothing, GERMAN).text
    assert "picture" not in no_answer(Paste.of_text("flux error 1"), nothing, ENGLISH).text
