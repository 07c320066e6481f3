"""Exact search: a scan over codes leaves a few hundred vectors, which are compared as they are; in worker threads.

Searches that come while one runs share the next scan: 16 queries read the codes once, in the time of three alone.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.batching import Batching
from embeddings.codes import Codes, candidates
from embeddings.encoder import FloatMatrix
from embeddings.errors import WrongDimension
from embeddings.passage import FACETS
from embeddings.row_file import VectorRows
from embeddings.vector_index import Neighbour

QUERIES_AT_ONCE: Final = 16  # what a block of products takes is 64 KB a query
DECIMALS: Final = 7  # below what float32 vectors tell apart
NO_VECTOR: Final = np.iinfo(np.uint32).max

Neighbours = list[list[Neighbour]]  # of each query


class FlatIndex:
    """The vectors of different texts, and which record's which passage each text is.

    Equal texts share one vector, so what is searched is smaller than the number of passages.
    """

    def __init__(
        self, vectors: VectorRows, codes: Codes, vector_of: NDArray[np.uint32], record_ids: Sequence[str]
    ) -> None:
        """Remember the parts; none is copied.

        vectors: (V, dim), rows of length 1, each that of at least one passage; codes: of these vectors.
        vector_of: (records, facets), a row of `vectors` or NO_VECTOR. record_ids: ascending.
        """
        self._vectors, self._codes, self._vector_of, self._record_ids = vectors, codes, vector_of, record_ids
        flat = vector_of.ravel()
        used = np.flatnonzero(flat != NO_VECTOR)
        order = np.argsort(flat[used], kind="stable")  # passages by their vector, then by record and facet
        self._passages = used[order].astype(np.uint32)  # record number * facets + facet
        self._first_passage = np.searchsorted(flat[used[order]], np.arange(len(codes) + 1, dtype=np.uint32))
        self._searching: Batching[tuple[FloatMatrix, int], Neighbours] = Batching(self._search)

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._vectors.shape[1]

    async def search(self, queries: FloatMatrix, k: int) -> Neighbours:
        """See `VectorIndex.search`. Exact; figures are in README.md."""
        self.check(queries)
        if k <= 0 or not len(self):
            return [[] for _ in queries]
        return await self._searching.answer((queries, k))

    async def similarities(self, queries: FloatMatrix, record_ids: Sequence[str]) -> FloatMatrix:
        """See `VectorIndex.similarities`."""
        self.check(queries)
        return await asyncio.to_thread(self._similarities, queries, record_ids)

    def check(self, queries: FloatMatrix) -> None:
        """Raise WrongDimension when another encoder made the queries."""
        if queries.ndim != 2 or queries.shape[1] != self.dim:
            raise WrongDimension(int(queries.shape[-1]), self.dim)

    def nearest_among(self, query: FloatMatrix, rows: NDArray[np.intp], k: int) -> list[Neighbour]:
        """The k nearest passages of those whose vectors have these numbers; ties as `VectorIndex.search` has them."""
        exact = exact_cosines(query[None, :], self._vectors.rows(rows))[0]
        # Every vector has a passage, so the k nearest passages are among those of the k nearest vectors.
        counts = self._first_passage[rows + 1] - self._first_passage[rows]
        starts = np.cumsum(counts) - counts
        places = np.repeat(self._first_passage[rows] - starts, counts) + np.arange(int(counts.sum()))
        passages = self._passages[places]
        similarity = np.repeat(exact, counts)
        order = np.lexsort((passages, -similarity))[:k]  # numbers ascend with ids, so ties are by id, then by facet
        numbers, facets = np.divmod(passages[order], np.uint32(len(FACETS)))
        return [
            Neighbour(self._record_ids[number], FACETS[facet], float(cosine))
            for number, facet, cosine in zip(numbers.tolist(), facets.tolist(), similarity[order], strict=True)
        ]

    def _search(self, searches: Sequence[tuple[FloatMatrix, int]]) -> list[Neighbours]:
        queries = np.concatenate([asked for asked, _ in searches])
        ks = [k for asked, k in searches for _ in asked]
        found: Neighbours = []
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            some, some_ks = queries[start : start + QUERIES_AT_ONCE], ks[start : start + QUERIES_AT_ONCE]
            among = candidates(some, self._codes, some_ks)
            found += [self.nearest_among(query, rows, k) for query, rows, k in zip(some, among, some_ks, strict=True)]
        of_query = iter(found)
        return [list(islice(of_query, len(asked))) for asked, _ in searches]

    def _similarities(self, queries: FloatMatrix, record_ids: Sequence[str]) -> FloatMatrix:
        ids = np.array([place_of(self._record_ids, record_id) for record_id in record_ids], dtype=np.intp)
        rows = np.full((len(ids), len(FACETS)), NO_VECTOR, dtype=np.uint32)
        rows[ids >= 0] = self._vector_of[ids[ids >= 0]]
        present = rows != NO_VECTOR
        wanted, place = np.unique(rows[present], return_inverse=True)
        cosines = np.full((len(queries), *rows.shape), np.nan, dtype=np.float32)
        cosines[:, present] = exact_cosines(queries, self._vectors.rows(wanted.astype(np.intp)))[:, place]
        return cosines


def exact_cosines(queries: FloatMatrix, vectors: FloatMatrix) -> NDArray[np.float64]:
    """Cosines that depend on the two vectors alone, shape (queries, vectors).

    Summed in float64 and rounded below what float32 tells apart: no order of summing shows, on no machine. einsum, not
    BLAS: its threads wait for each other where other work shares the cores.
    """
    exact = np.einsum("qd,vd->qv", queries.astype(np.float64), vectors.astype(np.float64))
    rounded: NDArray[np.float64] = np.clip(np.round(exact, DECIMALS), -1.0, 1.0)
    return rounded


def place_of(ascending: Sequence[str], wanted: str) -> int:
    """Where a string stands in an ascending sequence, or -1."""
    place = bisect_left(ascending, wanted)
    return place if place < len(ascending) and ascending[place] == wanted else -1
