"""Exact search over one matrix of vectors, memory-mapped, in a worker thread."""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix
from embeddings.errors import WrongDimension
from embeddings.passage import FACETS
from embeddings.vector_index import Neighbour

BLOCK_ROWS: Final = 16_384  # 25 MB of 384-dimensional vectors: bounded memory, and long enough for BLAS
QUERIES_AT_ONCE: Final = 16  # 459,000 float32 cosines are 1.8 MB a query
# How far two float32 dot products of equal vectors may lie apart; such near ties are computed again in float64.
MARGIN: Final = 1e-5
DECIMALS: Final = 7  # below what float32 vectors tell apart
NO_VECTOR: Final = np.iinfo(np.uint32).max


class FlatIndex:
    """The vectors of different texts, and which record's which passage each text is.

    Equal texts share one vector, so what is searched is smaller than the number of passages.
    """

    def __init__(self, vectors: FloatMatrix, vector_of: NDArray[np.uint32], record_ids: Sequence[str]) -> None:
        """Remember the parts; none is copied.

        vectors: (V, dim), rows of length 1, each that of at least one passage.
        vector_of: (records, facets), a row of `vectors` or NO_VECTOR. record_ids: ascending.
        """
        self._vectors, self._vector_of, self._record_ids = vectors, vector_of, record_ids
        numbers, facets = np.nonzero(vector_of != NO_VECTOR)
        rows = vector_of[numbers, facets]
        order = np.argsort(rows, kind="stable")  # passages by their vector, then by record and facet
        self._passages = np.stack([numbers[order], facets[order]], axis=1).astype(np.uint32)
        self._first_passage = np.searchsorted(rows[order], np.arange(len(vectors) + 1))

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._vectors.shape[1])

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        """See `VectorIndex.search`. Exact; one query over 459,000 vectors of 384 takes about 80 ms on two cores."""
        self._check(queries)
        return await asyncio.to_thread(self._search, queries, k)

    async def similarities(self, queries: FloatMatrix, record_ids: Sequence[str]) -> FloatMatrix:
        """See `VectorIndex.similarities`."""
        self._check(queries)
        return await asyncio.to_thread(self._similarities, queries, record_ids)

    def _check(self, queries: FloatMatrix) -> None:
        if queries.ndim != 2 or queries.shape[1] != self.dim:
            raise WrongDimension(int(queries.shape[-1]), self.dim)

    def _search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        found: list[list[Neighbour]] = []
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            some = queries[start : start + QUERIES_AT_ONCE]
            rough = np.empty((len(some), len(self._vectors)), dtype=np.float32)
            for row in range(0, len(self._vectors), BLOCK_ROWS):
                np.matmul(some, self._vectors[row : row + BLOCK_ROWS].T, out=rough[:, row : row + BLOCK_ROWS])
            found += [self._nearest(query, cosines, k) for query, cosines in zip(some, rough, strict=True)]
        return found

    def _nearest(self, query: FloatMatrix, rough: NDArray[np.float32], k: int) -> list[Neighbour]:
        if k <= 0 or not len(rough):
            return []
        least = np.partition(rough, len(rough) - k)[len(rough) - k] if k < len(rough) else -np.inf
        rows = np.flatnonzero(rough >= least - MARGIN)
        exact = self._exact(query, rows)
        # Every vector has a passage, so the k nearest passages are among those of the k nearest vectors.
        counts = self._first_passage[rows + 1] - self._first_passage[rows]
        places = np.repeat(self._first_passage[rows] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        numbers, facets = self._passages[places + np.arange(len(places))].T
        similarity = np.repeat(exact, counts)
        order = np.lexsort((facets, numbers, -similarity))[:k]
        return [
            Neighbour(self._record_ids[numbers[i]], FACETS[facets[i]], float(similarity[i])) for i in order.tolist()
        ]

    def _exact(self, query: FloatMatrix, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Cosines that depend on the two vectors alone: BLAS rounds a row by its place in the matrix."""
        exact = np.empty(len(rows), dtype=np.float64)
        wide = query.astype(np.float64)
        for start in range(0, len(rows), BLOCK_ROWS):
            some = rows[start : start + BLOCK_ROWS]
            exact[start : start + BLOCK_ROWS] = (self._vectors[some] * wide).sum(axis=1)
        return np.clip(np.round(exact, DECIMALS), -1.0, 1.0)

    def _similarities(self, queries: FloatMatrix, record_ids: Sequence[str]) -> FloatMatrix:
        ids = np.array(self._places_of(record_ids), dtype=np.intp)
        rows = np.full((len(ids), len(FACETS)), NO_VECTOR, dtype=np.uint32)
        rows[ids >= 0] = self._vector_of[ids[ids >= 0]]
        present = rows != NO_VECTOR
        cosines = np.full((len(queries), *rows.shape), np.nan, dtype=np.float32)
        for query, target in zip(queries, cosines, strict=True):
            target[present] = self._exact(query, rows[present].astype(np.intp))
        return cosines

    def _places_of(self, record_ids: Sequence[str]) -> list[int]:
        return [place_of(self._record_ids, record_id) for record_id in record_ids]


def place_of(ascending: Sequence[str], wanted: str) -> int:
    """Where a string stands in an ascending sequence, or -1."""
    place = bisect_left(ascending, wanted)
    return place if place < len(ascending) and ascending[place] == wanted else -1
