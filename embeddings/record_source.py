"""Where a build gets its records from, if it is not to read all of them again."""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from embeddings.passage import Passage


class RecordSource(Protocol):
    """Records with their passages, all as they are at one moment."""

    @property
    def version(self) -> str:
        """What the records are; stands in the manifest."""
        ...

    def keys(self) -> Mapping[str, int]:
        """For every record, by id, 64 bits that are others once any passage of it is."""
        ...

    def passages(self, record_ids: Collection[str]) -> Iterable[Passage]:
        """All passages of these records, in any order; read once."""
        ...
