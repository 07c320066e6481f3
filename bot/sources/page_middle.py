"""The middle of an error page: solutions, the example fix, defensive snippets, prevention."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.sources.page_lines import Lines, joined

SOLUTIONS, EXAMPLE_FIX, PREVENTION = "Solutions", "Example fix", "Prevention"
SNIPPET_HEADINGS = ("Validate before calling", "Type guard", "Try / catch")
MIDDLE_HEADINGS = (SOLUTIONS, EXAMPLE_FIX, *SNIPPET_HEADINGS, PREVENTION)

# Examples have some ten lines; a bracket still open after this many pieces was not meant as one.
_LONGEST_BLOCK = 50

_NUMBERED = re.compile(r"\s{0,3}(\d{1,3})\.\s+")
_BULLET = re.compile(r"\s*(?:[•*-]|\d{1,3}\.)\s+")


@dataclass(slots=True)
class Middle:
    """What the middle of a page holds, in its order."""

    solutions: list[str] = field(default_factory=list)
    example_fix: str | None = None
    snippets: list[str] = field(default_factory=list)
    prevention_tips: list[str] = field(default_factory=list)


def read_middle(lines: Lines) -> Middle:
    """The sections in these lines. Code without a heading is a snippet, one for each block.

    Pages do not mark where a block of code ends, and code has blank lines: a block goes on as long as brackets are
    open that a later one closes, or the next one is indented.
    """
    middle = Middle()
    for heading, section in _sections(lines):
        if heading == SOLUTIONS:
            count = _solution_lines(section)
            middle.solutions = _items(section[:count], _NUMBERED)
            middle.snippets += code_blocks(section[count:])
        elif heading == EXAMPLE_FIX:
            blocks = code_blocks(section)
            middle.example_fix = blocks[0] if blocks else None
            middle.snippets += blocks[1:]
        elif heading in SNIPPET_HEADINGS:
            middle.snippets += [code] if (code := joined(section)) else []
        elif heading == PREVENTION:
            middle.prevention_tips = _items(section, _BULLET)
        else:
            middle.snippets += code_blocks(section)
    return middle


def code_blocks(lines: Lines) -> list[str]:
    """The blocks of code in these lines, as they stand."""
    chunks = list(_chunks(lines))
    blocks: list[str] = []
    position = 0
    while position < len(chunks):
        end = _block_end(chunks, position)
        blocks.append("\n\n".join(chunks[position:end]))
        position = end
    return blocks


def _sections(lines: Lines) -> Iterator[tuple[str | None, Lines]]:
    """Each heading with its lines, first those before any heading. Headings count only in the order pages have them."""
    heading: str | None = None
    begin, allowed = 0, 0
    for index, line in enumerate(lines):
        stripped = line.strip()
        if stripped not in MIDDLE_HEADINGS[allowed:] or (index > 0 and lines[index - 1].strip()):
            continue
        yield heading, lines[begin:index]
        heading, begin = stripped, index + 1
        allowed = MIDDLE_HEADINGS.index(stripped) + 1
    yield heading, lines[begin:]


def _solution_lines(lines: Lines) -> int:
    """How many lines belong to the numbered list; a block behind a blank line that does not go on with it ends it."""
    expected = 1
    for index, line in enumerate(lines):
        numbered = _NUMBERED.match(line)
        if numbered and int(numbered[1]) == expected:
            expected += 1
        elif line.strip() and expected > 1 and not lines[index - 1].strip() and not line[0].isspace():
            return index
    return len(lines)


def _items(lines: Lines, mark: re.Pattern[str]) -> list[str]:
    items: list[list[str]] = []
    for line in lines:
        found = mark.match(line)
        if found:
            items.append([line[found.end() :]])
        elif items:
            items[-1].append(line)
        elif line.strip():
            items.append([line])
    return [text for item in items if (text := joined(item).strip())]


def _chunks(lines: Lines) -> Iterator[str]:
    chunk: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            chunk.append(line)
        elif chunk:
            yield "\n".join(chunk)
            chunk = []


def _block_end(chunks: list[str], start: int) -> int:
    """Where the block that begins with this chunk ends (exclusive)."""
    open_brackets = _open_brackets(chunks[start])
    end = start + 1
    while end < len(chunks) and chunks[end][0].isspace():
        open_brackets += _open_brackets(chunks[end])
        end += 1
    if open_brackets <= 0:
        return end
    for further in range(end, min(end + _LONGEST_BLOCK, len(chunks))):
        open_brackets += _open_brackets(chunks[further])
        if open_brackets <= 0:
            return further + 1
    # Never closed: the bracket was prose, or the code was cut.
    return end


def _open_brackets(code: str) -> int:
    return sum(code.count(opening) - code.count(closing) for opening, closing in ("()", "[]", "{}"))
