"""One spelling for a paste and for the messages it is searched for.

Both sides go through `normalise_line`, so that letter case, kinds of quotes, dashes and spaces, terminal colours and
HTML entities make no difference. A paste is looked at in up to five views:

- `LINES`: each line by itself, blank ones left out;
- `WRAPPED_SOFT`, `WRAPPED_HARD`, `WRAPPED_AT_WIDTH`: neighbouring lines that may be one line broken by a terminal or a
  mail program, put together again. A soft wrap breaks between words, a hard one inside them, and a hard one whose
  trailing spaces were lost breaks between words exactly where a line does not fill the width;
- `UNESCAPED`: lines that hold escapes (a log line in JSON, a `repr`), with their line ends and quotes restored.

Positions lead back to lines of the original text: a person quotes a line, not an offset.
"""

import html
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Kinds of quotes differ between versions of a message, between shells and editors, and Discord itself turns some into
# code marks. No two messages of the catalogue differ in nothing else.
_ONE_QUOTE = dict.fromkeys(map(ord, '"`´‘’‚‛“”„‟′″‹›«»'), "'")
_ONE_DASH = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
# Zero-width and direction marks, byte order marks, soft hyphens: invisible, so nobody can have meant them.
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x34F, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)
_CONTROL = dict.fromkeys([*range(9), *range(0xE, 0x20), 0x7F])
# Half of a pair is no character, and no engine that searches a line takes it.
_HALF = dict.fromkeys(range(0xD800, 0xE000), "?")
_SPELLING = {**_ONE_QUOTE, **_ONE_DASH, **_INVISIBLE, **_CONTROL, **_HALF, ord("…"): "..."}
_ASCII_SPELLING = {key: value for key, value in _SPELLING.items() if key < 128}

# ECMA-48 control sequences and the operating system commands terminals use for titles and links.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
# A log escaped so often does not exist; without an end, one line of `&amp;amp;amp;…` would take a tenth of a second.
_MOST_ENTITY_ROUNDS = 8
_ESCAPE = re.compile(
    r"""(?P<bytes>(?:\\x[89a-fA-F][0-9a-fA-F]){2,}) |
    (?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}) |
    \\(?:u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt"'\\/])""",
    re.VERBOSE,
)
_LIKELY_ESCAPED = re.compile(r"\\(?:[nt\"]|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|x[89a-fA-F][0-9a-fA-F])")

# What stands before the words of a line: quote and diff marks, container names, timestamps, levels.
_PREFIX = re.compile(
    r"""(?:
        [>+|]+\s* | -\s+ | \#\d+\s+(?:\d+\.\d+\s+)? |
        [\w.-]{1,40}\s{0,20}\|\s |
        \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?:?\s* |
        \[?\d\d:\d\d:\d\d[.,\d]*\]?\s* |
        [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d\s+ |
        \[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\]?:?\s+ |
        \[[\w\s./:-]{1,40}\]:?\s+
    )""",
    re.VERBOSE,
)
# A line that begins so begins something new, however long the line before it was.
_NEW_ENTRY = re.compile(
    r"""\s*(?:
        at\s | File\s" | Caused\sby | \.\.\.\s\d | Traceback\s | thread\s' | note: | stack\sbacktrace |
        \d{4}-\d\d-\d\d | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d: | \d+:\s | \#\d | ``` | \{" | \[\w+\]\s |
        [\w.-]{1,40}\s{0,20}\|\s | (?:npm|error|warning|ERROR|WARN|INFO|DEBUG|FATAL)\b[:!\s]
    )""",
    re.VERBOSE,
)
# Quote marks, diff marks and container names stand on every line, also on those a wrap made.
_MARK = re.compile(r"^\s*(?:(?:>\s?)+|[+|│┃]\s?|[\w.-]{1,40}\s{0,20}\|\s)")
_MOST_WRAPPED_LINES = 16
# Longer lines are cut for matching only: a minified bundle on one line holds no message a person could point at.
LONGEST_LINE = 20_000


class View(StrEnum):
    """A way of looking at a paste; earlier ones are preferred when they find the same."""

    LINES = "lines"
    WRAPPED_SOFT = "wrapped soft"
    WRAPPED_HARD = "wrapped hard"
    WRAPPED_AT_WIDTH = "wrapped at width"
    UNESCAPED = "unescaped"

    # It is a text; the hash of an enumeration is computed in Python, and views name thousands of lines.
    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Line:
    """A normalised line: `folded` in lower case for matching, `cased` of the same length for quoting.

    `first` and `last` are the original lines (0-based) it was made from; the message proper begins at `body`.
    """

    folded: str
    cased: str
    first: int
    last: int
    body: int


