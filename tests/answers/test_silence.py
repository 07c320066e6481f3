"""Saying nothing is known, and why."""

import pytest

from bot.answers.answer import Outcome
from bot.answers.silence import NOT_READ_LENGTH, busy, hint, no_answer, not_read
from bot.locales.words import Words
from bot.matching.verdict import Verdict
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart

ENGLISH, GERMAN = Words.for_language("en"), Words.for_language("de")
NOTHING = Verdict((), (), is_error=True, why_error="", shown=False)


def test_no_match_says_what_was_looked_at_and_what_would_help() -> None:
    """C8: one sentence, with the parts by name and length."""
    paste = Paste((Part("it fails\nwith this"), Part("line\n" * 214, "panic.log")))

    answer = no_answer(paste, NOTHING, ENGLISH)

    assert answer.outcome is Outcome.NO_MATCH
    assert answer.text == (
        "I looked at your message (2 lines) and panic.log (214 lines) and know no documented error in it; post the "
        "whole output, from the first line that says what failed, with the command you ran."
    )


def test_many_parts_are_counted() -> None:
    """C8: the sentence stays a sentence."""
    paste = Paste(tuple(Part("x", f"{number}.log") for number in range(9)))

    assert (
        "0.log (one line), 1.log (one line), 2.log (one line) and 6 more files"
        in no_answer(paste, NOTHING, ENGLISH).text
    )


@pytest.mark.parametrize(
    ("why", "outcome"),
    [
        (Skipped.UNREACHABLE, Outcome.UNREACHABLE),
        (Skipped.LOGIN, Outcome.UNREACHABLE),
        (Skipped.TOO_BIG, Outcome.TOO_BIG),
        (Skipped.UNSUPPORTED, Outcome.UNSUPPORTED),
        (Skipped.BINARY, Outcome.UNSUPPORTED),
        (Skipped.EMPTY, Outcome.EMPTY),
        (Skipped.DUMP, Outcome.UNSUPPORTED),
        (Skipped.ENCRYPTED, Outcome.UNSUPPORTED),
        (Skipped.DAMAGED, Outcome.UNSUPPORTED),
        (Skipped.NESTED, Outcome.UNSUPPORTED),
        (Skipped.UNSAFE_NAME, Outcome.UNSUPPORTED),
        (Skipped.NOT_A_LOG, Outcome.UNSUPPORTED),
        (Skipped.BOMB, Outcome.TOO_BIG),
        (Skipped.TOO_MANY, Outcome.TOO_BIG),
    ],
)
@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
def test_what_was_not_read_is_told_by_its_own_reason(why: Skipped, outcome: Outcome, words: Words) -> None:
    """E13: each reason has its own outcome and sentence."""
    answer = no_answer(Paste((), skipped=(SkippedPart("core.bin", why),)), None, words)

    assert answer.outcome is outcome
    key = "unsupported" if why is Skipped.BINARY else why.value.replace("_", "-")
    assert answer.sentences == (words(f"none-{key}", name="core.bin"),)


@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
def test_five_outcomes_are_five_sentences(words: Words) -> None:
    """E13: "no match", "source unreachable", "too big", "unsupported" and "busy" are told apart."""
    reasons = (Skipped.UNREACHABLE, Skipped.TOO_BIG, Skipped.UNSUPPORTED)
    answers = [no_answer(Paste((), skipped=(SkippedPart("x", why),)), None, words) for why in reasons]
    answers += [no_answer(Paste.of_text("x"), NOTHING, words), busy(words)]

    assert len({answer.outcome for answer in answers}) == len({answer.text for answer in answers}) == 5


@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
def test_every_reason_has_its_own_words(words: Words) -> None:
    """E13: a dump, a password, damage, a bomb and the rest are told apart; a program is a file of any kind."""
    texts = {why: no_answer(Paste((), skipped=(SkippedPart("x", why),)), None, words).text for why in Skipped}

    assert texts[Skipped.BINARY] == texts.pop(Skipped.UNSUPPORTED)
    assert len({*texts.values()}) == len(texts)


def test_what_lies_beside_the_logs_is_one_sentence() -> None:
    """B4: an archive's other files are named together, after what went wrong."""
    beside = [SkippedPart(f"z/{letter}.md", Skipped.NOT_A_LOG) for letter in "abcde"]
    paste = Paste((Part("boom", "z/x.log"),), skipped=(*beside, SkippedPart("z/core", Skipped.DUMP)))

    sentences = no_answer(paste, NOTHING, ENGLISH).sentences

    assert len(sentences) == 3
    assert "z/core is a program's memory" in sentences[1]
    assert sentences[2] == "I left out z/a.md, z/b.md, z/c.md and 2 more files, not being the output of a program."


