"""What all tiers come to: records that may explain a paste, best first."""

from dataclasses import dataclass
from enum import StrEnum


class Tier(StrEnum):
    """A way of finding a record."""

    PATTERN = "pattern"
    NEAREST = "nearest"


class Because(StrEnum):
    """What spoke for a record; the words for each are in the locales, under `reason-…`."""

    WHOLE_LINE = "whole-line"  # its message is a whole line of the paste
    IN_TEXT = "in-text"  # its message stands in the paste
    RELATED = "related"  # an error its page lists as related stands in the paste
    LINE_NAMED = "line-named"  # the paste names file and line
    FILE_NAMED = "file-named"  # the paste names the file with its folder
    CLASS_BEFORE = "class-before"  # its class stands before the message
    CLASS_SEEN = "class-seen"
    CODE_SEEN = "code-seen"
    STATUS_SEEN = "status-seen"
    PACKAGE = "package"  # the paste mentions its project
    SAME_MESSAGE = "same-message"  # so many more records have the same message
    EXPLAINS_MORE = "explains-more"  # than any other record that matches there
    JOINED = "joined"  # lines were put together
    CLOSE = "close"  # the paste is close to a text of it
    WORDS_SHARED = "words-shared"  # so many percent of its message's telling words occur
    NEAREST = "nearest"  # of all records


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that spoke for a record: what, about whom (untrusted text of the record), and how many."""

    because: Because
    subject: str = ""
    number: int = 0


class ReadFrom(StrEnum):
    """What a quoted line was taken from."""

    TEXT = "text"
    PICTURE = "picture"
    PICTURE_UNSURELY = "picture-unsurely"


@dataclass(frozen=True, slots=True)
class Quote:
    """The place in the paste that made a match.

    `line` is the redacted line a person would point at, cleaned of control characters and cut to a readable length;
    `part` and `line_number` (1-based) say where it stands, `line_count` how many lines were joined to it.
    """

    line: str
    part: int
    line_number: int
    line_count: int = 1
    read_from: ReadFrom = ReadFrom.TEXT


@dataclass(frozen=True, slots=True)
class Capture:
    """A value the message's placeholder stood for in the paste: `name` is the placeholder as the template writes it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Match:
    """A record that may explain a paste.

    `probability` is calibrated: of the matches shown at 0.8, about 80 % were the right record.
    `reasons` say what made it, the weightiest first; `answers.reasons` puts them into words.
    `related` is true when not the record's own message was found but one of the errors its page lists as related.
    """

    record_id: str
    tier: Tier
    probability: float
    reasons: tuple[Reason, ...] = ()
    quote: Quote | None = None
    captures: tuple[Capture, ...] = ()
    related: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that was found in one paste.

    `matches`: best first, one record once; those below the show threshold are left out.
    `others`: what else the paste holds, records of further errors in it, best first ("2 more errors in this log").
    `is_error`: whether the paste looks like something that went wrong at all, and `why_error` says by what.
    `shown`: whether the first match may be posted unasked.
    `degraded`: a sentence when a tier could not be asked (no index, no model), else None.
    """

    matches: tuple[Match, ...]
    others: tuple[Match, ...]
    is_error: bool
    why_error: str
    shown: bool
    degraded: str | None = None

    @property
    def best(self) -> Match | None:
        return self.matches[0] if self.matches else None
