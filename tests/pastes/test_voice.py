"""Who speaks: somebody with a problem, or somebody who explains one."""

import pytest

from bot.pastes.voice import _patterns, voice


@pytest.mark.parametrize(
    "text",
    [
        "my build fails since the update, any ideas?",
        "why does it refuse to start? I tried everything",
        "we can't connect any more, please help",
        "mein Dienst stürzt ab, warum?",
    ],
)
def test_who_has_a_problem_asks(text: str) -> None:
    """First person, questions, and something that goes wrong."""
    heard = voice(text)

    assert heard.asks > heard.tells
    assert heard.trouble


@pytest.mark.parametrize(
    "text",
    [
        "that usually means you forgot the token, check your config",
        "Pinned: run the migrations before you upgrade",
        "use a timeout instead of a retry, it's never the network",
        "this is because of the proxy, you need to set the header",
    ],
)
def test_who_explains_tells(text: str) -> None:
    """Second person, advice, and what things usually mean (A4)."""
    heard = voice(text)

    assert heard.tells > heard.asks


@pytest.mark.parametrize("text", ["can the example bind two ports?", "which editor do you like", "good morning"])
def test_a_question_is_no_trouble(text: str) -> None:
    """Who describes nothing that goes wrong has no problem to answer (A1)."""
    assert not voice(text).trouble


def test_a_log_behind_it_says_nothing_of_the_voice() -> None:
    """Only the beginning is read."""
    assert voice("x " * 2_000 + "please help me, it fails") == voice("x " * 2_000)


def test_every_line_of_the_table_is_of_a_known_kind() -> None:
    """A typing error in voice.txt would lose a pattern silently."""
    _, kinds = _patterns()

    assert set(kinds) == {"asks", "tells", "trouble"}
