"""Commands in the languages of the interface."""

from typing import Any
from unittest.mock import MagicMock

import discord
import pytest
from discord import app_commands
from discord.app_commands import locale_str

from bot.cogs.translation import Translator, named

CONTEXT: app_commands.TranslationContext[Any, Any] = MagicMock(spec_set=app_commands.TranslationContext)


def test_a_name_is_english_where_nobody_translates() -> None:
    """The text itself is the English one, and it remembers under which key the others are."""
    name = named("command-mute-description")

    assert name.message
    assert name.extras == {"key": "command-mute-description"}


@pytest.mark.parametrize(
    ("locale", "translated"),
    [
        (discord.Locale.german, True),
        (discord.Locale.american_english, False),
        (discord.Locale.british_english, False),
        (discord.Locale.japanese, False),
    ],
)
async def test_other_languages_get_their_words(locale: discord.Locale, translated: bool) -> None:
    """A language of the interface is translated into; English and unknown ones fall back to the text itself."""
    name = named("command-mute-description")

    said = await Translator().translate(name, locale, CONTEXT)

    assert (said is not None) == translated
    assert said != name.message


async def test_texts_of_others_are_left_alone() -> None:
    """A text without a key, or with one no catalogue has, stays as it is."""
    translator = Translator()

    assert await translator.translate(locale_str("x"), discord.Locale.german, CONTEXT) is None
    assert await translator.translate(locale_str("x", key="no-such-key"), discord.Locale.german, CONTEXT) is None
