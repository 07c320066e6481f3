"""Every language says everything, with the same values."""

import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast

from bot.locales.words import UnknownWords, Words, discord_locales, languages
from bot.records.record import Severity

FOLDER = Path(__file__).resolve().parents[2] / "bot" / "locales"
OTHERS = [language for language in languages() if language != "en"]


def messages(language: str) -> dict[str, ast.Message]:
    """The messages of a file; junk is an error, since Fluent itself would leave it out in silence."""
    resource = FluentParser().parse((FOLDER / f"{language}.ftl").read_text("utf-8"))
    junk = [entry.content for entry in resource.body if isinstance(entry, ast.Junk)]
    assert junk == []
    found = [entry for entry in resource.body if isinstance(entry, ast.Message)]
    keys = [message.id.name for message in found]
    assert sorted(set(keys)) == sorted(keys), "a key stands twice"
    return {message.id.name: message for message in found}


def values_of(node: ast.BaseNode) -> set[str]:
    """The names of the values a message uses, wherever they stand in it."""
    if isinstance(node, ast.VariableReference):
        return {node.id.name}
    names: set[str] = set()
    for child in vars(node).values():
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.BaseNode):
                names |= values_of(part)
    return names


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_texts(language: str) -> None:
    """No key is missing, none is left over, each takes the same values."""
    english, other = messages("en"), messages(language)

    assert sorted(other) == sorted(english)
    assert {key: values_of(text) for key, text in other.items()} == {
        key: values_of(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", languages())
def test_every_text_can_be_said(language: str) -> None:
    """With its values given, each text comes out whole and not empty, for one and for many."""
    words = Words.for_language(language)

    for key, message in messages(language).items():
        for count in (0, 1, 2, 153_000):
            said = words(key, **dict.fromkeys(values_of(message), count))

            assert said.strip(), key
            assert "{" not in said, key


@pytest.mark.parametrize("language", languages())
def test_commands_have_names_and_descriptions_discord_takes(language: str) -> None:
    """Names are lower case without spaces, at most 32; a menu's may have both; descriptions have at most 100."""
    words = Words.for_language(language)

    for key in messages(language):
        if not key.startswith("command-"):
            continue
        if key.endswith("-description"):
            assert 1 <= len(words(key)) <= 100, key
        elif key.endswith("-menu-name"):
            assert 1 <= len(words(key)) <= 32, key
        elif key.endswith("-name"):
            assert re.fullmatch(r"[-_'\w]{1,32}", words(key)), key
            assert words(key) == words(key).lower(), key


@pytest.mark.parametrize("language", languages())
def test_buttons_can_be_read_on_a_phone(language: str) -> None:
    """Labels have at most 38 characters, with a number of two digits in them."""
    words = Words.for_language(language)

    for key, message in messages(language).items():
        if key.startswith("button-"):
            assert len(words(key, **dict.fromkeys(values_of(message), 99))) <= 38, key


@pytest.mark.parametrize("language", languages())
def test_every_severity_has_a_word(language: str) -> None:
    """A record's severity is said in the reader's language."""
    words = Words.for_language(language)

    assert all(words(f"severity-{severity.value}") for severity in Severity)


@pytest.mark.parametrize(
    ("code", "language"),
    [("en-US", "en"), ("en-GB", "en"), ("de", "de"), ("de_AT.UTF-8", "de"), ("DE", "de"), ("fr", "en"), ("", "en"), (None, "en"), ("C.UTF-8", "en"), ("../de", "en")],
)  # fmt: skip
def test_locales_find_their_language(code: str | None, language: str) -> None:
    """Discord's codes and an operating system's are understood; what we cannot speak is English."""
    assert Words.for_language(code).language == language


def test_our_languages_have_names_at_discord() -> None:
    """Command localisations go out under Discord's own codes."""
    assert discord_locales("en") == ("en-US", "en-GB")
    assert discord_locales("de") == ("de",)


def test_plurals_and_numbers_follow_the_language() -> None:
    """One is not many, and thousands are grouped as readers expect."""
    english, german = Words.for_language("en"), Words.for_language("de")

    assert english("button-others", count=1) == "One more error in this log"
    assert german("button-others", count=1200) == "1.200 weitere Fehler im Log"
    assert english("button-others", count=1200) == "1,200 more errors in this log"


def test_values_are_inserted_without_isolation_marks() -> None:
    """No invisible character comes into a text by inserting a value."""
    words = Words.for_language("en")

    assert words("none-too-big", name="a.log") == "a.log is too big for me; please post only the part around the error."


def test_a_missing_text_or_value_is_an_error() -> None:
    """A mistake in the program is not shown to people as a key."""
    words = Words.for_language("en")

    with pytest.raises(UnknownWords, match="no-such-key"):
        words("no-such-key")
    with pytest.raises(UnknownWords, match="name"):
        words("none-too-big")
