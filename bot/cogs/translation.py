"""Names and descriptions of commands in the languages of the interface."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.locales.words import ENGLISH, Words, discord_locales, languages

_LANGUAGE_OF = {locale: language for language in languages() for locale in discord_locales(language)}


def named(key: str) -> locale_str:
    """The English text of a key, as something Discord's clients show in other languages, too."""
    return locale_str(Words.for_language(ENGLISH)(key), key=key)


class Translator(app_commands.Translator):
    """Looks texts up in bot/locales by the key `named` gave them."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],  # noqa: ARG002  # the signature is discord.py's
    ) -> str | None:
        language = _LANGUAGE_OF.get(locale.value)
        key = string.extras.get("key")
        if key is None or language is None or language == ENGLISH:
            return None
        words = Words.for_language(language)
        return words(key) if key in words else None
