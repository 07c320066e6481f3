"""Found records as one message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.card_ids import Action, CardId
from bot.cogs.found_list import found_view
from bot.locales.words import Words
from bot.suggesting import Found
from tests.cogs.card_checks import broken_limits, components, live, texts, walk
from tests.strategies import nasty_texts

ENGLISH = Words.for_language("en")
MOST_SHOWN = 8


def records(count: int) -> list[Found]:
    return [Found(f"{number:016x}", "tracel-ai/burn", f"slug-{number}", f"Error {number}") for number in range(count)]


@given(st.lists(st.tuples(nasty_texts(), nasty_texts()), min_size=1, max_size=12))
def test_any_list_is_a_message_discord_takes(found: list[tuple[str, str]]) -> None:
    """D1, C5: whatever titles and repositories are called, the list is within the limits and inert."""
    view = found_view([Found(f"{n:016x}", repo, None, title) for n, (repo, title) in enumerate(found)], ENGLISH)

    assert broken_limits(components(view)) == []
    assert live(components(view)) == []


def test_each_record_has_a_button_to_its_card() -> None:
    """E9: the button knows the record, so it works after any restart."""
    tree = components(found_view(records(3), ENGLISH))

    buttons = [CardId.parse(part["custom_id"]) for part in walk(tree) if "custom_id" in part]
    assert buttons == [CardId(Action.SHOW, f"{number:016x}") for number in range(3)]
    assert "Error 2\n-# tracel-ai/burn · 0000000000000002" in texts(tree)


def test_more_than_fit_are_left_out() -> None:
    """The best ones are shown."""
    shown = [part for part in walk(components(found_view(records(20), ENGLISH))) if "custom_id" in part]

    assert len(shown) == MOST_SHOWN
    assert CardId.parse(shown[-1]["custom_id"]).record_id == f"{MOST_SHOWN - 1:016x}"


def test_a_record_without_words_shows_its_number() -> None:
    """A title of which nothing visible is left becomes the id."""
    (_, text) = texts(components(found_view([Found("a" * 16, "o/r", None, "\u200b")], ENGLISH)))

    assert text.startswith("a" * 16)


def test_nothing_is_no_list() -> None:
    """Who found nothing has a sentence to say, not a list."""
    with pytest.raises(ValueError, match="nothing to list"):
        found_view([], ENGLISH)
