"""Moments as the database keeps them: text that sorts as time does."""

from datetime import UTC, datetime


def to_text(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds, always 27 characters, so that comparing texts compares moments.

    Raises ValueError for a moment without a time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def from_text(text: str) -> datetime:
    """The moment `to_text` made the text of, in UTC."""
    return datetime.fromisoformat(text)
