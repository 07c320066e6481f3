"""Which vectors can be among the nearest, found by comparing codes with codes.

A scan over codes reads a quarter of what float32 takes, and knows its own error: whatever could be among the nearest is
compared again exactly, so a search through codes finds what a search through the vectors finds.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Final

import numkong
import numpy as np
from numpy.typing import NDArray

from embeddings.codes import Codes, codes_of
from embeddings.cores import usable_cores
from embeddings.encoder import FloatMatrix

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

# A block takes 9 bytes for each product, 2.4 MB in all. A thread that has computed one has to win Python's lock back
# before it goes on, which takes up to 5 ms beside others that compute, so blocks are to be few; but with four times as
# large ones a scan takes a fifth longer, for what they are computed into is fetched from the system each time.
PRODUCTS_AT_ONCE: Final = 1 << 18
# The product of two matrices is computed for four queries at a time, so three take longer than four.
QUERIES_TOGETHER: Final = 4
# Fewer products than these take less than a millisecond, and another thread would not help.
SHARED_FROM: Final = 200_000
# More threads wait for memory: two of them read 50 GB a second here.
MOST_THREADS: Final = 4
# So many codes tell how near the nearest are at least. They lie in the order of their texts' hashes: by chance.
SAMPLE: Final = 4_096
# Above what float32 rounding adds to bounds computed from lengths near 1.
MARGIN: Final = 1e-5


class CodeScan:
    """Searches all codes of an index, with all cores."""

    def __init__(
        self,
        vectors: Codes,
        *,
        threads: int | None = None,
        products_at_once: int = PRODUCTS_AT_ONCE,
        shared_from: int = SHARED_FROM,
    ) -> None:
        """Remember the codes. threads: by default as many as there are cores, and no more than MOST_THREADS."""
        self._vectors, self._threads = vectors, threads
        self._products_at_once, self._shared_from = products_at_once, shared_from

    def candidates(self, queries: FloatMatrix, ks: Sequence[int]) -> list[Rows]:
        """For each query the numbers of all vectors that can be among its k nearest, ascending; never fewer than k.

        ks: the k of each query, above 0.

        Vectors of length 1 are taken for granted. Computed by integers, so the same on every machine, in any company,
        by any number of threads. Among 362,329 vectors 130 are left for k = 50 in the middle, 376 at most over 574
        pastes. Time grows with queries * V * dim, memory does not grow with V. Computes: call it in a worker thread.
        """
        if not len(queries) or not len(self._vectors):
            return [np.empty(0, dtype=np.intp) for _ in queries]
        asked = codes_of(queries)
        lengths = np.sqrt(np.square(asked.codes.astype(np.float64)).sum(axis=1)) * asked.steps
        # The cosine is (q + dq)(v + dv), the rough one qv, and they differ by at most |dq| + |q||dv|.
        widest = asked.errors + lengths * self._largest_error + MARGIN
        products = _products(asked.codes)
        least = self._least(asked, ks, products)
        found = self._found(products, lambda: _Found(ks, asked.steps, widest, least.copy()), len(queries))
        among = []
        for (numbers, cosines), k, length, error in zip(found, ks, lengths, asked.errors, strict=True):
            slack = error + length * self._vectors.errors[numbers] + MARGIN
            among.append(_sifted(numbers, cosines, slack, k))
        return among

    @cached_property
    def _largest_error(self) -> float:
        return float(self._vectors.errors.max(initial=0.0))

    @cached_property
    def _thread_count(self) -> int:
        return self._threads or min(usable_cores(), MOST_THREADS)

    @cached_property
    def _helpers(self) -> ThreadPoolExecutor:
        """Its threads start with the first scan that is shared, and end when nobody holds this any more."""
        return ThreadPoolExecutor(self._thread_count - 1, thread_name_prefix="code-scan")

    def _least(self, asked: Codes, ks: Sequence[int], products: "_Products") -> NDArray[np.float64]:
        """A rough cosine for each query that its k nearest reach, for it holds for k vectors of a sample."""
        least = np.full(len(ks), -np.inf)
        if len(self._vectors) > 2 * SAMPLE and min(ks) <= SAMPLE:
            sample = products(self._vectors.codes[:SAMPLE]) * self._vectors.steps[:SAMPLE]
            for number, k in enumerate(ks):
                if k <= SAMPLE:
                    least[number] = _kth_highest(sample[number], k) * asked.steps[number]
        return least

    def _found(self, products: "_Products", nothing: Callable[[], "_Found"], queries: int) -> list[tuple[Rows, Floats]]:
        """Numbers and rough cosines, by query, of what can be among the nearest, ascending by number."""
        total = len(self._vectors)
        computed = -(-queries // QUERIES_TOGETHER) * QUERIES_TOGETHER if queries > 1 else 1
        threads = self._thread_count if total * computed >= self._shared_from else 1
        most = max(1, self._products_at_once // computed)
        blocks = -(-total // (most * threads)) * threads  # as many for each thread
        rows = -(-total // blocks)
        starts = iter(range(0, total, rows))

        def share() -> _Found:
            """What one thread finds. It takes block after block, so one that is kept waiting delays nobody."""
            found = nothing()
            for start in starts:
                block = slice(start, start + rows)
                rough = products(self._vectors.codes[block])
                rough *= self._vectors.steps[block]
                found.add(start, rough)
            return found

        others = [self._helpers.submit(share) for _ in range(threads - 1)]
        shares = [share(), *(other.result() for other in others if not other.cancel())]
        return [_joined([one.of_query(number) for one in shares]) for number in range(queries)]


_Products = Callable[[NDArray[np.int8]], Floats]


def _products(queries: NDArray[np.int8]) -> _Products:
    """What gives the products of these codes with a block of codes, shape (queries, block). Exact in float32.

    Integers below 2**24 are, and so are products of 384 codes.
    """
    count = len(queries)
    if count == 1:

        def by_passing(block: NDArray[np.int8]) -> Floats:
            return np.asarray(numkong.cdist(queries, block, metric="dot", threads=1)).astype(np.float32)

        return by_passing
    filled = np.zeros((-(-count // QUERIES_TOGETHER) * QUERIES_TOGETHER, queries.shape[1]), dtype=np.int8)
    filled[:count] = queries
    packed = numkong.dots_pack(filled)

    def by_matrix(block: NDArray[np.int8]) -> Floats:
        # In the order of queries, since each has the steps of all rows as factors: 0.3 ns a product, otherwise 3.
        return np.asarray(numkong.dots_packed(block, packed))[:, :count].T.astype(np.float32, order="C")

    return by_matrix


class _Found:
    """The vectors met so far that can be among the nearest of some queries."""

    def __init__(
        self, ks: Sequence[int], steps: Floats, widest: NDArray[np.float64], least: NDArray[np.float64]
    ) -> None:
        """steps: of the queries. widest: how far any rough cosine may be from the true one. least: what k reach."""
        self._ks, self._steps, self._widest, self._least = ks, steps, widest, least
        self._found: list[list[tuple[Rows, Floats]]] = [[] for _ in ks]
        self._met = self._sifted_at = 0

    def add(self, start: int, rough: Floats) -> None:
        """These are the rough cosines of the vectors from number `start` on, each divided by its query's step."""
        size = rough.shape[1]
        limits = ((self._least - 2 * self._widest) / self._steps).astype(np.float32)
        inside = np.flatnonzero(rough >= limits[:, None])
        firsts = np.arange(len(rough) + 1) * size
        ends = np.searchsorted(inside, firsts)
        counts = np.diff(ends)
        cosines = rough.reshape(-1)[inside] * np.repeat(self._steps, counts)
        numbers = inside + np.repeat(start - firsts[:-1], counts)
        for found, (begin, end) in zip(self._found, pairwise(ends.tolist()), strict=True):
            found.append((numbers[begin:end], cosines[begin:end]))
        self._met += size
        if self._met >= 2 * self._sifted_at:  # seldom: twice as many raise the limits by little
            self._sifted_at = self._met
            for query in range(len(self._found)):
                self._sift(query)

    def of_query(self, query: int) -> tuple[Rows, Floats]:
        """Numbers and rough cosines, in the order they were added."""
        return _concatenated(self._found[query])

    def _sift(self, query: int) -> None:
        numbers, cosines = self.of_query(query)
        k = self._ks[query]
        if len(cosines) > k:
            self._least[query] = max(self._least[query], _kth_highest(cosines, k))
            kept = cosines >= self._least[query] - 2 * self._widest[query]
            numbers, cosines = numbers[kept], cosines[kept]
        self._found[query] = [(numbers, cosines)]


def _concatenated(found: Sequence[tuple[Rows, Floats]]) -> tuple[Rows, Floats]:
    if not found:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)
    return np.concatenate([numbers for numbers, _ in found]), np.concatenate([cosines for _, cosines in found])


def _joined(shares: Sequence[tuple[Rows, Floats]]) -> tuple[Rows, Floats]:
    """What several threads found, ascending by number."""
    numbers, cosines = _concatenated(shares)
    order = np.argsort(numbers)
    return numbers[order], cosines[order]


def _sifted(numbers: Rows, cosines: Floats, slack: Floats, k: int) -> Rows:
    """Those that can be among the k nearest where each true cosine is within its slack of the rough one."""
    if len(numbers) <= k:
        return numbers
    surely = _kth_highest(cosines - slack, k)
    return numbers[cosines + slack >= surely]


def _kth_highest(values: Floats, k: int) -> np.float32:
    highest: np.float32 = np.partition(values, len(values) - k)[len(values) - k]
    return highest
