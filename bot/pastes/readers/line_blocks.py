"""What readers of indented blocks share: spans, blank lines, numbers, and chains of causes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import CleanLine, FoundError, Frame, Span
from bot.pastes.readers.starts import starts_in, stripped

# A message is shown, embedded and matched; what is longer than this many lines is a dump, not a message.
MESSAGE_LINES = 24

_NUMBERED = Expression(r"^(\d{1,3}): (.*)$")
# A build script's output follows its cause, and what it holds is read as errors of their own.
_ENDS_CAUSES = Expression(
    r"^(?:--- std(?:out|err)|[Ss]tack backtrace:|[Ll]ocation:|note: |error(?:\[\w+\])?: |warning: "
    r"|Backtrace omitted|thread ')"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A message and the lines it stands on, as indices into the lines that were read; both ends counted."""

    message: str
    first: int
    last: int


def read_blocks(
    lines: Sequence[CleanLine],
    reader: str,
    read_at: Callable[[Sequence[CleanLine], list[str], int], tuple[FoundError | None, int]],
) -> Iterator[FoundError]:
    """The errors that `read_at` finds where this reader may find any; it is given the lines, their texts, an index.

    It returns the error that begins there, or None, and the last index it has read; reading goes on behind that.
    """
    texts, starts = stripped(lines), starts_in(lines, reader)
    at = starts.from_(0)
    while at < len(texts):
        found, end = read_at(lines, texts, at)
        if found:
            yield found
        at = starts.from_(end + 1)


def span_of(lines: Sequence[CleanLine], first: int, last: int) -> Span:
    """The original lines from index `first` to index `last`."""
    return Span(lines[first].number, lines[max(first, last)].number)


def number(text: str | None) -> int | None:
    """A line number, or None where there is none; more than nine digits are no line number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def place(file: str, line: str | None) -> tuple[Frame, ...]:
    """One frame, for tools that tell only where."""
    return (Frame(file=file, line=number(line)),)


def caused_by(lines: Sequence[CleanLine], texts: Sequence[str], at: int) -> tuple[list[Block], int]:
    """The links of the `Caused by:` blocks from index `at` on, outermost first, and the index after them.

    Reads what anyhow prints (one block, numbered when there are several links) and what cargo prints (a block a link).
    """
    links: list[Block] = []
    while at < len(texts) and texts[at] == "Caused by:":
        at += 1
        while at < len(texts) and not texts[at]:
            at += 1
        while at < len(texts) and texts[at] and lines[at].indent > 0 and not _ENDS_CAUSES.search(texts[at]):
            counted = _NUMBERED.search(texts[at])
            first, message = at, [counted.group(2) if counted else texts[at]]
            at += 1
            while at < len(texts) and texts[at] and lines[at].indent > 0 and texts[at] != "Caused by:":
                if _NUMBERED.search(texts[at]) if counted else _ENDS_CAUSES.search(texts[at]):
                    break
                if len(message) < MESSAGE_LINES:
                    message.append(texts[at])
                at += 1
            links.append(Block("\n".join(message), first, at - 1))
        ahead = at
        while ahead < len(texts) and not texts[ahead]:
            ahead += 1
        if ahead < len(texts) and texts[ahead] == "Caused by:":
            at = ahead
    return links, at
