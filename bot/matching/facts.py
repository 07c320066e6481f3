"""The few facts of a record that matching needs, without its prose."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a record can be recognised in a paste. Values are the record's own; None where it has none."""

    id: str
    repo: str
    message: str
    pattern: str
    slug: str | None = None
    error_type: str | None = None
    error_class: str | None = None
    error_code: str | None = None
    http_status: int | None = None
    file_path: str | None = None
    line_number: int | None = None
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    family: str | None = None


class FactSource(Protocol):
    """Where the facts are kept: a database for a server, a list for a test."""

    async def facts_of(self, record_ids: Sequence[str]) -> Mapping[str, Facts]:
        """The facts of these records; an id that is not there is left out."""
        ...

    def all_facts(self) -> AsyncIterator[Facts]:
        """The facts of every record, ordered by id."""
        ...
