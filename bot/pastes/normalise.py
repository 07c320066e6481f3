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

import functools
import html
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.pastes.escapes import unescaped

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
_SPELT_OTHERWISE = re.compile(f"[{re.escape(''.join(map(chr, _SPELLING)))}]")
_MOST_REPLACED = 8
_ASCII_SPELLING = {key: value for key, value in _SPELLING.items() if key < 128}
# Of an ASCII text with nothing else in it, only quotes and spaces may want another spelling.
_PLAIN = bytes([ord("\t"), ord("\n"), *range(ord(" "), 0x7F)])

# ECMA-48 control sequences and the operating system commands terminals use for titles and links.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
# A log escaped so often does not exist; without an end, one line of `&amp;amp;amp;…` would take a tenth of a second.
_MOST_ENTITY_ROUNDS = 8

# A container's name is looked for only in lines with a bar: everywhere, each word would be tried as one.
_CONTAINER = r"[\w.-]{1,40}\s{0,20}\|\s"
_NO_CONTAINER = r"(?!)"
# What stands before the words of a line: quote and diff marks, container names, timestamps, levels. At most six: date,
# level, thread, logger; no common format has more.
_PREFIXES = r"""(?:
        [>+|]+\s* | -\s+ | \#\d+\s+(?:\d+\.\d+\s+)? |
        <container> |
        \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?:?\s* |
        \[?\d\d:\d\d:\d\d[.,\d]*\]?\s* |
        [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d\s+ |
        \[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\]?:?\s+ |
        \[[\w\s./:-]{1,40}\]:?\s+
    ){0,6}"""
# A line that begins so begins something new, however long the line before it was.
_NEW_ENTRY = r"""\s*+(?:
        at\s | File\s" | Caused\sby | \.\.\.\s\d | Traceback\s | thread\s' | note: | stack\sbacktrace |
        \d{4}-\d\d-\d\d | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d: | \d+:\s | \#\d | ``` | \{" | \[\w+\]\s |
        <container> | (?:npm|error|warning|ERROR|WARN|INFO|DEBUG|FATAL)\b[:!\s]
    )"""


def _compiled(pattern: str, container: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("<container>", container), re.VERBOSE)


_PREFIXES_OF_BARRED, _PREFIXES_OF_BARLESS = _compiled(_PREFIXES, _CONTAINER), _compiled(_PREFIXES, _NO_CONTAINER)
_BARRED_NEW_ENTRY, _BARLESS_NEW_ENTRY = _compiled(_NEW_ENTRY, _CONTAINER), _compiled(_NEW_ENTRY, _NO_CONTAINER)
# Quote marks, diff marks and container names stand on every line, also on those a wrap made.
_MARK = re.compile(rf"^\s*+(?:(?:>\s?)+|[+|│┃]\s?|{_CONTAINER})")
_MARKS = frozenset(">+|│┃")
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


class Line(NamedTuple):
    """A normalised line: `folded` in lower case for matching, `cased` of the same length for quoting.

    `first` and `last` are the original lines (0-based) it was made from; the message proper begins at `body`.
    A tuple, since a log has thousands: made and compared in a third of the time that a dataclass takes.
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
        text = _spelt(_ENTITY.sub(lambda found: _meant(found[0]), text))
        rounds += 1
    return " ".join(text.split())


@functools.lru_cache(maxsize=1024)
def _meant(entity: str) -> str:
    return html.unescape(entity)


def _spelt(text: str) -> str:
    if text.isascii():
        if text.isprintable():  # nearly every line: no control character, so only the quotes are left
            return text.replace('"', "'").replace("`", "'")
        return text.translate(_ASCII_SPELLING)
    # Compatibility forms (full width, ligatures, NBSP) become plain ones; no letter of any script is dropped.
    return _respelt(unicodedata.normalize("NFKC", _respelt(text)))


def _respelt(text: str) -> str:
    """The text translated by _SPELLING: a few letters are replaced in a tenth of the time that all letters take."""
    letters = set(_SPELT_OTHERWISE.findall(text))
    if len(letters) > _MOST_REPLACED:
        return text.translate(_SPELLING)
    for letter in letters:
        text = text.replace(letter, _SPELLING[ord(letter)] or "")
    return text


def fold(text: str) -> str:
    """Lower case of the same length, so that positions in it are positions in `text`."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)


