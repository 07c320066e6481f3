"""How long the nearest vectors take to find, beside numpy, usearch and (where it is installed) faiss in the same run.

`python -m tests.benchmarks.vector_search [DATA_DIR]`: with a data folder the vectors are those of its index and the
queries disturbed ones of them; without, both are made up, which changes no time. More vectors than there are come from
repetition with changes. The graph is built at the two smallest sizes only (it takes a millisecond a vector), and
elsewhere measured where the data folder holds one.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from embeddings.codes import Codes, codes_of
from embeddings.encoder import FloatMatrix
from embeddings.flat_index import FlatIndex
from embeddings.generations import VECTORS, current_generation
from embeddings.graph_index import GraphIndex, build_graph, graph_path
from embeddings.passage import FACETS
from embeddings.vector_index import VectorIndex
from tests.benchmarks.other_searches import NO_FAISS, Search, by_faiss, by_usearch
from tests.embeddings.row_array import RowArray

DIM = 384
SIZES = (3_000, 30_000, 150_000, 459_000, 1_000_000)
GRAPH_UP_TO = 30_000
QUERIES = 30
K = 50  # what the nearest tier asks for
RECALL_AT = 10
NOISE = 0.02  # a coordinate's change, in a vector of length 1: cosine about 0.93 to the original


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds a query."""

    p50: float
    p99: float

    def __str__(self) -> str:
        return f"p50 {self.p50:.1f} ms, p99 {self.p99:.1f} ms"


def measure(data_dir: Path | None = None) -> list[str]:
    """A line for each size and way of searching, one query at a time, and 16 at once."""
    return list(_lines(data_dir))


def _lines(data_dir: Path | None) -> Iterator[str]:
    random = np.random.default_rng(11)
    known = _known_vectors(data_dir, random)
    for size in SIZES:
        vectors = _repeated(known, size, random)
        queries = _disturbed(vectors[random.choice(size, QUERIES, replace=False)], random)
        codes = codes_of(vectors)
        index = FlatIndex(RowArray(vectors), codes, _one_passage_each(size))
        by_numpy = _timed(partial(_numpy_search, vectors), queries)
        exact = _timed(partial(_our_search, index), queries)
        yield f"{size:,} vectors, numpy float32 (baseline): {by_numpy}"
        yield f"{size:,} vectors, exact: {exact}; numpy takes {by_numpy.p50 / exact.p50:.1f} times as long"
        if size <= GRAPH_UP_TO or size == SIZES[-2]:
            yield from _others(vectors, codes, queries, exact)
        many = np.repeat(queries, 16, axis=0)[:16]
        began = time.perf_counter()
        asyncio.run(index.search(many, K))
        yield f"{size:,} vectors, exact, 16 queries at once: {(time.perf_counter() - began) * 1000 / 16:.1f} ms a query"
        if size <= GRAPH_UP_TO:
            yield _graph(index, codes, queries, exact)


def _numpy_search(vectors: FloatMatrix, query: FloatMatrix) -> object:
    return np.argpartition(-(vectors @ query[0]), K)[:K]


def _our_search(index: VectorIndex, query: FloatMatrix) -> object:
    return asyncio.run(index.search(query, K))


def _others(vectors: FloatMatrix, codes: Codes, queries: FloatMatrix, exact: Timed) -> Iterator[str]:
    size = len(vectors)
    of_bytes = _timed(by_usearch(codes, K), queries)
    yield f"{size:,} vectors, usearch exact over the same codes: {of_bytes}, {of_bytes.p50 / exact.p50:.1f} times ours"
    flat = by_faiss(vectors, K)
    if flat is None:
        yield f"{size:,} vectors, faiss flat: {NO_FAISS}"
        return
    timed = _timed(flat, queries)
    yield f"{size:,} vectors, faiss flat: {timed}, {timed.p50 / exact.p50:.1f} times ours"


def _graph(index: FlatIndex, codes: Codes, queries: FloatMatrix, exact: Timed) -> str:
    with tempfile.TemporaryDirectory(prefix="errata-graph-") as name:
        generation = Path(name) / "generation-1"
        generation.mkdir()
        (Path(name) / "current").write_text("generation-1\n", encoding="utf-8")
        for field in ("codes", "steps", "errors"):
            np.save(generation / f"text_{field}.npy", getattr(codes, field))
        np.save(generation / "text_hashes.npy", np.zeros((len(codes), 16), dtype=np.uint8))
        began = time.perf_counter()
        build_graph(Path(name), approximate_from=1)
        seconds = time.perf_counter() - began
        graph = GraphIndex.beside(index, generation / "text_hashes.npy")
        assert graph is not None, graph_path(generation / "text_hashes.npy")
        timed = _timed(partial(_our_search, graph), queries)
        found = asyncio.run(graph.search(queries, RECALL_AT))
        best = asyncio.run(index.search(queries, RECALL_AT))
    recall = statistics.mean(
        sum(one.similarity >= row[-1].similarity for one in some) / RECALL_AT
        for some, row in zip(found, best, strict=True)
    )
    return (
        f"{len(codes):,} vectors, graph built in {seconds:.0f} s: {timed}, recall at {RECALL_AT} {recall:.3f}, "
        f"{exact.p50 / timed.p50:.1f} times as fast as exact"
    )


def _timed(search: Search, queries: FloatMatrix) -> Timed:
    search(queries[:1])
    times = []
    for number in range(len(queries)):
        began = time.perf_counter()
        search(queries[number : number + 1])
        times.append((time.perf_counter() - began) * 1000)
    return Timed(statistics.median(times), sorted(times)[round(0.99 * (len(times) - 1))])


def _known_vectors(data_dir: Path | None, random: np.random.Generator) -> FloatMatrix:
    if data_dir is None:
        return _unit(random.standard_normal((30_000, DIM), dtype=np.float32))
    found: FloatMatrix = np.load(current_generation(data_dir / "index") / VECTORS)
    return found


def _repeated(known: FloatMatrix, size: int, random: np.random.Generator) -> FloatMatrix:
    vectors = np.empty((size, known.shape[1]), dtype=np.float32)
    for start in range(0, size, len(known)):
        part = vectors[start : start + len(known)]
        part[:] = known[: len(part)] if start == 0 else _disturbed(known[: len(part)], random)
    return vectors


def _disturbed(vectors: FloatMatrix, random: np.random.Generator) -> FloatMatrix:
    return _unit(vectors + np.float32(NOISE) * random.standard_normal(vectors.shape, dtype=np.float32))


def _unit(vectors: FloatMatrix) -> FloatMatrix:
    unit: FloatMatrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _one_passage_each(size: int) -> "np.ndarray[tuple[int, int], np.dtype[np.uint32]]":
    rows = np.full((-(-size // len(FACETS)), len(FACETS)), np.iinfo(np.uint32).max, dtype=np.uint32)
    rows.ravel()[:size] = np.arange(size, dtype=np.uint32)
    return rows


if __name__ == "__main__":
    for line in _lines(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(line, flush=True)