def test_many_failures_are_counted() -> None:
    """E13: the first are told, how many more there were is told, too."""
    paste = Paste((), skipped=tuple(SkippedPart(f"{n}", Skipped.DAMAGED) for n in range(8)))

    sentences = no_answer(paste, None, ENGLISH).sentences

    assert len(sentences) == 4
    assert sentences[3] == "5 more files could not be read."


def test_what_was_read_comes_first_then_what_was_not() -> None:
    """E1: one bad attachment does not hide the answer about the rest."""
    paste = Paste((Part("boom"),), skipped=(SkippedPart("core.bin", Skipped.BINARY),))

    answer = no_answer(paste, NOTHING, ENGLISH)

    assert answer.outcome is Outcome.NO_MATCH
    assert [sentence.split()[0] for sentence in answer.sentences] == ["I", "core.bin"]


def test_no_error_in_it_is_not_no_known_error() -> None:
    """Somebody who posted no output at all is told so."""
    calm = Verdict((), (), is_error=False, why_error="", shown=False)

    assert "nothing that reads like an error" in no_answer(Paste.of_text("hello"), calm, ENGLISH).text


def test_a_missing_tier_is_admitted() -> None:
    """E12: while guesses cannot be made, "nothing known" says so."""
    lame = Verdict((), (), is_error=True, why_error="", shown=False, degraded="no index")

    assert (
        no_answer(Paste.of_text("x"), lame, ENGLISH).sentences[-1]
        == "Only exact messages could be looked for just now."
    )


def test_an_empty_paste_is_called_empty() -> None:
    """Nothing was brought."""
    assert no_answer(Paste.of_text("  \n"), None, ENGLISH).outcome is Outcome.EMPTY


def test_names_are_redacted_and_bounded() -> None:
    """F1: a file's name may hold more than its owner wanted to tell."""
    paste = Paste((), skipped=(SkippedPart("bob@example.com-" + "x" * 500 + "\u202e.log", Skipped.TOO_BIG),))

    text = no_answer(paste, None, ENGLISH).text

    assert "bob" not in text
    assert "\u202e" not in text
    assert len(text) < 200


def test_what_is_missing_takes_the_place_of_general_advice() -> None:
    """C8: what was looked at, then the one sentence for that toolchain; what was not read follows."""
    paste = Paste((Part("make: *** [all] Error 2"),), skipped=(SkippedPart("core", Skipped.DUMP),))

    sentences = no_answer(paste, NOTHING, ENGLISH).sentences

    assert sentences[0] == "I looked at your message (one line) and know no documented error in it."
    assert sentences[1].startswith("That is only how make ends")
    assert "core is a program's memory" in sentences[2]
    assert len(sentences) == 3


def test_a_hint_is_that_sentence_alone() -> None:
    """C8: for who did not ask, nothing but what is missing; nothing at all where that is unknown."""
    said = hint(Paste.of_text("make: *** [all] Error 2"), GERMAN)

    assert said is not None
    assert said.outcome is Outcome.NO_MATCH
    assert len(said.sentences) == 1
    assert "So endet make nur" in said.text
    assert hint(Paste.of_text("error: out of flux"), ENGLISH) is None


@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
def test_below_an_answer_one_line_names_what_was_not_read(words: Words) -> None:
    """B4, E13: failures first, each with its reason; the rest is counted; names are safe and the line has its bound."""
    beside = SkippedPart("z/a.md", Skipped.NOT_A_LOG)
    few = not_read([beside, SkippedPart("core", Skipped.DUMP)], words)
    many = not_read(
        [SkippedPart(f"bob@example.com{n}\u202e{'x' * 90}", Skipped.BOMB) for n in range(1, 31)] + [beside], words
    )

    assert not_read([], words) == ""
    assert few.index("core") < few.index("z/a.md")
    assert words("not-read-dump") in few
    assert "29" in many
    assert "bob" not in many
    assert "\u202e" not in many
    assert len(many) < NOT_READ_LENGTH


@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
def test_every_reason_has_a_word_below_an_answer(words: Words) -> None:
    """E13: told apart in a word or two."""
    texts = {not_read([SkippedPart("x", why)], words) for why in Skipped}

    assert len(texts) == len(Skipped)
    assert all(len(text) <= NOT_READ_LENGTH for text in texts)
