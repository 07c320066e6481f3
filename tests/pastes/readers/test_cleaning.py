"""Lines without what stands before their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.readers.cleaning import BadPrefixList, clean_lines, read_prefixes


@pytest.mark.parametrize(
    ("line", "text", "level"),
    [
        ("web-1  | boom", "boom", None),
        ("2026-11-30T14:00:00.123+01:00 ERROR 12 --- [ main] c.e.Shop : boom", "boom", "ERROR"),
        ("2026-11-30 14:00:00,123 ERROR [main] com.foo.Bar - boom", "boom", "ERROR"),
        ("2026-11-30 14:00:00 UTC [77] FATAL:  boom", "boom", "FATAL"),
        ("2026/11/30 14:00:00 [error] 31#31: *1 boom", "boom", "ERROR"),
        ("Nov 30 14:00:00 host unit[123]: boom", "boom", None),
        ("##[error]boom", "boom", "ERROR"),
        ("#12 3.456 boom", "boom", None),
        ("2026-11-30T14:00:00.1Z stderr F boom", "boom", None),
        ("E/Tag( 123): boom", "boom", "ERROR"),
        ("11-30 14:00:00.123  1234  1234 W Tag: boom", "boom", "WARNING"),
        ("ERROR:root:boom", "boom", "ERROR"),
        ("\x1b[31m[ERROR]\x1b[0m boom", "boom", "ERROR"),
        ("[14:00:00] [Server thread/WARN]: boom", "boom", "WARN"),
        ("[12345.678901] boom", "boom", None),
        ("> boom", "boom", None),
        ("&lt;boom&gt;", "<boom>", None),
        ("bo\u200bom \u201cx\u201d", 'boom "x"', None),
        ("```it went boom", "it went boom", None),
        ("```python", "", None),
        # what is no prefix
        (">>> boom", ">>> boom", None),
        ("error: boom", "error: boom", None),
        ("FATAL ERROR: boom", "FATAL ERROR: boom", None),
        ("web-1 | shop.errors.SoldOut: boom", "shop.errors.SoldOut: boom", None),
        ("12 | boom", "12 | boom", None),
        ("C:\\new\\notes\\next\\name", "C:\\new\\notes\\next\\name", None),
        ("ошибка: нет файла", "ошибка: нет файла", None),
    ],
)
def test_a_line_is_left_with_its_words(line: str, text: str, level: str | None) -> None:
    """Prefixes of containers, CI, journals and loggers go, the level is kept aside, every script stays (B1, B8)."""
    (cleaned,) = clean_lines(line)

    assert (cleaned.text, cleaned.level) == (text, level)


def test_indentation_is_counted_behind_the_prefix() -> None:
    """A frame inside a container's log is indented as it was when the program printed it."""
    lines = clean_lines("a-1  | Traceback:\na-1  |   File\na-1  |     code")

    assert [line.indent for line in lines] == [0, 2, 4]


@pytest.mark.parametrize("mark", ["+", "-", "| ", "│ "])
def test_marks_on_every_line_belong_to_none(mark: str) -> None:
    """Of a diff, or of a box; where few lines have one it is their own."""
    lines = clean_lines("\n".join(f"{mark}{word}" for word in ("one", "two", "three")))

    assert [line.text for line in lines] == ["one", "two", "three"]
    assert clean_lines(f"one\n{mark}two\nthree")[1].text == f"{mark}two"


def test_a_progress_bar_ends_at_its_carriage_returns() -> None:
    """What was printed over is a line of its own, as str.splitlines counts."""
    assert [line.text for line in clean_lines("10 %\r90 %\rboom")] == ["10 %", "90 %", "boom"]


def test_json_is_unpacked_into_lines_of_one_number() -> None:
    """Message first, then the stack with its indentation; the level is that of the entry."""
    lines = clean_lines('x\n{"level":"error","msg":"no","stack":"Error: off\\n    at f (a.js:1:2)"}')

    assert [(line.number, line.indent, line.level, line.text) for line in lines[1:]] == [
        (1, 0, "ERROR", "no"),
        (1, 0, None, "Error: off"),
        (1, 4, None, "at f (a.js:1:2)"),
    ]


@given(st.text())
def test_every_line_is_kept_in_order(text: str) -> None:
    """Numbers rise without a gap; no text has space at its ends."""
    lines = clean_lines(text)

    assert sorted({line.number for line in lines}) == list(range(len(text.splitlines())))
    assert [line.number for line in lines] == sorted(line.number for line in lines)
    assert all(line.text == line.text.strip() for line in lines)


@pytest.mark.parametrize(
    ("content", "why"),
    [("first x", "a tab and a regex"), ("last\tx", "a tab and a regex"), ("first\t(x", "RE2"), ("then\tx*", "nothing")],
)
def test_a_bad_list_names_its_line(content: str, why: str) -> None:
    """Whoever tunes the list is told where it is wrong."""
    with pytest.raises(BadPrefixList, match=rf"mine\.txt:2: .*{why}"):
        read_prefixes("mine.txt", f"# mine\n{content}\n")
