"""A server's choice as a message."""

from dataclasses import replace

import pytest

from bot.cogs.catalogue_text import MOST_LISTED, Counted, Matching, choice_view, found_view
from bot.locales.words import Words, languages
from bot.store.guilds import GuildSettings
from tests.cogs.card_checks import broken_limits, components, live, visible_length

NOTHING = GuildSettings(
    guild_id=1,
    default_mode=None,
    channel_modes={},
    helper_role_ids=frozenset(),
    cooldown_seconds=None,
    language=None,
    muted_record_ids=frozenset(),
    keeps_texts=False,
)
LONG = [f"{number:03d}{'o' * 97}/{'n' * 100}" for number in range(200)]
HOSTILE = ["@everyone/`x", "<@&1>/**b**", "a/](https://evil.example)", "\u202egnp/x", "```/```"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("names", [LONG, HOSTILE * 40], ids=["long", "hostile"])
def test_any_choice_fits_into_a_message(language: str, names: list[str]) -> None:
    """D1, C5: names of any length and number, and such as would ping, link or break out of code."""
    words = Words.for_language(language)
    counted = Counted(dict.fromkeys(names, 153_000), {"f" * 200: 9})
    chosen = replace(NOTHING, repositories=frozenset(names), families=frozenset({"f" * 200}))

    for view in (
        choice_view(chosen, counted, 153_000, words),
        found_view(Matching("q`@everyone" * 40, names, dict.fromkeys(LONG, 7)), counted, frozenset(names), words),
        found_view(Matching("@everyone", (), {}), counted, (), words),
    ):
        tree = components(view)
        assert broken_limits(tree) == live(tree) == []
        assert visible_length(tree) < 4000


def test_what_is_not_listed_is_counted() -> None:
    """A long choice is cut, and says how much longer it is; a choice the catalogue no longer has counts nothing."""
    names = [f"own/{number:03d}" for number in range(MOST_LISTED + 5)]
    counted = Counted(dict.fromkeys(names[1:], 2), {})

    (text,) = components(
        choice_view(replace(NOTHING, repositories=frozenset(names)), counted, 68, Words.for_language("en"))
    )

    assert "`own/000` 0 documented errors" in text["content"]
    assert f"`own/{MOST_LISTED:03d}`" not in text["content"]
    assert "and 5 more" in text["content"]
    assert "Together 68 of 68" in text["content"]


def test_names_are_found_in_any_case() -> None:
    """As the catalogue spells them; a repository before a family."""
    counted = Counted({"Tracel-AI/burn": 1}, {"lost": 2})

    assert counted.called(" tracel-ai/BURN ") == "Tracel-AI/burn"
    assert counted.called("LOST") == "lost"
    assert counted.called("burn") is None
