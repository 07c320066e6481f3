"""The words of the interface in the language of who reads them."""

from functools import cache
from pathlib import Path
from typing import Any

from fluent.runtime import FluentBundle, FluentResource

_FOLDER = Path(__file__).parent
ENGLISH = "en"
# What Discord calls each of our languages; a language without an entry here has the name of its file.
_DISCORD_LOCALES = {"en": ("en-US", "en-GB")}


class UnknownWords(LookupError):
    """A text was asked for that no file has, or without a value it needs: a mistake in the program, not its input."""


class Words:
    """The texts of one language.

    Values are inserted as they are. Fluent's isolation marks (U+2068, U+2069) are off: Discord and many terminals show
    them as boxes, they count against Discord's limits and come along when a command is copied; and what we insert has
    lost its bidirectional controls before (`answers.cleaning`).
    """

    def __init__(self, language: str, source: str) -> None:
        self.language = language
        self._bundle: Any = FluentBundle([language], use_isolating=False)
        self._bundle.add_resource(FluentResource(source))

    @classmethod
    def for_language(cls, code: str | None) -> "Words":
        """Return the texts for a locale as Discord or an operating system names it ("en-GB", "de", "de_AT.UTF-8").

        A language without a file, or None, gives English. Files are read once.
        """
        language = (code or ENGLISH).replace("_", "-").partition("-")[0].partition(".")[0].lower()
        return _read(language if language in languages() else ENGLISH)

    def __call__(self, key: str, **values: str | float) -> str:
        """Return the text, with plurals and numbers as the language writes them.

        Raises UnknownWords when there is no such key or a value is missing.
        """
        if not self._bundle.has_message(key):
            raise UnknownWords(f"{key} is not in {self.language}.ftl")
        text, problems = self._bundle.format_pattern(self._bundle.get_message(key).value, values)
        if problems:
            raise UnknownWords(f"{key} in {self.language}.ftl: {'; '.join(map(str, problems))}")
        return str(text)

    def __contains__(self, key: str) -> bool:
        return bool(self._bundle.has_message(key))


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are files for, English first."""
    found = sorted(path.stem for path in _FOLDER.glob("*.ftl"))
    return (ENGLISH, *(language for language in found if language != ENGLISH))


def discord_locales(language: str) -> tuple[str, ...]:
    """Return Discord's names for a language, for the localisations of commands."""
    return _DISCORD_LOCALES.get(language, (language,))


@cache
def _read(language: str) -> Words:
    return Words(language, (_FOLDER / f"{language}.ftl").read_text("utf-8"))
