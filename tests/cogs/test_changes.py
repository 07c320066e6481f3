"""Changes of settings in words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.cogs.changes import change_text, changes_view, duration_text, mode_text
from bot.locales.words import Words, languages
from bot.modes import Mode
from bot.store.guilds import Change
from tests.cogs.card_checks import broken_limits, components, texts

ENGLISH = Words.for_language("en")


def change(name: str, after: Any, *, undoes: int | None = None) -> Change:
    return Change(
        change_set=2,
        name=name,
        before=None,
        after=after,
        user_id=1,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        undoes=undoes,
        undone=False,
    )


@pytest.mark.parametrize(
    ("name", "after", "text"),
    [
        ("channel_mode:5", "off", "<#5>: off"),
        ("helper_roles", [7, 8], "<@&7> <@&8>"),
        ("cooldown_seconds", 3600, "1 hour"),
        ("cooldown_seconds", 0, "none"),
        ("language", "de", "Deutsch"),
        ("muted:abc", True, "`abc`: yes"),
        ("muted:abc", None, "`abc`: no"),
        ("keeps_texts", True, ": yes"),
        ("keeps_texts", None, ": no"),
        ("default_mode", "exact+nearest", "exact+nearest"),
        ("reads_links", True, ": yes"),
        ("reads_pictures", None, ": no"),
        ("deletes_secrets", True, ": yes"),
        ("link_hosts", ["a.dev", "b.dev"], "`a.dev` `b.dev`"),
        ("link_hosts", None, ": none"),
    ],
)
def test_a_change_says_what_is_so_now(name: str, after: Any, text: str) -> None:
    """G7: whoever changed something reads what it is now."""
    assert text in change_text(change(name, after), ENGLISH)


@pytest.mark.parametrize("name", ["channel_mode:5", "default_mode", "helper_roles", "cooldown_seconds", "language"])
def test_what_was_taken_back_is_the_default(name: str) -> None:
    """G7: no value is told as the default, not as None."""
    assert change_text(change(name, None), ENGLISH).endswith(": the default")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_has_words_in_every_language(language: str, mode: Mode) -> None:
    """No key of the catalogue is shown to anybody."""
    assert "mode-" not in mode_text(mode, Words.for_language(language))


@pytest.mark.parametrize(
    ("seconds", "text"), [(90, "90 seconds"), (120, "2 minutes"), (7200, "2 hours"), (5400, "90 minutes")]
)
def test_durations_are_whole(seconds: int, text: str) -> None:
    """The largest unit that divides a length is used."""
    assert duration_text(seconds, ENGLISH) == text


def test_a_long_log_is_cut_and_says_so() -> None:
    """D1: 25 channels set at once fit into one message, whose last line counts the rest."""
    tree = components(changes_view([change(f"channel_mode:{10**18 + n}", "off") for n in range(25)], ENGLISH))

    assert broken_limits(tree) == []
    lines = texts(tree)[0].splitlines()
    assert len(lines) == 22
    assert "5" in lines[-1]


def test_taking_back_has_its_own_heading() -> None:
    """G7: an undo is told as one."""
    done = texts(components(changes_view([change("language", "de")], ENGLISH)))[0]
    undone = texts(components(changes_view([change("language", None, undoes=1)], ENGLISH)))[0]

    assert done.splitlines()[0] != undone.splitlines()[0]
    assert "Taken back" in undone
