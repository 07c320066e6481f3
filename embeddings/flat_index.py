"""Exact search: a scan over codes leaves a few hundred vectors, which are compared as they are; in worker threads.

Searches that come while one runs share the next scan: 32 queries read the codes once, in the time of six alone.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from embeddings.batching import Batching
from embeddings.code_scan import CodeScan, Rows
from embeddings.codes import Codes
from embeddings.encoder import FloatMatrix
from embeddings.errors import WrongDimension
from embeddings.passage import FACETS
from embeddings.row_file import VectorRows
from embeddings.vector_index import Neighbour, Numbers

QUERIES_AT_ONCE: Final = 32  # those of 16 questions: 0.8 ms each with two cores, where 16 take 0.9
DECIMALS: Final = 7  # below what float32 vectors tell apart
NO_VECTOR: Final = np.iinfo(np.uint32).max
NO_ROWS: Final = np.empty(0, dtype=np.intp)

Cosines = NDArray[np.float64]
Result = TypeVar("Result")


class FlatIndex:
    """The vectors of different texts, and which record's which passage each text is.

    Equal texts share one vector, so what is searched is smaller than the number of passages.
    """

    def __init__(self, vectors: VectorRows, codes: Codes, vector_of: NDArray[np.uint32]) -> None:
        """Remember the parts; none is copied.

        vectors: (V, dim), rows of length 1, each that of at least one passage; codes: of these vectors.
        vector_of: (records, facets), a row of `vectors` or NO_VECTOR; records ascend by id.
        """
        self._vectors, self._codes, self._vector_of = vectors, codes, vector_of
        flat = vector_of.ravel()
        used = np.flatnonzero(flat != NO_VECTOR)
        order = np.argsort(flat[used], kind="stable")  # passages by their vector, then by record and facet
        self._passages = used[order].astype(np.uint32)  # record number * facets + facet
        self._first_passage = np.searchsorted(flat[used[order]], np.arange(len(codes) + 1, dtype=np.uint32))
        self._scan = CodeScan(codes)
        self._scanning: Batching[tuple[FloatMatrix, int], list[Rows]] = Batching(self._scanned)

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._vectors.shape[1]

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        """See `VectorIndex.search`. Exact; figures are in README.md."""
        self.check(queries)
        if k <= 0 or not len(self) or not len(queries):
            return [[] for _ in queries]
        among = await self._scanning.answer((queries, k))
        return await asyncio.to_thread(self.neighbours_among, queries, k, among)

    async def similarities(self, queries: FloatMatrix, records: Sequence[int] | Numbers) -> FloatMatrix:
        """See `VectorIndex.similarities`."""
        self.check(queries)
        nothing = np.empty((len(queries), 0))
        return await asyncio.to_thread(
            self._similarities, queries, np.asarray(records, dtype=np.intp), NO_ROWS, nothing
        )

    async def nearest_records(
        self, queries: FloatMatrix, k: int, besides: Numbers, then: Callable[[Numbers, FloatMatrix], Result]
    ) -> Result:
        """See `VectorIndex.nearest_records`."""
        self.check(queries)
        among = [NO_ROWS for _ in queries]
        if k > 0 and len(self) and len(queries):
            among = await self._scanning.answer((queries, k))
        # Not where the scan is: the next one computes without Python's lock while this needs it.
        return await asyncio.to_thread(self.records_among, queries, k, among, besides, then)

    def check(self, queries: FloatMatrix) -> None:
        """Raise WrongDimension when another encoder made the queries."""
        if queries.ndim != 2 or queries.shape[1] != self.dim:
            raise WrongDimension(int(queries.shape[-1]), self.dim)

    def neighbours_among(self, queries: FloatMatrix, k: int, among: Sequence[Rows]) -> list[list[Neighbour]]:
        """As `VectorIndex.search`, of the vectors that have these numbers: for each query its own, ascending."""
        return [
            [
                Neighbour(place // len(FACETS), FACETS[place % len(FACETS)], cosine)
                for place, cosine in zip(passages.tolist(), cosines.tolist(), strict=True)
            ]
            for passages, cosines in self._nearest(k, among, *self._compared(queries, among))
        ]

    def records_among(
        self,
        queries: FloatMatrix,
        k: int,
        among: Sequence[Rows],
        besides: Numbers,
        then: Callable[[Numbers, FloatMatrix], Result],
    ) -> Result:
        """As `VectorIndex.nearest_records`, of the vectors that have these numbers: for each query its own, ascending.

        Each row is read once, whoever needs it.
        """
        rows, exact = self._compared(queries, among)
        near = [passages // len(FACETS) for passages, _ in self._nearest(k, among, rows, exact)]
        records: Numbers = np.unique(np.concatenate([besides, *near]).astype(np.intp))
        return then(records, self._similarities(queries, records, rows, exact))

    def _compared(self, queries: FloatMatrix, among: Sequence[Rows]) -> tuple[Rows, Cosines]:
        """The vectors that are among these for any query, ascending, and their exact cosines with each."""
        rows = np.unique(np.concatenate([NO_ROWS, *among]))
        return rows, exact_cosines(queries, self._vectors.rows(rows))

    def _nearest(
        self, k: int, among: Sequence[Rows], rows: Rows, exact: Cosines
    ) -> list[tuple[NDArray[np.uint32], Cosines]]:
        """The k nearest passages of each query, and their cosines; ties as `VectorIndex.search` has them."""
        return [
            self._nearest_passages(own, of_query[np.searchsorted(rows, own)], k)
            for own, of_query in zip(among, exact, strict=True)
        ]

    def _nearest_passages(self, rows: Rows, exact: Cosines, k: int) -> tuple[NDArray[np.uint32], Cosines]:
        # Every vector has a passage, so the k nearest passages are among those of the k nearest vectors.
        firsts = self._first_passage[rows]
        counts = self._first_passage[rows + 1] - firsts
        ends = np.cumsum(counts)
        places = np.repeat(firsts - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)
        passages = self._passages[places]
        similarity = np.repeat(exact, counts)
        order = np.lexsort((passages, -similarity))[:k]  # numbers ascend with ids, so ties are by id, then by facet
        return passages[order], similarity[order]

    def _scanned(self, searches: Sequence[tuple[FloatMatrix, int]]) -> list[list[Rows]]:
        """The vectors that can be among the nearest, for each query of each search."""
        queries = np.concatenate([asked for asked, _ in searches])
        ks = [k for asked, k in searches for _ in asked]
        among: list[Rows] = []
        for start in range(0, len(queries), QUERIES_AT_ONCE):
            some = slice(start, start + QUERIES_AT_ONCE)
            among += self._scan.candidates(queries[some], ks[some])
        of_query = iter(among)
        return [list(islice(of_query, len(asked))) for asked, _ in searches]

    def _similarities(
        self,
        queries: FloatMatrix,
        records: Numbers,
        known_rows: Rows,
        known: Cosines,
    ) -> FloatMatrix:
        """See `VectorIndex.similarities`. known: the exact cosines of each query with `known_rows`, which ascend."""
        rows = self._vector_of[records]
        present = rows != NO_VECTOR
        wanted, place = np.unique(rows[present], return_inverse=True)
        exact = np.empty((len(queries), len(wanted)))
        is_known = np.zeros(len(wanted), dtype=np.bool_)
        if len(known_rows):
            at = np.minimum(np.searchsorted(known_rows, wanted), len(known_rows) - 1)
            is_known = known_rows[at] == wanted
            exact[:, is_known] = known[:, at[is_known]]
        exact[:, ~is_known] = exact_cosines(queries, self._vectors.rows(wanted[~is_known].astype(np.intp)))
        cosines = np.full((len(queries), *rows.shape), np.nan, dtype=np.float32)
        cosines[:, present] = exact[:, place]
        return cosines


def exact_cosines(queries: FloatMatrix, vectors: FloatMatrix) -> Cosines:
    """Cosines that depend on the two vectors alone, shape (queries, vectors).

    Summed in float64 and rounded below what float32 tells apart: no order of summing shows, on no machine. einsum, not
    BLAS: its threads wait for each other where other work shares the cores.
    """
    exact = np.einsum("qd,vd->qv", queries.astype(np.float64), vectors.astype(np.float64))
    rounded: Cosines = np.clip(np.round(exact, DECIMALS), -1.0, 1.0)
    return rounded


def place_of(ascending: Sequence[str], wanted: str) -> int:
    """Where a string stands in an ascending sequence, or -1."""
    place = bisect_left(ascending, wanted)
    return place if place < len(ascending) and ascending[place] == wanted else -1
