"""When the bot may speak."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.cogs.manners import OLDEST_QUESTION, Wish, is_closed, is_too_old, match_to_show, wish
from bot.matching.verdict import Match, Tier, Verdict
from bot.modes import Mode

EXACT = Match("a" * 16, Tier.PATTERN, 0.98, ())
GUESS = Match("b" * 16, Tier.NEAREST, 0.9, ())


@pytest.mark.parametrize(
    ("mode", "called", "wanted"),
    [
        (Mode.OFF, True, Wish.NOTHING),
        (Mode.OFF, False, Wish.NOTHING),
        (Mode.MENTION, True, Wish.ASKED),
        (Mode.MENTION, False, Wish.NOTHING),
        (Mode.EXACT, False, Wish.SEEN),
        (Mode.EXACT_AND_NEAREST, True, Wish.ASKED),
    ],
)
def test_a_channels_mode_says_what_a_message_wants(mode: Mode, called: bool, wanted: Wish) -> None:
    """C7: off is off, whoever calls."""
    assert wish(mode, called=called) is wanted


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("match", [EXACT, GUESS])
@pytest.mark.parametrize("shown", [True, False])
def test_unasked_only_what_is_sure_enough_for_the_mode_is_shown(mode: Mode, match: Match, shown: bool) -> None:
    """C8: an exact match in the two automatic modes, a guess in the second alone, and neither below its threshold."""
    verdict = Verdict((match,), (), is_error=True, why_error="", shown=shown)

    unasked = match_to_show(verdict, mode, (), asked=False)

    fits = mode is Mode.EXACT_AND_NEAREST or (mode is Mode.EXACT and match is EXACT)
    assert (unasked is match) == (shown and fits)
    assert match_to_show(verdict, mode, {match.record_id}, asked=False) is None
    assert match_to_show(verdict, mode, {match.record_id}, asked=True) is match


def test_nothing_found_is_nothing_shown() -> None:
    """Without a match there is no card, whoever asks."""
    verdict = Verdict((), (), is_error=True, why_error="", shown=False)

    assert match_to_show(verdict, Mode.EXACT_AND_NEAREST, (), asked=True) is None


def test_old_messages_are_nobodys_question() -> None:
    """C9: after ten minutes nobody waits."""
    now = datetime.now(UTC)

    assert not is_too_old(now - OLDEST_QUESTION, now)
    assert is_too_old(now - OLDEST_QUESTION - timedelta(seconds=1), now)


@pytest.mark.parametrize(
    ("tag", "closed"), [("SOLVED", True), ("✔ Gelöst", True), ("Needs Human", True), ("bug", False)]
)
def test_tags_close_a_post(tag: str, closed: bool) -> None:
    """H1: however a server writes them."""
    assert is_closed(["other", tag]) is closed
