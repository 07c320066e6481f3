"""Does a file read like what a program printed? For files whose name does not say, and for the members of an archive.

This chooses among files; whether one of them shows an error, and which, is decided line by line later.
"""

import itertools

import re2

from bot.pastes.error_signs import error_signs
from bot.pastes.normalise import split_lines, views

# A file is known by its beginning and its end, where programs say what they are and why they died.
_EDGE_LINES = 300
_EDGE_CHARACTERS = 60_000
# A share of stamped lines below this is a document or a table with some times in it.
_LEAST_STAMPED = 0.3
_HEADINGS_OF_A_DOCUMENT = 2
_MOST_LINES_A_HEADING = 40
# A time of day, or a level and nothing but its frame, before the words. A comma behind the time would be a table's.
_STAMPED = re2.compile(
    r"^(?:[\w.-]{1,40} {0,20}\| {0,4})?\W{0,3}(?:\w{3},? )?(?:\d{2,4}[-/.]\d\d?[-/.]\d{2,4}[T ]|\w{3} {1,2}\d{1,2} )?"
    r"(?:\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?(?:[\]\s|>:)-]|$)"
    r"|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b[\]:|\s-])"
)
# What stands in no text but a program's: searched for between the edges, too.
_DEATH = re2.compile(
    r"(?m)^(?:Traceback \(most recent call last\)|thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at |Caused by: \S"
    r"|Exception in thread \"|goroutine \d+ \[|panic: |npm (?:ERR!|error) "
    r"|\S*\d\d:\d\d:\d\d\S* .{0,60}\b(?:ERROR|FATAL)\b)"
)
_HEADING = re2.compile(r"^#{1,6} \w")


def reads_like_output(text: str) -> bool:
    """Whether a text reads like a program's output: no source code, no document, no table.

    Looked at are its beginning and its end, a few hundred lines each; of the rest only whether a program died in it.
    """
    lines = _edges(text)
    filled = [line for line in lines if line.strip()]
    if not filled:
        return False
    stamped = sum(1 for line in filled if _STAMPED.search(line[:200]))
    if stamped >= _LEAST_STAMPED * len(filled):
        return True
    headings = sum(1 for line in filled if _HEADING.search(line[:20]))
    if headings >= _HEADINGS_OF_A_DOCUMENT and headings * _MOST_LINES_A_HEADING >= len(filled):
        return False
    _, seen = next(iter(views(lines)))
    signs = error_signs(seen)
    if signs.mostly_code:
        return False
    return signs.is_error or _DEATH.search(text) is not None


def _edges(text: str) -> list[str]:
    if len(text) <= 2 * _EDGE_CHARACTERS:
        lines = split_lines(text)
        return lines if len(lines) <= 2 * _EDGE_LINES else lines[:_EDGE_LINES] + lines[-_EDGE_LINES:]
    head, tail = split_lines(text[:_EDGE_CHARACTERS]), split_lines(text[-_EDGE_CHARACTERS:])
    return list(itertools.chain(head[:_EDGE_LINES], tail[-_EDGE_LINES:]))
