"""A background article on a family of errors, as ErrLookup publishes it (schema version 1)."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Cause:
    """One of the things that bring the error about."""

    cause: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What the errors of one family have in common. `cluster_key` is what records name as `background_tag`."""

    slug: str
    cluster_key: str
    title: str
    summary: str
    background: str
    common_causes: tuple[Cause, ...] = ()
    fixes: tuple[str, ...] = ()
    error_ids: tuple[str, ...] = ()
    generated_at: datetime | None = None
