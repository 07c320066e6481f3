"""Search among vectors, as the rest of the package sees it; async, since a database may stand behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from embeddings.encoder import FloatMatrix
from embeddings.passage import Facet


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A passage near a query."""

    record_id: str
    facet: Facet
    similarity: float  # cosine, -1 to 1


class VectorIndex(Protocol):
    """The vectors of all passages."""

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        """Return the k nearest passages of each query, nearest first.

        queries: shape (n, dim), float32, rows of length 1.
        Equal similarities are ordered by record id, then by facet: never by their place in the index.
        A smaller index returns all it has. Time grows with n * passages * dim.

        Raises WrongDimension when another encoder made the queries.
        """
        ...

    async def similarities(self, queries: FloatMatrix, record_ids: Sequence[str]) -> FloatMatrix:
        """Return the cosines of each query with the records' passages, shape (n, len(record_ids), facets).

        NaN where a record, or its passage of that facet, is not in the index. The last axis is in the order of `Facet`.

        Raises WrongDimension when another encoder made the queries.
        """
        ...
