"""Escapes read as what they stand for."""

import json

import pytest

from bot.pastes.escapes import unescaped
from bot.pastes.normalise import normalise_line


@pytest.mark.parametrize(
    ("escaped", "meant"),
    [
        (repr("шлюз закрыт".encode()), "b'шлюз закрыт'"),
        (repr("水門 🔥".encode()), "b'水門 🔥'"),
        (ascii("шлюз 🔥"), "'шлюз 🔥'"),
        (json.dumps({"msg": "🔥 fire – still"}), "{'msg': '🔥 fire - still'}"),
        (json.dumps({"log": json.dumps({"msg": "🔥 шлюз"})}), "{'log': '{'msg': '🔥 шлюз'}'}"),
        (r"b'na\xefve'", "b'naïve'"),
        (r"half of a pair: \ud83d, no text: \xff\x01", "half of a pair: , no text: ÿ"),
    ],
)
def test_escaped_letters_are_read_as_letters(escaped: str, meant: str) -> None:
    """B1, B8: a `repr` of bytes, an `ascii` of a text and JSON without anything but ASCII hold letters of all scripts."""
    assert [normalise_line(line) for line in unescaped(escaped)] == [meant]


@pytest.mark.parametrize("text", ["no escape", r"C:\Users\ann", r"\d+\.\w"])
def test_a_backslash_alone_is_no_escape(text: str) -> None:
    """Paths of Windows and regular expressions are full of them."""
    assert unescaped(text) == []
