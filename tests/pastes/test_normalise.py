"""One spelling for pastes and messages."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.pastes.normalise import (
    _BARRED_NEW_ENTRY,
    _MARK,
    _PREFIXES_OF_BARRED,
    _SPELLING,
    LONGEST_LINE,
    Line,
    View,
    _all_folded,
    _all_normalised,
    _begins_entry,
    _spelt,
    _without_marks,
    fold,
    normalise_line,
    prefix_length,
    split_lines,
    views,
)


def texts_of(view: View, text: str) -> list[str]:
    """The cased lines of one view of a text."""
    return [line.cased for seen, lines in views(split_lines(text)) if seen is view for line in lines]


@given(st.text(max_size=300))
@example("&amp;lt;b&amp;gt;")
@example("&lt\x00;")
@example("\uff06#65286;lt;")
@example("&" + "amp;" * 40 + "lt;")
def test_normalising_twice_is_normalising_once(text: str) -> None:
    """A normalised line has nothing left to normalise, so both sides meet whatever was done before.

    An entity may spell another (`&amp;lt;`), or be one only without what nobody sees in it: unescaping is repeated.
    """
    once = normalise_line(text)

    assert normalise_line(once) == once


@given(st.text(max_size=300))
def test_folding_keeps_every_position(text: str) -> None:
    """A folded text is as long as before, so a match in it is a place in the original, in any script (B8)."""
    assert len(fold(text)) == len(text)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Lt"]), min_size=1, max_size=50))
def test_no_letter_of_any_script_is_dropped(text: str) -> None:
    """Normalising changes the form of letters at most, it never leaves a word out (B8)."""
    assert normalise_line(text)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("\x1b[31;1merror\x1b[0m: bad", "error: bad"),
        ("can\u2019t \u201copen\u201d `file`", "can't 'open' 'file'"),
        ("a\u00a0b\u2003c\td", "a b c d"),
        ("a\u200bb\u202ec\ufeff", "abc"),
        ("if a &lt; b &amp;&amp; c", "if a < b && c"),
        ("\uff25\uff32\uff32 \u2014 done\u2026", "ERR - done..."),
        ("\x1b]8;;https://example.org\x07link\x1b]8;;\x07", "link"),
        ("файл не найден", "файл не найден"),
    ],
)
def test_disguises_are_taken_off(written: str, meant: str) -> None:
    """Colours, quotes, spaces, invisible characters, entities and wide forms make no difference (B1)."""
    assert normalise_line(written) == meant


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2026-05-09T15:42:06.005Z ERROR boom", "boom"),
        ("[18:09:19 INFO]: [Vault] Enabling Vault", "Enabling Vault"),
        ("bot-1 | [14:28:34] cache hit", "cache hit"),
        ("#12 14.22 error: failed", "error: failed"),
        ("Server disconnected during initialization", "Server disconnected during initialization"),
    ],
)
def test_words_begin_behind_timestamps_levels_and_containers(line: str, words: str) -> None:
    """What a log puts in front of a message is no part of it (B10)."""
    assert line[prefix_length(line) :] == words


def test_a_hard_wrap_inside_words_is_undone() -> None:
    """A terminal cuts where the width ends; the joined line is whole again."""
    text = "Cannot construct instance of Foo (no Crea\ntors, like default constructor, exist)"

    assert "Cannot construct instance of Foo (no Creators, like default constructor, exist)" in texts_of(
        View.WRAPPED_HARD, text
    )


def test_a_soft_wrap_between_words_and_behind_slashes_is_undone() -> None:
    """Mail programs and browsers break at spaces and behind slashes, and quote marks stand on every line."""
    text = "> Error: another operation (install/\n> upgrade/rollback) is in\n> progress"

    assert texts_of(View.WRAPPED_SOFT, text) == ["Error: another operation (install/upgrade/rollback) is in progress"]


def test_lines_that_begin_something_new_are_not_joined() -> None:
    """A stack frame or a new log entry is never the end of the line before."""
    text = "ValueError: the first\n  at main (app.js:1:1)\n2026-01-01 00:00:00 second"

    assert texts_of(View.WRAPPED_SOFT, text) == []


def test_escaped_lines_are_read_as_lines() -> None:
    """One log line in JSON holds a whole traceback."""
    text = r'{"level":"error","msg":"Error: it \"broke\"\n    at main (a.js:1:2)"}'

    assert "at main (a.js:1:2)'}" in texts_of(View.UNESCAPED, text)


def test_lines_lead_back_to_the_original() -> None:
    """A line knows the lines of the paste it was made from, blank ones counted."""
    (_, lines), *_ = views(split_lines("\n\nfirst\n\nsecond"))

    assert [(line.cased, line.first, line.last) for line in lines] == [("first", 2, 2), ("second", 4, 4)]


def test_half_a_surrogate_pair_is_read_as_a_question_mark() -> None:
    """JSON from the network may hold one; no engine that searches the line takes it."""
    assert normalise_line("caf\u00e9 \ud83d broke") == "caf\u00e9 ? broke"


def test_an_entity_in_entities_costs_no_more_than_a_long_line() -> None:
    """E3: 1 MB whose every line is one `&` escaped 5,000 times is read in a second, not in ten."""
    lines = ["&" + "amp;" * 4_999] * 50
    started = time.process_time()

    for _ in views(lines):
        pass

    assert time.process_time() - started < 2


def test_an_endless_line_is_cut() -> None:
    """A minified bundle costs no more than a long line."""
    assert len(split_lines("x" * 1_000_000)[0]) == LONGEST_LINE


@given(st.text(max_size=2_000))
def test_no_text_is_too_strange_to_read(text: str) -> None:
    """Every view of any text is made of folded lines as long as their cased form, within the text's lines."""
    lines = split_lines(text)

    for _, seen in views(lines):
        for line in seen:
            assert isinstance(line, Line)
            assert len(line.folded) == len(line.cased)
            assert 0 <= line.first <= line.last < len(lines)


