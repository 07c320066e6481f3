"""What somebody brought: a message with what was attached to it."""

from dataclasses import dataclass, field
from enum import StrEnum


class Skipped(StrEnum):
    """Why a part of a paste was not read; each reason its own, never one excuse for all."""

    UNSUPPORTED = "unsupported"
    TOO_BIG = "too_big"
    UNREACHABLE = "unreachable"
    LOGIN = "login"  # where it lies, it is shown to people alone who are signed in
    EMPTY = "empty"
    BINARY = "binary"
    DUMP = "dump"  # a minidump, a core file or a heap dump
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"  # cut short, or other than it says of itself
    BOMB = "bomb"  # unpacks to so much that it was made to
    NESTED = "nested"  # an archive too deep inside others
    TOO_MANY = "too_many"  # the members of an archive beyond those looked at
    UNSAFE_NAME = "unsafe_name"  # a member whose path leads out of its archive
    NOT_A_LOG = "not_a_log"  # a text beside the logs of its archive
    PICTURE = "picture"  # no text is read from pictures here
    UNSURE = "unsure"  # a picture whose text could not be read surely, or not in time
    WAITING = "waiting"  # more pictures wait than can be read soon


@dataclass(frozen=True, slots=True)
class SkippedPart:
    """A part that was not read. `name` is untrusted text from the network."""

    name: str
    why: Skipped


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a paste: the message itself, or an attachment. `name` is None for the message.

    `confidences` are there for a text read from a picture: for each of its lines how sure the reading is, 0 to 1.
    `numbers` are there for an excerpt: for each line of `text`, as `str.splitlines` counts, which line of the original
    it was, 0-based.
    """

    text: str
    name: str | None = None
    confidences: tuple[float, ...] | None = None
    numbers: tuple[int, ...] | None = None

    def original_line(self, line: int) -> int:
        """Which line of the original this line of `text` is; both 0-based."""
        return self.numbers[min(line, len(self.numbers) - 1)] if self.numbers else line


@dataclass(frozen=True, slots=True)
class Paste:
    """Everything one message brought, in the order a reader meets it.

    `asked` is true when somebody asked for an answer (a mention, a command, a direct message): then a guess and a
    sentence of regret are welcome. It is false for a message merely seen in a channel, where only a sure answer may be
    given.
    """

    parts: tuple[Part, ...]
    asked: bool = True
    skipped: tuple[SkippedPart, ...] = field(default=())

    @classmethod
    def of_text(cls, text: str, *, asked: bool = True) -> "Paste":
        """A paste of one text."""
        return cls((Part(text),), asked)

    @property
    def is_empty(self) -> bool:
        return not any(part.text.strip() for part in self.parts)
