"""Lines as readers want them: without colours, quote marks, fences, times, names of containers, levels."""

import html
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import re2

from bot.errors import BotError
from bot.pastes.readers.expressions import readable_by_re2
from bot.pastes.readers.found import CleanLine
from bot.pastes.readers.structured import unpacked


class BadPrefixList(BotError):
    """The list of prefixes cannot be used; `line_number` is 1-based."""

    def __init__(self, name: str, line_number: int, why: str) -> None:
        super().__init__(f"{name}:{line_number}: {why}")
        self.name, self.line_number, self.why = name, line_number, why


class Prefixes:
    """The expressions of a list as prefixes.txt explains them; one automaton tells which of them fit a place."""

    def __init__(self, patterns: Mapping[str, Sequence[str]]) -> None:
        self._set = re2.Set.MatchSet()
        self._entries: list[tuple[str, Any]] = []  # google-re2 ships no types
        for word in PREFIX_WORDS:
            for pattern in patterns.get(word, ()):
                self._set.Add(pattern)
                self._entries.append((word, re2.compile(pattern.encode())))
        if not self._entries:
            self._set.Add(_NOTHING)
        self._set.Compile()

    def at(self, text: str, *, behind: bool, level: str | None) -> tuple[int, str | None]:
        """How many characters of the text's beginning are a prefix, 0 where none are, and the level they name."""
        data = text.encode()  # once, since each search would do it again
        found = self._set.Match(data)
        for index in sorted(found) if found else ():
            word, pattern = self._entries[index]
            if word == "stop":
                return 0, level
            if word == "first" or (word == "then" and behind) or (word == "named" and level):
                match = pattern.match(data)
                if match.lastindex:
                    level = _LETTERS.get(named := match.group(match.lastindex).decode().upper(), named)
                return len(data[: match.end()].decode()), level
        return 0, level


def clean_lines(text: str) -> list[CleanLine]:
    """Every line of the text, cleaned; blank ones are kept, since they end blocks.

    Lines are numbered as `str.splitlines` counts them. `text` has neither indentation nor trailing space. A line of
    structured logging, and one with escaped line ends, becomes several of one number. Time is linear in the text.
    """
    text = readable_by_re2(text)
    bare = [line[:_LONGEST_STRUCTURED] for line in text.splitlines()]
    if not text.isascii() or _SPECIAL.search(text):
        bare = [_plain(line) if not line.isascii() or _SPECIAL.search(line) else line for line in bare]
    marks = _marks_of_all(bare)
    cleaned: list[CleanLine] = []
    for number, line in enumerate(bare):
        cleaned += _clean(_unmarked(line, marks), number)
    return cleaned


def without_prefix(line: str) -> tuple[str, str | None]:
    """The line behind its prefix, indentation kept, and the level that the prefix named last, in upper case."""
    level: str | None = None
    start = len(line) - len(line.lstrip())
    known = _prefixes()
    head = line[start : start + _LONGEST_PREFIX]
    taken = 0
    for _ in range(_MOST_PREFIXES):
        length, level = known.at(head[taken:], behind=taken > 0, level=level)
        if not length:
            break
        taken += length
    return (line if not taken else line[start + taken :]), level


def _clean(line: str, number: int) -> Iterator[CleanLine]:
    rest, level = without_prefix(line)
    stripped = rest.strip()
    if entry := unpacked(stripped):
        # JSON can spell half a surrogate pair, which RE2 cannot read.
        first, *others = map(readable_by_re2, entry.lines[:_MOST_UNPACKED])
        inner, inner_level = without_prefix(first)
        yield _line(inner, number, entry.level or inner_level or level)
        # The level is the entry's; the frames of its stack have none.
        for piece in others:
            yield _line(piece, number, None)
        return
    if "\\n" in stripped and _is_escaped(stripped):
        for place, piece in enumerate(_unescaped(stripped)[:_MOST_UNPACKED]):
            yield _line(piece, number, None if place else level)
        return
    yield _line(rest, number, level)


def _line(text: str, number: int, level: str | None) -> CleanLine:
    text = text[:_LONGEST_LINE]
    if "\t" in text:
        text = text.expandtabs(4)
    words = text.strip()
    return CleanLine(words, number, len(text) - len(text.lstrip()) if words else 0, level)


def _plain(line: str) -> str:
    """Without colours, entities, invisible characters, typographic quotes and fences."""
    if "\x1b" in line:
        line = _ANSI.sub("", line)
    for _ in range(2 if "&" in line else 0):  # `&amp;lt;` was escaped twice
        line = _ENTITY.sub(lambda found: html.unescape(found[0]), line)
    line = line.translate(_SPELLING)
    if "```" in line:
        line = _FENCE.sub("", line)
    return line


