"""Search among vectors, as the rest of the package sees it; async, since a database may stand behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix
from embeddings.passage import Facet

# Of records: each one's place among the ascending ids of the index.
Numbers = NDArray[np.intp]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A passage near a query."""

    record: int  # its number
    facet: Facet
    similarity: float  # cosine, -1 to 1


class VectorIndex(Protocol):
    """The vectors of all passages."""

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        """Return the k nearest passages of each query, nearest first.

        queries: shape (n, dim), float32, rows of length 1.
        Equal similarities are ordered by record, then by facet: never by their place in the index.
        A smaller index returns all it has. Time grows with n * passages * dim.

        Raises WrongDimension when another encoder made the queries.
        """
        ...

    async def similarities(self, queries: FloatMatrix, records: Sequence[int] | Numbers) -> FloatMatrix:
        """Return the cosines of each query with the records' passages, shape (n, len(records), facets).

        NaN where the record's passage of that facet is not in the index. The last axis is in the order of `Facet`.

        Raises WrongDimension when another encoder made the queries.
        """
        ...

    async def nearest_records(
        self, queries: FloatMatrix, k: int, besides: Numbers, then: Callable[[Numbers, FloatMatrix], Result]
    ) -> Result:
        """Return what `then` makes of the records of the k nearest passages of any query, and of those of `besides`.

        It is given the records, ascending, each once, and their `similarities`; in the worker thread that compared
        them, since each change to another one waits for the event loop, and for Python's lock.

        Raises WrongDimension when another encoder made the queries.
        """
        ...
