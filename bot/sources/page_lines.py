"""Lines of a page: headings found among them, blank ends taken off."""

from collections.abc import Callable, Sequence

Lines = Sequence[str]


def is_heading(lines: Lines, index: int, heading: str, follows: Callable[[str], bool] | None = None) -> bool:
    """Whether this line is the heading, stands by itself, and is followed by a line that `follows` accepts."""
    if lines[index].strip() != heading or (index > 0 and lines[index - 1].strip()):
        return False
    return follows is None or follows(first_text(lines, index + 1))


def first_heading(
    lines: Lines, heading: str, follows: Callable[[str], bool] | None = None, *, start: int = 0
) -> int | None:
    """Where the heading first stands, from `start` on, or None."""
    return next((index for index in range(start, len(lines)) if is_heading(lines, index, heading, follows)), None)


def last_heading(lines: Lines, heading: str, follows: Callable[[str], bool] | None = None) -> int | None:
    """Where the heading last stands, or None."""
    return next((index for index in reversed(range(len(lines))) if is_heading(lines, index, heading, follows)), None)


def first_text(lines: Lines, start: int) -> str:
    """The first line with text in it, without the white space around it; empty where there is none."""
    return next((lines[index].strip() for index in range(start, len(lines)) if lines[index].strip()), "")


def without_blank_ends(lines: Lines) -> Lines:
    """The lines without blank ones at either end."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    return lines[start:end]


def joined(lines: Lines) -> str:
    """The lines as one text without blank ends; white space inside and at the start of lines is kept."""
    return "\n".join(without_blank_ends(lines)).rstrip()
