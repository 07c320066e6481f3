"""When the bot may speak, decided without Discord."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from bot.matching.verdict import Match, Tier, Verdict
from bot.modes import Mode

# What is older was written before a restart or a lost connection; nobody waits for an answer any more.
OLDEST_QUESTION = timedelta(minutes=10)
_CLOSED_TAGS = frozenset({"solved", "resolved", "answered", "closed", "done", "gelöst", "needshuman", "needshelper"})


class Wish(StrEnum):
    """What a message wants of the bot."""

    NOTHING = "nothing"
    SEEN = "seen"  # merely written in a channel where sure answers are welcome
    ASKED = "asked"


def wish(mode: Mode, *, called: bool) -> Wish:
    """What a message in a channel of this mode wants; `called`: it mentions the bot."""
    if mode is Mode.OFF:
        return Wish.NOTHING
    if called:
        return Wish.ASKED
    return Wish.NOTHING if mode is Mode.MENTION else Wish.SEEN


def match_to_show(verdict: Verdict, mode: Mode, muted: Iterable[str], *, asked: bool) -> Match | None:
    """The match a question is answered with; None for silence, or for a sentence of regret where it was asked."""
    best = verdict.best
    if asked or best is None:
        return best
    if not verdict.shown or mode in {Mode.OFF, Mode.MENTION} or best.record_id in set(muted):
        return None
    return best if best.tier is Tier.PATTERN or mode is Mode.EXACT_AND_NEAREST else None


def is_too_old(written_at: datetime, now: datetime) -> bool:
    """Whether nobody waits for an answer to this message any more (C9)."""
    return now - written_at > OLDEST_QUESTION


def is_closed(tag_names: Iterable[str]) -> bool:
    """Whether a forum post carries a tag by which people say that it is solved or is theirs (H1)."""
    return any("".join(filter(str.isalpha, name.casefold())) in _CLOSED_TAGS for name in tag_names)