@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_plain_letters_are_spelt_like_all_others(text: str) -> None:
    """Nearly every line is printable ASCII and goes a shorter way, with the same end."""
    assert _spelt(text) == unicodedata.normalize("NFKC", text.translate(_SPELLING))


@given(st.text(st.characters(exclude_categories=()), max_size=200))
@example("\u2014 \uff25\u2026")
@example("\u2018\u2019\u201c\u201d\u2039\u203a\u00ab\u00bb\u2010\u2014\u2026\u200b\uff02")
def test_other_letters_are_translated_only_where_one_is_spelt_otherwise(text: str) -> None:
    """Most lines in another script have nothing to translate and are composed already, with the same end (B8)."""
    translated = unicodedata.normalize("NFKC", text.translate(_SPELLING)).translate(_SPELLING)

    assert text.isascii() or _spelt(text) == translated


HEADS = "> |- |bot-1 |2026-05-09T15:42:06Z |[18:09:19] |May  9 10:11:12 |INFO |[x] |#1 |at f|npm |3: "
ODD = ["  ", "\t", " ", "Error: x", '"`', "&lt;", "&", "\x00", "\x1b[1m", "\u03a3", "\u0130", "\u2502", "| "]
LINES = st.lists(
    st.text(max_size=40).map(lambda text: " ".join(text.splitlines()))
    | st.lists(st.sampled_from(ODD + HEADS.split("|")), max_size=8).map("".join),
    max_size=8,
)


@given(LINES)
@example([])
@example(["\u039f\u0394\u039f\u03a3", "\u0391"])
def test_many_lines_are_normalised_like_each_by_itself(lines: list[str]) -> None:
    """What is done to all lines at once never reaches over the end of one."""
    normalised = [normalise_line(line) for line in lines]

    assert _all_normalised(lines) == normalised
    assert _all_folded(normalised) == [fold(line) for line in normalised]


@given(LINES)
def test_what_is_looked_for_with_a_bar_alone_is_nowhere_without_one(lines: list[str]) -> None:
    """Most lines are spared an expression, or the slow part of it, and end up where it would lead them."""
    colourless = [line for line in lines if "\x1b" not in line]

    assert list(_without_marks(colourless)) == [_MARK.sub("", line) for line in colourless]
    for line in map(normalise_line, lines):
        prefix = _PREFIXES_OF_BARRED.match(line)
        assert prefix is not None
        assert prefix_length(line) == prefix.end()
        assert _begins_entry(line) == bool(_BARRED_NEW_ENTRY.match(line))
