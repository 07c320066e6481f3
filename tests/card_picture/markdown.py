"""Discord's Markdown, as far as cards can hold it, turned into HTML the way its clients do.

An independent reading of what the clients show: tests use it to see that hostile text became nothing but text. What a
client would turn into a mention, an emoji, a time or a spoiler has the class "live" here.
"""

import html
import re
from collections.abc import Callable

_FENCE = re.compile(r"```(?:([A-Za-z0-9_+.#-]+)\n)?\n*([^\n][\s\S]*?)\n*```")
_HEADING = re.compile(r"(#{1,3}) +(.+)")
_SMALL = re.compile(r"-# +(.+)")
_QUOTE = re.compile(r"(?:>>>|>) (.*)")
_ITEM = re.compile(r"( *)([-*]|\d{1,9}\.) +(.+)")

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]


def to_html(text: str) -> str:
    """Return the HTML of one text display."""
    pieces: list[str] = []
    done = 0
    for fence in _FENCE.finditer(text):
        # A backslash before the first mark makes it three ordinary characters.
        if text[: fence.start()].endswith("\\"):
            continue
        pieces.append(_lines(text[done : fence.start()].removesuffix("\n")))
        pieces.append(f"<pre>{html.escape(fence[2])}</pre>")
        done = fence.end()
        if text[done : done + 1] == "\n":
            done += 1
    pieces.append(_lines(text[done:]))
    return "".join(pieces)


def visible_text(text: str) -> str:
    """Return what a reader sees of a text display, without its looks; lines end as in the text."""
    shown = re.sub(r"<pre>([\s\S]*?)</pre>", r"\1\n", to_html(text))
    shown = re.sub(r"</(?:div|h[1-3])>", "\n", shown)
    return html.unescape(re.sub(r"<[^>]*>", "", shown)).replace("\u200b", "").removesuffix("\n")


def _lines(text: str) -> str:
    if not text:
        return ""
    return "".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    if heading := _HEADING.fullmatch(line):
        level = len(heading[1])
        return f"<h{level}>{inline(heading[2])}</h{level}>"
    if small := _SMALL.fullmatch(line):
        return f'<div class="small">{inline(small[1])}</div>'
    if quote := _QUOTE.fullmatch(line):
        return f'<div class="quote live">{inline(quote[1])}</div>'
    if item := _ITEM.fullmatch(line):
        mark = "•" if item[2] in "-*" else item[2]
        return (
            f'<div class="item" style="--depth:{len(item[1]) // 2}"><b class="mark">{mark} </b>{inline(item[3])}</div>'
        )
    return f"<div>{inline(line) or '&#8203;'}</div>"


def inline(text: str) -> str:
    """Return the HTML of a line without its block mark."""
    pieces: list[str] = []
    while text:
        for pattern, show in _RULES:
            if found := pattern.match(text):
                pieces.append(show(found))
                text = text[found.end() :]
                break
        else:
            pieces.append(html.escape(text[0]))
            text = text[1:]
    return "".join(pieces)


def _live(found: re.Match[str]) -> str:
    return f'<span class="live">{html.escape(found[0])}</span>'


def _wrap(tag: str, group: int = 1) -> Callable[[re.Match[str]], str]:
    return lambda found: f"<{tag}>{inline(found[group])}</{tag}>"


def _link(found: re.Match[str]) -> str:
    return f'<a href="{html.escape(found[2])}">{inline(found[1])}</a>'


def _bare_link(found: re.Match[str]) -> str:
    return f'<a href="{html.escape(found[1])}">{html.escape(found[1])}</a>'


_RULES: tuple[Rule, ...] = (
    (re.compile(r"\\([^0-9A-Za-z\s])"), lambda found: html.escape(found[1])),
    (re.compile(r"<(https?://[^\s>]+)>"), _bare_link),
    (re.compile(r"(https?://[^\s<]+[^<.,:;\"'\]\s])"), _bare_link),
    (
        re.compile(
            r"\[((?:\\.|\[[^\]]*\]|[^\[\]\\])*)\]\(\s*<?((?:\([^)]*\)|[^\s\\()]|\\.)*?)>?(?:\s+['\"].*?['\"])?\s*\)"
        ),
        _link,
    ),
    (re.compile(r"(`+)([\s\S]*?[^`])\1(?!`)"), lambda found: f"<code>{html.escape(found[2])}</code>"),
    (re.compile(r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)"), _wrap("b")),
    (re.compile(r"__((?:\\.|[^\\])+?)__(?!_)"), _wrap("u")),
    (re.compile(r"\*(?=\S)((?:\*\*|\\.|\s+(?:\\.|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"), _wrap("i")),
    (re.compile(r"_((?:__|\\.|[^\\_])+?)_(?![A-Za-z0-9_])"), _wrap("i")),
    (re.compile(r"~~([\s\S]+?)~~(?!_)"), _wrap("s")),
    (re.compile(r"\|\|([\s\S]+?)\|\|"), _live),
    (re.compile(r"@(?:everyone|here)"), _live),
    (re.compile(r"<(?:@[!&]?\d+|#\d+|/[^>\n]+:\d+|t:-?\d+(?::[A-Za-z])?|a?:\w+:\d+|id:\w+)>"), _live),
    (re.compile(r"<(?:mailto:|tel:|\+)[^\s>]+>"), _live),
    # A word is taken whole, so that snake_case is not looked into.
    (
        re.compile(r"[0-9A-Za-z]+(?=https?://)|(?:(?!https?://)[0-9A-Za-z])+(?:_+(?=[0-9A-Za-z])[0-9A-Za-z]+)*"),
        lambda found: html.escape(found[0]),
    ),
)
