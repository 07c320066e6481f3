"""Untrusted text as Discord Markdown that shows it and does nothing else.

Backslashes stop the clients' Markdown. They do not stop the server from finding mentions, so those are broken with a
zero-width space as well: `AllowedMentions.none()` is the first line of defence, not the only one.
"""

import re

from bot.answers.cleaning import clean

_BREAK = "\u200b"
_ROUND = str.maketrans("[]", "()")
_SPAN = re.compile(r"(?<!`)`([^`\n]*[^`\s][^`\n]*)`(?!`)")  # one with nothing in it is two ordinary marks
# Only characters that cannot themselves be Markdown; what follows them is escaped like any other text.
_LINK = re.compile(r"\bhttps?://[\w\-.~:/?#@!$&'+,;=%]+", re.ASCII)
# What the server itself takes for a mention, wherever it stands.
_PING = re.compile(r"@(?=everyone|here)|(?<=<)@(?=[!&]?\d)")
# What clients draw as something else. A backslash alone is not enough: an address in front of it swallows it.
# Not touched in code: there they draw nothing, and `</div>` has to stay copyable.
_TOKEN = re.compile(r"<(?=#\d|/[^<>\n]{1,100}:\d|t:-?\d|a?:\w+:\d|id:\w|mailto:|tel:|\+\d)")
_LINE_START = re.compile(r"^(\s*)(?:([#>*+-])|(\d+)([.)]))", re.MULTILINE)
_SPECIAL = re.compile(
    r"""
    (?P<always>[*`])
  | (?P<backslash>\\)(?![A-Za-z0-9])      # before a letter it is shown as it is: C:\Users stays copyable
  | (?P<underscore>(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))  # inside snake_case it does nothing
  | (?P<pair>~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\|)
  | (?P<angle><)(?=[@\#:/+\u200b]|[A-Za-z][\w+.-]*:)
  | (?P<link>\](?=\s*\()|(?<=\])\()
    """,
    re.VERBOSE,
)


def prose(text: str) -> str:
    """Return text that Discord shows as it reads, except that balanced `inline code` stays inline code.

    Links keep working, under their true address; nothing else is Markdown, a mention, an emoji or a time any more.
    """
    text = clean(text)
    pieces: list[str] = []
    done = 0
    for span in _SPAN.finditer(text):
        pieces += [_escape(text[done : span.start()], at_line_start=_at_line_start(text, done)), inline_code(span[1])]
        done = span.end()
    pieces.append(_escape(text[done:], at_line_start=_at_line_start(text, done)))
    return "".join(pieces)


def line(text: str) -> str:
    """Return what `prose` returns, on one line: fit to stand in a heading, a list or small print."""
    return prose(" ".join(clean(text).split()))


def inline_code(text: str) -> str:
    """Return the text as inline code on one line; "" for a blank one."""
    text = _without_pings(" ".join(clean(text).split()))
    if not text:
        return ""
    if "`" not in text:
        return f"`{text}`"
    # Two marks may enclose single ones; a run of more would open a fence.
    text = re.sub(r"`{2,}", lambda run: _BREAK.join(run[0]), text)
    padded = f"{_BREAK if text.startswith('`') else ''}{text}{_BREAK if text.endswith('`') else ''}"
    return f"``{padded}``"


def fence(code: str, language: str = "") -> str:
    """Return the text as a block of code; nothing in it can end the block. "" for a blank one."""
    code = _without_pings(clean(code))
    if not code.strip():
        return ""
    code = re.sub(r"`{3,}", lambda run: _BREAK.join(run[0]), code)
    language = language if language.isascii() and language.isalnum() else ""
    return f"```{language}\n{code}\n```"


def link(text: str, url: str) -> str:
    """Return a masked link. The address must be one of ours or checked (`provenance.safe_url`)."""
    # Clients do not agree on escaped brackets in a label. A bare address in it would be a link of its own.
    label = line(text.translate(_ROUND)).replace("://", f":{_BREAK}//")
    return f"[{label}](<{url.replace('>', '%3E').replace('<', '%3C').replace(' ', '%20')}>)"


def _at_line_start(text: str, index: int) -> bool:
    return index == 0 or text[index - 1] == "\n"


def _without_pings(text: str) -> str:
    return _PING.sub(lambda found: found[0] + _BREAK, text)


def _escape(text: str, *, at_line_start: bool) -> str:
    pieces: list[str] = []
    done = 0
    for found in _LINK.finditer(text):
        pieces += [_escape_words(text[done : found.start()]), _without_pings(found[0])]
        done = found.end()
    pieces.append(_escape_words(text[done:]))
    escaped = "".join(pieces)
    if not at_line_start:
        head, newline, rest = escaped.partition("\n")
        return head + newline + _LINE_START.sub(_harmless_start, rest) if newline else escaped
    return _LINE_START.sub(_harmless_start, escaped)


def _escape_words(text: str) -> str:
    text = _TOKEN.sub(lambda found: found[0] + _BREAK, _without_pings(text))
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def _harmless_start(found: re.Match[str]) -> str:
    space, sign, number, dot = found.groups()
    return f"{space}\\{sign}" if sign else f"{space}{number}\\{dot}"
