"""Messages that a proxy takes away and posts anew through a webhook, in the name of their author.

PluralKit and its like do so within a second, without the marks by which their users call them. The re-post has no
author whom Discord knows; it is told from other webhooks' messages by the words of the message it stands for.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

WITHIN = timedelta(seconds=30)
_REMEMBERED = 200


@dataclass(frozen=True, slots=True)
class Original:
    """A person's message that called the bot. Ids are Discord's; its text is forgotten after half a minute."""

    message_id: int
    channel_id: int
    author_id: int
    text: str
    at: datetime


class Reposts:
    """Knows who has just called the bot, and with what words."""

    def __init__(self) -> None:
        self._calls: OrderedDict[int, Original] = OrderedDict()

    def note(self, message: discord.Message, at: datetime) -> None:
        """A person has called the bot at a moment; perhaps a proxy will say it again."""
        self._forget_before(at - WITHIN)
        text = message.content.strip()
        self._calls[message.id] = Original(message.id, message.channel.id, message.author.id, text, at)
        while len(self._calls) > _REMEMBERED:
            self._calls.popitem(last=False)

    def take(self, message: discord.Message, at: datetime) -> Original | None:
        """The message that a webhook repeats, the newest first; each is repeated once."""
        self._forget_before(at - WITHIN)
        text = message.content.strip()
        for original in reversed(self._calls.values()):
            if text and original.channel_id == message.channel.id and text in original.text:
                return self._calls.pop(original.message_id)
        return None

    def _forget_before(self, moment: datetime) -> None:
        while self._calls and next(iter(self._calls.values())).at < moment:
            self._calls.popitem(last=False)
