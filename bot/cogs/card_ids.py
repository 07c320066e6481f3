"""What a button knows: its custom_id says everything, so that it works after any restart and costs no memory.

`errata:1:<action>:<record>:<ref>:<candidates>`: 1 is the version of this scheme, so that later bots can tell old
buttons; `record` has 16 hex digits; `ref` is a number of the sender's choice in base 36, normally the question's
message id; `candidates` are at most `MOST_CANDIDATES` of `<16 hex><tier><percent>`, divided by dots, where the
tier is p for pattern, n for nearest, r for related.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from numpy import base_repr

from bot.answers.answer import Candidate
from bot.matching.verdict import Tier

VERSION = 1
CUSTOM_ID_LENGTH = 100  # Discord's limit
MOST_CANDIDATES = 2  # 100 characters hold no third with the longest message id
_LONGEST_REF = 13  # 64 bits in base 36
RECORD_ID = re.compile(r"[0-9a-f]{16}")
_CANDIDATE = r"[0-9a-f]{16}[pnr][0-9]{2}"
# For `discord.ui.DynamicItem(template=…)`.
TEMPLATE = re.compile(
    rf"errata:{VERSION}:(?P<action>[a-z]+):(?P<record>[0-9a-f]{{16}}):(?P<ref>[0-9a-z]{{1,{_LONGEST_REF}}}):"
    rf"(?P<candidates>(?:{_CANDIDATE}(?:\.{_CANDIDATE})*)?)"
)


class Action(StrEnum):
    """What a button does."""

    MORE = "more"
    HELPFUL = "helpful"
    WRONG = "wrong"
    DISMISS = "dismiss"
    OTHERS = "others"
    SHOW = "show"


class InvalidCardId(ValueError):
    """A custom_id is not one of ours, or of a version this bot does not know."""


@dataclass(frozen=True, slots=True)
class CardId:
    """What one button needs. `candidates` are what "Not my error" offers next, or the further errors, best first."""

    action: Action
    record_id: str
    ref: int = 0
    candidates: tuple[Candidate, ...] = ()

    def __str__(self) -> str:
        """The custom_id, at most 100 characters; candidates beyond `MOST_CANDIDATES` are left out.

        Raises InvalidCardId when an id is not 16 hex digits or the reference is not an unsigned 64-bit number.
        """
        ids = (self.record_id, *(candidate.record_id for candidate in self.candidates))
        if not all(RECORD_ID.fullmatch(record_id) for record_id in ids) or not 0 <= self.ref < 1 << 64:
            raise InvalidCardId(f"no button can carry {self!r}")
        candidates = ".".join(map(_candidate, self.candidates[:MOST_CANDIDATES]))
        return f"errata:{VERSION}:{self.action.value}:{self.record_id}:{base_repr(self.ref, 36).lower()}:{candidates}"

    @classmethod
    def parse(cls, custom_id: str) -> "CardId":
        """Return what a custom_id says. Raises InvalidCardId when it is not one of this version."""
        found = TEMPLATE.fullmatch(custom_id)
        if found is None or found["action"] not in set(Action):
            raise InvalidCardId(f"not a button of this bot: {custom_id[:CUSTOM_ID_LENGTH]!r}")
        candidates = filter(None, found["candidates"].split("."))
        return cls(
            Action(found["action"]), found["record"], int(found["ref"], 36), tuple(map(_parsed_candidate, candidates))
        )


def _candidate(candidate: Candidate) -> str:
    tier = "r" if candidate.related else candidate.tier.value[0]
    return f"{candidate.record_id}{tier}{min(99, max(0, candidate.percent)):02d}"


def _parsed_candidate(text: str) -> Candidate:
    tier = Tier.NEAREST if text[16] == "n" else Tier.PATTERN
    return Candidate(text[:16], tier, int(text[17:]), related=text[16] == "r")
