"""The tokeniser: identifiers whole and in parts, noise gone, every script kept."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.tokens import LONGEST_TOKEN, STOP_WORDS, token_hash, token_hashes, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DiscordjsErrorCodes", ["discordj", "error", "code", "discordjserrorcod"]),
        ("HTTPServerError", ["http", "server", "error", "httpservererror"]),
        ("ERR_INVALID_URL", ["err", "invalid", "url", "err_invalid_url"]),
        ("std::io::Error", ["std", "io", "error", "std::io::error"]),
        ("src/errors/DJSError.js:41:36", ["src", "error", "djs", "error", "djserror", "js", "djserror.js"]),
        (r"C:\work\app.py", ["work", "app", "py", "app.py"]),
        ("utf8 E0425 sha256 x86_64", ["utf8", "e0425", "sha256", "x86", "x86_64"]),
        ("it can't and isn't", ["not", "not"]),
        ("it isn’t", ["not"]),
        ("Cannot find module", ["cannot", "find", "modul"]),
    ],
)
def test_identifiers_are_split_and_kept_whole(text: str, expected: list[str]) -> None:
    """A name is found by itself and by its parts; a path by its parts and its last member."""
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "noise",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "0x7ffd12ab",
        "3f2a1b9c0d",
        "2026-11-30T10:20:30.123Z",
        "[14:28:34]",
        "10.0.0.1:8080",
        "v1.20.3",
        "12ms 3.5GB 64 1_000",
        "the a of is",
        "x9f27k31qz88w4",
        "k" * (LONGEST_TOKEN + 1),
        "\x1b[31m\x1b[0m",
        "--- *** {} ()",
    ],
)
def test_what_differs_between_two_prints_gives_no_token(noise: str) -> None:
    """Numbers, addresses, ids, times and filler say nothing about which error it is."""
    assert tokens(noise) == []


def test_an_http_status_is_kept() -> None:
    """404 and 500 are different errors; ports and line numbers are not."""
    assert tokens("status 404 on port 8080 line 123") == ["status", "404", "port", "line"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("файл не найден", ["файл", "не", "найден"]),
        ("文件不存在", ["文件", "件不", "不存", "存在"]),
        ("नहीं मिला", ["नहीं", "मिला"]),
        ("τὸ ἀρχεῖον", ["τὸ", "ἀρχεῖον"]),
        ("الملف غير موجود", ["الملف", "غير", "موجود"]),
        ("파일을 찾을", ["파일을", "찾을"]),
    ],
)
def test_every_script_gives_tokens(text: str, expected: list[str]) -> None:
    """B8: no script is stripped, and combining vowels stay inside their words."""
    assert tokens(text) == [unicodedata.normalize("NFKC", token).casefold() for token in expected]


@given(st.text(alphabet=st.characters(categories=["Lo", "Lu", "Ll", "Mn", "Mc"]), min_size=2, max_size=20))
def test_no_letter_is_lost_in_any_script(word: str) -> None:
    """B8: what a word without filler is made of appears in its tokens."""
    plain = unicodedata.normalize("NFKC", word).casefold()
    letters = {character for character in plain if character.isalpha() and not character.isascii()} - {
        "\u02bc"
    }  # an apostrophe in the form of a letter

    kept = set("".join(tokens(word)))

    assert letters <= kept


def test_ansi_colours_and_invisible_characters_change_nothing() -> None:
    """B1: a coloured word, and one with zero-width characters inside, is the same word."""
    assert tokens("\x1b[1;31mpanicked\x1b[0m at") == tokens("pan\u200bicked\ufeff at") == tokens("panicked")


@pytest.mark.parametrize(
    "forms",
    [
        ["fail", "fails", "failed", "failing"],
        ["close", "closes", "closed", "closing"],
        ["process", "processes", "processed"],
        ["library", "libraries"],
        ["embed", "embedded"],
        ["exceed", "exceeded"],
    ],
)
def test_forms_of_a_word_are_one_token(forms: list[str]) -> None:
    """What another version, or a person, says in another tense is found by the same token."""
    assert len({tuple(tokens(form)) for form in forms}) == 1


@pytest.mark.parametrize("pair", [("string", "str"), ("class", "clas"), ("used", "us"), ("bus", "bu")])
def test_an_ending_that_is_none_stays(pair: tuple[str, str]) -> None:
    """Short words keep what only looks like an ending."""
    assert tokens(pair[0]) != tokens(pair[1])


def test_letter_case_changes_nothing_in_a_plain_word() -> None:
    """B1: case is folded, also where folding is more than lowering."""
    assert tokens("STRASSE Fehler") == tokens("straße FEHLER")


@given(st.text())
def test_any_text_has_tokens_of_the_promised_form(text: str) -> None:
    """Tokens are short, folded, never filler; a hash for each, in the same order."""
    found = tokens(text)

    assert all(0 < len(token) <= LONGEST_TOKEN and token not in STOP_WORDS for token in found)
    assert token_hashes(text) == [token_hash(token) for token in found]


@given(st.lists(st.text(), max_size=4))
def test_a_text_of_lines_has_the_tokens_of_its_lines(lines: list[str]) -> None:
    """Splitting never looks across a line break, so a log is the sum of its lines."""
    lines = [line.replace("\x1b", "").replace("\n", "") for line in lines]
    together = tokens("\n".join(lines))

    assert together == [token for line in lines for token in tokens(line)]


@given(st.text(alphabet="abcXYZ_.:/-' 0123456789", max_size=40))
def test_splitting_tokens_again_finds_nothing_new(text: str) -> None:
    """The tokens of the simple tokens of a text are those tokens: nothing decays further."""
    simple = [token for token in tokens(text) if token.isalpha()]

    assert tokens(" ".join(simple)) == simple


def test_a_token_hash_is_the_same_everywhere() -> None:
    """An index built on one machine is asked on another."""
    assert token_hash("panicked") == 15030455530768721432


def test_four_kilobytes_take_milliseconds() -> None:
    """A paste is split far faster than it is encoded, also when none of its words was seen before."""
    text = " ".join(f"wordNumber{chr(97 + i % 26)}{chr(97 + i // 26)} failed.at.step" for i in range(110))[:4096]
    started = time.perf_counter()

    tokens(text)

    assert time.perf_counter() - started < 0.05