def prefix_length(line: str) -> int:
    """How many characters of a normalised line stand before its words: timestamps, levels, container names."""
    if "|" in line:
        found = _PREFIXES_OF_BARRED.match(line)
    elif line[:1].islower():  # nothing but a container's name begins so
        return 0
    else:
        found = _PREFIXES_OF_BARLESS.match(line)
    return found.end() if found else 0


def split_lines(text: str) -> list[str]:
    """The original lines; a carriage return alone ends one too, as progress bars use it."""
    lines = text.splitlines()
    if len(text) <= LONGEST_LINE:
        return lines
    return [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] for line in lines]


def views(lines: Sequence[str]) -> Iterator[tuple[View, list[Line]]]:
    """Each view of the paste that has anything to add, plain lines first. The lines are those of `split_lines`."""
    bare = _without_marks(lines)
    numbers = range(len(bare))
    yield View.LINES, _lines(bare, numbers, numbers)
    runs = list(_runs(bare))
    tried: set[str] = set()
    seen: set[str] = set()
    for view, join in (
        (View.WRAPPED_SOFT, _join_words),
        (View.WRAPPED_HARD, "".join),
        (View.WRAPPED_AT_WIDTH, _join_at_width),
    ):
        joined = [(text, first, first + len(run) - 1) for first, run in runs if (text := join(run)) not in tried]
        if not joined:
            continue
        texts, firsts, lasts = zip(*joined, strict=True)
        fresh = [line for line in _lines(texts, firsts, lasts) if line.folded not in seen]
        tried.update(texts)
        seen.update(line.folded for line in fresh)
        if fresh:
            yield view, fresh
    pieces = [(piece, number) for number, text in enumerate(bare) if "\\" in text for piece in unescaped(text)]
    if pieces:
        texts, firsts = zip(*pieces, strict=True)
        if escaped := _lines(texts, firsts, firsts):
            yield View.UNESCAPED, escaped


def _lines(texts: Sequence[str], firsts: Iterable[int], lasts: Iterable[int]) -> list[Line]:
    """Each text normalised, with the original lines it was made from; those of which nothing is left are left out."""
    normalised = _all_normalised(texts)
    return [
        Line(folded, cased, first, last, prefix_length(cased))
        for folded, cased, first, last in zip(_all_folded(normalised), normalised, firsts, lasts, strict=True)
        if cased
    ]


def _all_normalised(lines: Sequence[str]) -> list[str]:
    """`normalise_line` of each; what can be done to all at once is."""
    whole = "\n".join(lines)
    if not _is_plain(whole):
        lines = [
            line if line.isascii() and line.isprintable() and "&" not in line else normalise_line(line)
            for line in lines
        ]
        whole = "\n".join(lines)
    spelt = whole.replace("\t", " ").replace('"', "'").replace("`", "'").split("\n") if lines else []
    return [" ".join(line.split()) if "  " in (line := text.strip()) else line for text in spelt]


def _is_plain(text: str) -> bool:
    return text.isascii() and not text.encode().translate(None, _PLAIN) and not ("&" in text and _ENTITY.search(text))


def _all_folded(normalised: Sequence[str]) -> list[str]:
    """`fold` of each; a text as long in lower case as before has no letter that `fold` would leave alone."""
    whole = "\n".join(normalised)
    folded = whole.lower()
    if len(folded) != len(whole):
        return [fold(text) for text in normalised]
    return folded.split("\n") if normalised else []


def _without_marks(lines: Sequence[str]) -> Sequence[str]:
    """The lines without colours, and without the mark that each may begin with."""
    whole = "\n".join(lines)
    if "\x1b" in whole:
        lines = [_ANSI.sub("", line) if "\x1b" in line else line for line in lines]
    if any(mark in whole for mark in _MARKS):
        lines = [_MARK.sub("", line) if line.lstrip()[:1] in _MARKS or "|" in line else line for line in lines]
    return lines


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Neighbouring lines that may be one, with the number of the first; what begins something new begins a run."""
    run: list[str] = []
    for number, text in enumerate(lines):
        is_blank = not text or text.isspace()
        if run and (is_blank or len(run) == _MOST_WRAPPED_LINES or _begins_entry(text)):
            if len(run) > 1:
                yield number - len(run), run
            run = []
        if not is_blank:
            run.append(text)
    if len(run) > 1:
        yield len(lines) - len(run), run


def _begins_entry(line: str) -> bool:
    return bool((_BARRED_NEW_ENTRY if "|" in line else _BARLESS_NEW_ENTRY).match(line))


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
