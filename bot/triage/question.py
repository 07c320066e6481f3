"""A paste nobody could answer, kept for people."""

import re
from dataclasses import dataclass
from datetime import datetime

from bot.errors import BotError

_JUMP_URL = re.compile(r"https://discord\.com/channels/(?:@me|\d{1,20})/\d{1,20}/\d{1,20}")


class NotAJumpLink(BotError):
    """A question may point to a message only. What the CDN serves would be the paste itself, signed and expiring."""

    def __init__(self) -> None:
        # The address is not named: a CDN link is as good as the file.
        super().__init__("a question needs the jump link of its message")


def jump_url(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """The address of a message, which only those who may read it can open."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A message without an answer. Ids are Discord's; `guild_id` is None in direct messages; `asked_at` is in UTC.

    Raises NotAJumpLink when `jump_url` is anything but the address of a message.
    """

    message_id: int
    guild_id: int | None
    channel_id: int
    author_id: int
    fingerprint: str
    jump_url: str
    asked_at: datetime
    redacted_text: str | None = None  # only where the guild wants texts kept

    def __post_init__(self) -> None:
        if not _JUMP_URL.fullmatch(self.jump_url):
            raise NotAJumpLink
