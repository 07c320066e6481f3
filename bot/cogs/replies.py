"""What may be posted in answer to a message, and who can post it; no Discord here yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from numpy import base_repr

from bot.answers.answer import Answer, NoAnswer
from bot.errors import BotError
from bot.pastes.paste import Paste


@dataclass(frozen=True, slots=True)
class Link:
    """One line that leads to the card somebody else got for the same error."""

    title: str
    jump_url: str


Reply = Answer | NoAnswer | Link


@dataclass(frozen=True, slots=True)
class Shown:
    """A text, the message that shows it, and the person who posted that message. `name` is that of its file, if any."""

    text: str
    message_id: int
    author_id: int
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A message that may be answered. Ids are Discord's; `guild_id` is None in direct messages; `written_at` is UTC.

    `digest` tells whether an edit changed anything. `parent_id` is the channel whose settings hold: for a thread the
    one it belongs to. `shown` are the texts of the paste that a person posted: of this message, or of the one it
    replies to.
    """

    message_id: int
    channel_id: int
    parent_id: int
    guild_id: int | None
    author_id: int
    in_thread: bool
    asked: bool
    digest: str
    written_at: datetime
    paste: Paste
    shown: tuple[Shown, ...] = ()


class CannotPost(BotError):
    """Discord does not take our message there; `why` is Discord's own code or the kind of failure."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Discord did not take the message: {why}")
        self.why = why


class Poster(Protocol):
    """Puts replies into channels. None of its methods pings anybody."""

    async def post(self, question: Question, reply: Reply, nonce: str, language: str) -> int:
        """Post and return our message's id; a repeated nonce gives the first one's. Raises CannotPost."""

    async def edit(self, question: Question, answer_id: int, reply: Reply, language: str) -> bool:
        """Put another reply in the place of ours; False when ours is gone. Raises CannotPost."""

    async def remove(self, channel_id: int, answer_id: int) -> None:
        """Take our message away; one that is gone already is fine."""

    async def find(self, channel_id: int, question_id: int) -> int | None:
        """Our reply to a message, if it stands among the messages after it. Raises CannotPost where nobody can tell."""


def joined(questions: Sequence[Question]) -> tuple[Paste, tuple[Question, ...]]:
    """Return the pastes of several messages as one, and to each of its parts the message it is from."""
    parts = [(part, question) for question in questions for part in question.paste.parts]
    skipped = tuple(part for question in questions for part in question.paste.skipped)
    asked = any(question.asked for question in questions)
    return Paste(tuple(part for part, _ in parts), asked, skipped), tuple(question for _, question in parts)


def records_of(reply: Reply) -> tuple[str, ...]:
    """The records a reply shows and offers, the one on the card first; () for a sentence without one."""
    if not isinstance(reply, Answer):
        return ()
    return (reply.record_id, *(candidate.record_id for candidate in (*reply.candidates, *reply.others)))


def nonce_of(question_id: int, at: datetime) -> str:
    """The same for every attempt at one answer, another for a later answer to the same message; at most 25 long."""
    return f"{base_repr(question_id, 36).lower()}.{base_repr(int(at.timestamp() * 1000), 36).lower()}"
