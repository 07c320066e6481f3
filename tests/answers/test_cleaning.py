"""Untrusted text loses what one cannot see, and nothing else."""

import unicodedata

import pytest
from hypothesis import given

from bot.answers.cleaning import clean, clean_code, clean_line
from tests.strategies import nasty_texts


@given(nasty_texts())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """A clean text has nothing left to clean."""
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_code(clean_code(text)) == clean_code(text)


@given(nasty_texts())
def test_nothing_invisible_is_left(text: str) -> None:
    """C5: no control, surrogate or bidirectional character survives; what is left is UTF-8."""
    left = clean(text)

    assert {character for character in left if unicodedata.category(character) in {"Cc", "Cs"}} <= {"\n", "\t"}
    assert not set(left) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u2060\ufeff\u00ad"
    )
    assert left.encode().decode() == left


@pytest.mark.parametrize(
    "text",
    [
        "नमस्ते",
        "שלום עולם",
        "مرحبا",
        "می\u200cخواهم",
        "한국어",
        "👩\u200d👩\u200d👧",
        "👍🏽",
        "🇩🇪",
        "Việt Nam",
        "a\tb\nc",
    ],
)
def test_every_script_stays_whole(text: str) -> None:
    """B8: letters of no script are lost, nor the joiners they need."""
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[1;31merror\x1b[0m", "error"),
        ("\x1b]0;title\x07x", "x"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("pass\u200bword", "password"),
        ("a\u202ecod.exe", "acod.exe"),
        ("\ud83d", "\ufffd"),
        ("e" + "\u0301" * 30, "e" + "\u0301" * 4),
        ("a\u200db", "ab"),
        ("\x00", ""),
    ],
)
def test_what_hides_or_commands_is_gone(text: str, left: str) -> None:
    """Terminal sequences, zero widths, overrides, half characters and towers of accents."""
    assert clean(text) == left


def test_code_keeps_its_indentation() -> None:
    """Tabs become four spaces; spaces at line ends and empty ends go."""
    assert clean_code("\n\n\tif x:  \n\t\ty\n\n") == "    if x:\n        y"
