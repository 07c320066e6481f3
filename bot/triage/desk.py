"""Where questions wait for people."""

import asyncio
from datetime import datetime
from typing import Protocol

from bot.triage.fingerprint import fingerprint
from bot.triage.question import Question, jump_url


class Drawer(Protocol):
    """Keeps questions; the store has one."""

    async def keep_question(
        self,
        *,
        message_id: int,
        guild_id: int | None,
        channel_id: int,
        author_id: int,
        fingerprint: str,
        jump_url: str,
        redacted_text: str | None,
        at: datetime,
    ) -> None:
        """Keep a message, in place of what was kept of it before."""

    async def forget_question(self, message_id: int) -> bool:
        """Remove what was kept of a message; False when nothing was."""


class Desk:
    """Takes in what could not be answered. Of the text only its fingerprint stays, unless the guild says otherwise."""

    def __init__(self, drawer: Drawer) -> None:
        self._drawer = drawer

    async def keep(
        self,
        redacted_text: str,
        *,
        message_id: int,
        guild_id: int | None,
        channel_id: int,
        author_id: int,
        keeps_text: bool,
        at: datetime,
    ) -> Question:
        """Keep a question and return what was kept; an edited message replaces itself. at: when it was asked, UTC."""
        question = Question(
            message_id=message_id,
            guild_id=guild_id,
            channel_id=channel_id,
            author_id=author_id,
            fingerprint=await asyncio.to_thread(fingerprint, redacted_text),  # half a second for 5 MB
            jump_url=jump_url(guild_id, channel_id, message_id),
            asked_at=at,
            redacted_text=redacted_text if keeps_text else None,
        )
        await self._drawer.keep_question(
            message_id=question.message_id,
            guild_id=question.guild_id,
            channel_id=question.channel_id,
            author_id=question.author_id,
            fingerprint=question.fingerprint,
            jump_url=question.jump_url,
            redacted_text=question.redacted_text,
            at=question.asked_at,
        )
        return question

    async def forget(self, message_id: int) -> None:
        """Remove a question because its message was deleted or is answered after all. Twice is the same as once."""
        await self._drawer.forget_question(message_id)
