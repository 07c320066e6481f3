"""Links of a chain of errors while they are being read, and what their messages say in passing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import CleanLine, FoundError, Frame, Role, Span

# Between the first line of a message and its stack stand at most a few dozen lines: a list of files, a query.
MESSAGE_LINES = 40

# What facts.py reads in any message is left to it; these are how .NET and Spring's clients put a status.
_STATUS = Expression(r"(?:^|\bdoes not indicate success: )(?P<status>[45]\d\d)(?: : | \(| [A-Z])")


@dataclass(slots=True)
class Link:
    """One error as far as it was read. `printed` frames are in the order the tool prints them, innermost first."""

    lines: list[str]
    first: int
    last: int
    error_class: str | None = None
    code: str | None = None
    http_status: int | None = None
    sqlstate: str | None = None
    printed: list[Frame] = field(default_factory=list)
    role: Role | None = None

    def found(self, reader: str, role: Role) -> FoundError:
        """This link as an error; a message that was not printed is the name of the class."""
        message = "\n".join(self.lines).strip() or self.error_class or ""
        return FoundError(
            reader=reader,
            role=self.role or role,
            message=message,
            span=Span(self.first, self.last),
            error_class=self.error_class,
            code=self.code,
            http_status=self.http_status if self.http_status is not None else status_in(message),
            sqlstate=self.sqlstate,
            frames=tuple(reversed(self.printed)),
        )


def chain(reader: str, links: Sequence[Link]) -> list[FoundError]:
    """Links from the outermost to the deepest, as errors: the last is the root cause, those before it wrap it.

    A link with a role of its own keeps it and is no part of the chain. One alone is what ended the program.
    """
    members = [link for link in links if link.role is None]
    if len(members) == 1:
        return [link.found(reader, Role.FINAL) for link in links]
    return [link.found(reader, Role.ROOT_CAUSE if link is members[-1] else Role.WRAPPER) for link in links]


def status_in(message: str) -> int | None:
    """The HTTP status at the beginning of a message, or where .NET's client puts it."""
    found = _STATUS.search(message)
    return number(found.group("status")) if found else None


def number(text: str | None) -> int | None:
    """A line number; None where there is none or where no file is that long."""
    return int(text) if text and len(text) < 10 else None


def text_of(line: CleanLine) -> str:
    """The line from its first word to its last."""
    return line.text.strip()