def normalise_line(text: str) -> str:
    """The line in its one spelling, letter case kept. Doing it twice changes nothing."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    text = _spelt(text)
    rounds = 0
    while "&" in text and _ENTITY.search(text):  # `&amp;lt;` is an entity escaped once more
        if rounds == _MOST_ENTITY_ROUNDS:
            text = _ENTITY.sub(" ", text)
            break
        text = _spelt(_ENTITY.sub(lambda found: html.unescape(found[0]), text))
        rounds += 1
    return " ".join(text.split())


def _spelt(text: str) -> str:
    if text.isascii():
        if text.isprintable():  # nearly every line: no control character, so only the quotes are left
            return text.replace('"', "'").replace("`", "'")
        return text.translate(_ASCII_SPELLING)
    # Compatibility forms (full width, ligatures, NBSP) become plain ones; no letter of any script is dropped.
    return unicodedata.normalize("NFKC", text.translate(_SPELLING)).translate(_SPELLING)


def fold(text: str) -> str:
    """Lower case of the same length, so that positions in it are positions in `text`."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)


def prefix_length(line: str) -> int:
    """How many characters of a normalised line stand before its words: timestamps, levels, container names."""
    end = 0
    for _ in range(6):  # date, level, thread, logger: no common format has more
        found = _PREFIX.match(line, end)
        if found is None or found.end() == end:
            break
        end = found.end()
    return end


def split_lines(text: str) -> list[str]:
    """The original lines; a carriage return alone ends one too, as progress bars use it."""
    return [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] for line in text.splitlines()]


def views(lines: Sequence[str]) -> Iterator[tuple[View, list[Line]]]:
    """Each view of the paste that has anything to add, plain lines first."""
    bare = [_without_mark(text) for text in lines]
    yield (
        View.LINES,
        [_line(normalised, number, number) for number, text in enumerate(bare) if (normalised := normalise_line(text))],
    )
    runs = list(_runs(bare))
    seen: set[str] = set()
    for view, join in (
        (View.WRAPPED_SOFT, _join_words),
        (View.WRAPPED_HARD, "".join),
        (View.WRAPPED_AT_WIDTH, _join_at_width),
    ):
        joined = [
            _line(text, first, first + len(run) - 1) for first, run in runs if (text := normalise_line(join(run)))
        ]
        fresh = [line for line in joined if line.folded not in seen]
        seen.update(line.folded for line in fresh)
        if fresh:
            yield view, fresh
    escaped = [line for number, text in enumerate(bare) for line in _unescaped(text, number)]
    if escaped:
        yield View.UNESCAPED, escaped


def _line(normalised: str, first: int, last: int) -> Line:
    return Line(fold(normalised), normalised, first, last, prefix_length(normalised))


def _unescaped(text: str, number: int) -> Iterator[Line]:
    if "\\" not in text or not _LIKELY_ESCAPED.search(text):
        return
    restored = text
    for _ in range(2):  # a JSON line inside a JSON line is common, deeper is not
        before, restored = restored, _ESCAPE.sub(_restore, restored)
        if before == restored:
            break
    for piece in restored.splitlines():
        if normalised := normalise_line(piece):
            yield _line(normalised, number, number)


def _restore(found: re.Match[str]) -> str:
    escape = found[0]
    if found["bytes"]:
        return _letters(bytes.fromhex(escape.replace("\\x", "")))
    if found["pair"]:
        return _printable(bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be"))
    if escape[1] in "uUx":
        return _printable(chr(int(f"0x{escape[2:]}", 0)))
    return {"n": "\n", "r": "\n", "t": " "}.get(escape[1], escape[1])


def _letters(data: bytes) -> str:
    """UTF-8, as the `repr` of bytes shows it, or a letter of Latin-1 a byte, as that of a text does."""
    try:
        return _printable(data.decode())
    except UnicodeDecodeError:
        return _printable(data.decode("latin-1"))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _without_mark(line: str) -> str:
    if "\x1b" in line:
        line = _ANSI.sub("", line)
    return _MARK.sub("", line)


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Neighbouring lines that may be one, with the number of the first; what begins something new begins a run."""
    run: list[str] = []
    start = 0
    for number, text in enumerate([*lines, ""]):
        if not text.strip() or len(run) == _MOST_WRAPPED_LINES or _NEW_ENTRY.match(text):
            if len(run) > 1:
                yield start, run
            run = []
        if text.strip():
            if not run:
                start = number
            run = [*run, text]


def _join_words(run: Sequence[str]) -> str:
    """Between words, or behind a slash or hyphen, where browsers and terminals break too."""
    text = run[0].rstrip()
    for line in run[1:]:
        text += line.strip() if text.endswith(("/", "-")) else f" {line.strip()}"
    return text


def _join_at_width(run: Sequence[str]) -> str:
    width = max(map(len, run))
    text = run[0]
    for before, after in itertools.pairwise(run):
        text += after if len(before) == width else f" {after}"
    return text
