"""What to say, in words, before anybody decides how it looks.

All texts are clean (`cleaning.clean`): no control, bidirectional or invisible characters. Markdown in them is not
escaped yet; an edge that understands Markdown has to.
"""

from dataclasses import dataclass
from enum import StrEnum

from bot.matching.verdict import Capture, Tier
from bot.records.record import Severity


class Certainty(StrEnum):
    """How an answer came about, most certain first."""

    EXACT = "exact"
    GUESS = "guess"
    RELATED = "related"  # one of the errors its page lists as related was found, not its own
    LOOKED_UP = "looked_up"  # nobody matched anything: a person asked for this record


class Outcome(StrEnum):
    """Why there is no answer."""

    NO_MATCH = "no_match"
    UNREACHABLE = "unreachable"
    TOO_BIG = "too_big"
    UNSUPPORTED = "unsupported"
    BUSY = "busy"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Another record worth offering, small enough to travel in a button.

    `percent` is the calibrated likelihood, 0 to 100.
    """

    record_id: str
    tier: Tier
    percent: int
    related: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Where the error is raised. `label` is "path:line @ commit, date"; `url` is https, at most 512 long, or None."""

    label: str
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What to say for one match, short enough for a channel: `visible_length` is at most 900.

    `how` says how it is known, `reason` is the matcher's own sentence; one of them may be "". `quote` is the line of
    the paste that made the match, redacted. `steps` are the first solutions in their order, each on one line;
    `hidden_steps` counts those left for "More", and `shortened` tells that some text was cut. `candidates` are offered
    after "Not my error", best first; `others` are further errors of the same paste. `not_read` names what was not
    read of it, "" where all was and where nobody asked.
    """

    record_id: str
    title: str
    repo: str
    severity: Severity
    certainty: Certainty
    percent: int | None
    how: str
    reason: str
    quote: str | None
    captures: tuple[Capture, ...]
    meaning: str
    steps: tuple[str, ...]
    hidden_steps: int
    shortened: bool
    source: Source
    ai_note: str | None
    candidates: tuple[Candidate, ...] = ()
    others: tuple[Candidate, ...] = ()
    more_count: int = 0
    not_read: str = ""
    read_from: str = ""  # where the quoted line was read, if not in text: a picture, surely or not

    @property
    def exact(self) -> bool:
        return self.certainty is Certainty.EXACT


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the details: sentences, or items (numbered where their order matters), or pieces of code."""

    heading: str
    text: str = ""
    items: tuple[str, ...] = ()
    numbered: bool = False
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeFile:
    """Code too long to be shown whole. `name` is safe as a file name; `data` is UTF-8, cut at a line end if at all."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """All that is known about a record, uncut but for code that is in `files`.

    `language` is what a code fence is called ("rs", "py", "" where unknown).
    """

    record_id: str
    title: str
    repo: str
    severity: Severity
    language: str
    sections: tuple[Section, ...]
    files: tuple[CodeFile, ...]
    source: Source
    page_url: str | None
    ai_note: str | None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is none, and what to do about it. `sentences` holds at least one."""

    outcome: Outcome
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)
