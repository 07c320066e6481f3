"""Which errors of a text are links of one chain, and which of them is the root cause (B11).

Runtimes print causes in few forms: `Caused by: X` below its wrapper (Java), a list below `Caused by:` (Rust), `---> X`
(.NET), `[cause]: X` (JavaScript); Python indents the errors of a group, and prints a direct cause first and says so.
"""

import re
from collections.abc import Sequence

# The name of a container stands before each line; quote and diff marks too.
_MARK = re.compile(r"(?:[\w.-]{1,40}\s{0,20}\|\s|(?:>\s?)+|[+|]\s)?")
_CAUSED_BY = re.compile(r"\s*(?:Caused by: \S|-{2,4}> \S|\[cause\]: \S)")
_LIST_HEAD = re.compile(r"\s*Caused by:\s*$")
_LIST_ITEM = re.compile(r"\s+(?:\d+: )?\S")
# What stands between two links: frames, the note of how many are left out, blank lines, braces.
_BETWEEN = re.compile(r"\s+\S|\s*$|\s*[{}\])]+\s*$|\s*at |\s*\.\.\. \d+|\s*--- End of inner")
# The first error of an exception group; further ones stand beside it.
_GROUP = re.compile(r"\s*\+-\+-{3,} 1 -{3,}")
_DIRECT_CAUSE = "The above exception was the direct cause of the following exception"


def depths(lines: Sequence[str]) -> list[tuple[int, int]]:
    """For each line the number of its chain, and how deep in it: the deepest link is the root cause.

    A line that continues no chain begins one. Time is linear in the text.
    """
    found: list[tuple[int, int]] = []
    chain = depth = 0
    in_list = False
    for marked in lines:
        line = _MARK.sub("", marked, count=1)
        if _LIST_HEAD.match(line):
            in_list = True
        elif in_list and _LIST_ITEM.match(line):
            depth += 1
        elif _CAUSED_BY.match(line) or _GROUP.match(marked):
            depth, in_list = depth + 1, False
        elif not _BETWEEN.match(line):
            # A new entry of a log, or the message of an error of its own.
            chain, depth, in_list = chain + 1, 0, False
        elif not line.strip():
            in_list = False
        found.append((chain, depth))
    return _with_causes_first(lines, found)


def _with_causes_first(lines: Sequence[str], found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Python's order: what stands above the sentence is deeper than what stands below, both back to a traceback."""
    heads = [
        number for number, line in enumerate(lines) if line.lstrip(" |+").startswith("Traceback (most recent call")
    ]
    for number, line in enumerate(lines):
        if _DIRECT_CAUSE not in line:
            continue
        above = max((head for head in heads if head < number), default=number)
        below = min((head for head in heads if head > number), default=number)
        end = min((head for head in heads if head > below), default=len(lines))
        chain, lowest = found[above]
        for inside in range(above, end):
            # Several sentences make several links; each one above is one deeper than the one below it.
            found[inside] = (chain, lowest - (inside > number))
    return found
