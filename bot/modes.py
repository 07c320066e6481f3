"""How far the bot may go in a channel."""

from enum import StrEnum


class Mode(StrEnum):
    """What makes the bot speak in a channel, from nothing at all to a guess nobody asked for."""

    OFF = "off"
    MENTION = "mention"
    EXACT = "exact"
    EXACT_AND_NEAREST = "exact+nearest"
