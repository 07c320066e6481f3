"""Hostile text is shown as what it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.cleaning import clean, clean_line
from bot.cogs.card_markdown import fence, inline_code, line, link, prose
from tests.card_picture.markdown import to_html, visible_text
from tests.cogs.card_checks import is_live
from tests.strategies import NASTY, long_texts, nasty_texts

_PING = re.compile(r"@(everyone|here)|<@[!&]?\d")


@pytest.mark.parametrize("text", NASTY)
def test_each_nasty_text_is_inert(text: str) -> None:
    """C5: nothing that means something to Discord means it when it comes from a log or a record."""
    shown = prose(f"before {text} after")

    assert not is_live(shown)
    assert not _PING.search(shown)


@given(nasty_texts())
def test_prose_is_inert(text: str) -> None:
    """C5: nor does any combination of such texts."""
    shown = prose(text)

    assert not is_live(shown)
    assert not _PING.search(shown)


@given(nasty_texts().map(lambda text: text.replace("`", "").replace("https://", "")))
def test_what_is_read_is_what_was_written(text: str) -> None:
    """Escaping adds nothing a reader sees and takes nothing away, so a step can be copied (D6)."""
    assert visible_text(prose(text)) == clean(text)


@given(nasty_texts())
def test_a_line_is_one_line_without_a_block_mark(text: str) -> None:
    """A title or step cannot begin a heading, a list, a quote or small print of its own."""
    shown = line(text)

    assert "\n" not in shown
    assert not re.search(r"<(h\d|div class)", to_html(shown))


@given(long_texts(300), st.sampled_from(("", "rs", "c++", "`x")))
def test_a_fence_is_closed_where_it_ends(code: str, language: str) -> None:
    """D2: nothing in a code block ends it early, and nothing follows it."""
    block = fence(code, language)

    assert re.fullmatch(r"(?s)|<pre>[^<]*</pre>", to_html(block))
    assert not _PING.search(block)
    assert block.count("```") in {0, 2}


@given(nasty_texts())
def test_inline_code_is_one_span(text: str) -> None:
    """D5: a captured value is inside its span altogether."""
    span = inline_code(text)

    assert re.fullmatch(r"|<div><code>[^<]*</code></div>", to_html(span))
    assert not _PING.search(span)


def test_code_in_prose_stays_code() -> None:
    """Record texts write identifiers as inline code; they keep that look."""
    assert prose("waits on `rx.recv()` for *one* message") == "waits on `rx.recv()` for \\*one\\* message"


def test_what_people_copy_is_left_alone() -> None:
    """D6: identifiers, paths, packages and links carry no backslashes."""
    text = "set FOO_BAR=1 in C:\\Users\\x, npm i foo@1.2.3, see https://docs.rs/a_b/c"

    assert prose(text) == text


def test_code_blocks_keep_tags_and_versions() -> None:
    """Code is shown as it was written where it can do no harm."""
    code = '<div></div> npm i "foo@1.2.3" <:x:1>'

    assert fence(code, "html") == f"```html\n{code}\n```"


@given(nasty_texts())
def test_a_link_goes_where_it_says(label: str) -> None:
    """A masked link has one address, whatever its label holds."""
    shown = to_html(f"see {link('x' + label, 'https://discord.com/channels/1/2/3')}")

    assert re.findall(r'href="([^"]*)"', shown) == ["https://discord.com/channels/1/2/3"]
    assert shown.startswith("<div>see <a")
    assert shown.endswith("</a></div>")


@given(nasty_texts())
def test_a_line_is_clean(text: str) -> None:
    """What is blank stays blank, what is not stays visible."""
    assert bool(line(text)) == bool(clean_line(text))


@pytest.mark.parametrize("text", ["` `", "a `  ` b", "`` ` ``"])
def test_a_span_with_nothing_in_it_is_two_marks(text: str) -> None:
    """Nothing is dropped: what would be empty code is shown as it was written."""
    assert visible_text(prose(text)) == text