def _marks_of_all(lines: Sequence[str]) -> str:
    """Marks that stand on nearly every line and so belong to none: of a diff, of a box."""
    filled = [line.lstrip() for line in lines if line.strip()]
    if len(filled) < 2:
        return ""
    diffs = sum(line.startswith(("+", "-", "@@")) for line in filled)
    boxes = sum(line.startswith(("|", "│", "┃")) for line in filled)
    enough = 0.8 * len(filled)
    return "+-" if diffs >= enough else "|│┃" if boxes >= enough else ""


def _unmarked(line: str, marks: str) -> str:
    bare = line.lstrip()
    if bare.startswith(("> ", ">\t")) or (bare.startswith(">") and not bare.startswith(">>>") and bare[1:2].isalpha()):
        line = bare[1:].removeprefix(" ")
        bare = line.lstrip()
    if marks and bare[:1] in marks and bare:
        return bare[1:] if marks == "+-" else bare[1:].removeprefix(" ")
    return line


def _unescaped(line: str) -> list[str]:
    text = line.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\\t", "    ")
    if '\\"' in text:
        text = text.replace('\\"', '"')
    pieces = [piece for piece in text.split("\n") if piece.strip()]
    for quote in "\"'":
        # The quote that closes the whole belongs to none of its lines.
        if pieces and pieces[-1].endswith(quote) and pieces[-1].count(quote) % 2:
            pieces[-1] = pieces[-1][:-1]
    return pieces


def _is_escaped(line: str) -> bool:
    r"""Whether backslashes stand for line ends here; in `C:\new\notes\next` they do not."""
    return bool(_ESCAPED_STACK.search(line) or (_ESCAPED_LINES.search(line) and not _DRIVE.search(line)))


@cache
def _prefixes() -> Prefixes:
    return read_prefixes("prefixes.txt", (files(__package__) / "prefixes.txt").read_text(encoding="utf-8"))


def read_prefixes(name: str, content: str) -> Prefixes:
    """The prefixes of a list in the form that prefixes.txt explains.

    Raises BadPrefixList.
    """
    kinds: dict[str, list[str]] = {word: [] for word in PREFIX_WORDS}
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        word, tab, pattern = line.partition("\t")
        if not tab or word not in kinds:
            raise BadPrefixList(name, number, 'a line is "first", "then", "named" or "stop", a tab and a regex')
        try:
            if re2.fullmatch(pattern, ""):
                raise BadPrefixList(name, number, "the regex matches nothing at all, and so everywhere")
        except re2.error as error:
            raise BadPrefixList(name, number, f"RE2 refuses the regex: {error}") from error
        kinds[word].append(pattern)
    return Prefixes(kinds)


# In the order in which they are tried: where a stop fits, nothing else counts.
PREFIX_WORDS = ("stop", "first", "then", "named")
_NOTHING = r"[^\x00-\x{10FFFF}]"
# Date, time, container, level, process, thread, logger, and a second round of them inside a container's line.
_MOST_PREFIXES = 12
_LONGEST_PREFIX = 400
# A message is never longer; a minified bundle on one line is cut.
_LONGEST_LINE = 20_000
# A structured line holds a whole stack, which has to be read to its closing brace.
_LONGEST_STRUCTURED = 1 << 20
_MOST_UNPACKED = 2_000

# What makes a line worth more than one look: colours and other control characters, entities, fences.
_SPECIAL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f&]|```")
_LETTERS = {"E": "ERROR", "F": "FATAL", "W": "WARNING", "I": "INFO", "D": "DEBUG", "V": "TRACE", "ERR": "ERROR"}
_SPELLING = {
    # Half a surrogate pair is no UTF-8, which RE2 relies on.
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys(
        [0xAD, 0x34F, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
    ),
    **dict.fromkeys([*range(9), *range(0xE, 0x20), 0x7F]),
    **dict.fromkeys(map(ord, "“”„‟"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛"), "'"),
    **dict.fromkeys(itertools.chain(range(0x2000, 0x200B), (0xA0, 0x202F, 0x3000)), " "),
}
_ANSI = re.compile(r"\x1b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
# A fence with its language alone, or in front of or behind words.
_FENCE = re.compile(r"^\s{0,100}`{3}[\w+#-]{0,20}[ \t]*$|`{3}")
# Line ends that were escaped: before a frame, or three of them.
_ESCAPED_STACK = re2.compile(
    r'\\n(?:\\t|\s){0,8}(?:at |File \\?"|Traceback|Caused by)|Traceback \(most recent call last\):\\n'
)
_ESCAPED_LINES = re2.compile(r"(?:\\n.+){3}")
_DRIVE = re2.compile(r"[A-Za-z]:\\[\w.]")
