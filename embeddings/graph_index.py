"""Approximate search in a graph of neighbours (HNSW, by usearch), for more vectors than an exact scan is quick with.

The graph is a file beside the generations, named by what it was built from: another set of vectors has another name, so
a graph is never asked about vectors that are not its own. Search works without it, exactly.
"""

import asyncio
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embeddings.build_lock import BuildLock
from embeddings.code_scan import Rows
from embeddings.codes import codes_of
from embeddings.disk import mapped, sync_file, sync_folder
from embeddings.encoder import FloatMatrix
from embeddings.flat_index import NO_ROWS, FlatIndex
from embeddings.generations import CODES, TEXT_HASHES, current_generation
from embeddings.vector_index import Neighbour, Numbers, Result

# A scan of a million codes takes 20 to 30 ms on one core here, and 35 ms is what a search may take; see README.md.
APPROXIMATE_FROM: Final = 1_000_000
PREFIX: Final = "graph-"
SUFFIX: Final = ".usearch"
_CONNECTIONS: Final = 16
_BUILD_EFFORT: Final = 128
# Recall at 10 over 362,329 vectors, asked with 574 whole pastes and with 300 disturbed messages: 0.968 and 0.994 at
# 400, 0.982 and 0.996 at 800, which takes 2 to 6 ms.
_SEARCH_EFFORT: Final = 800
_SPARE: Final = 4  # times as many candidates as wanted are compared exactly
_PARAMETERS: Final = f"usearch 2 i8 cos {_CONNECTIONS} {_BUILD_EFFORT}"


class GraphIndex:
    """A flat index with a graph that says which of its vectors to compare."""

    def __init__(self, flat: FlatIndex, graph: Any) -> None:
        self._flat, self._graph = flat, graph

    @classmethod
    def beside(cls, flat: FlatIndex, text_hashes: Path) -> "GraphIndex | None":
        """The graph of this generation's vectors, memory-mapped; None where there is none, or one that is not whole."""
        if not graphs_in(text_hashes.parent.parent):
            return None  # without reading the hashes
        path = graph_path(text_hashes)
        if not path.exists():
            return None
        from usearch.index import Index  # noqa: PLC0415 -- half a second of imports, for catalogues of this size only

        try:
            graph: Any = Index.restore(str(path), view=True)
        except (RuntimeError, OSError, ValueError):
            return None  # a damaged graph costs speed: the next build makes it anew
        if graph is None or len(graph) != len(flat) or graph.ndim != flat.dim:
            return None
        graph.expansion_search = _SEARCH_EFFORT
        return cls(flat, graph)

    def __len__(self) -> int:
        return len(self._flat)

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._flat.dim

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        """See `VectorIndex.search`; some of the nearest may be missed.

        What is found has its exact cosine, and ties are broken as in the exact search.
        """
        if k <= 0:
            return [[] for _ in queries]
        self._flat.check(queries)
        among = await asyncio.to_thread(self._candidates, queries, k)
        return await asyncio.to_thread(self._flat.neighbours_among, queries, k, among)

    async def similarities(self, queries: FloatMatrix, records: Sequence[int] | Numbers) -> FloatMatrix:
        """See `VectorIndex.similarities`; exact."""
        return await self._flat.similarities(queries, records)

    async def nearest_records(
        self, queries: FloatMatrix, k: int, besides: Numbers, then: Callable[[Numbers, FloatMatrix], Result]
    ) -> Result:
        """See `VectorIndex.nearest_records`; some of the nearest may be missed, what is found has its exact cosines."""
        self._flat.check(queries)
        among = [NO_ROWS for _ in queries] if k <= 0 else await asyncio.to_thread(self._candidates, queries, k)
        return await asyncio.to_thread(self._flat.records_among, queries, k, among, besides, then)

    def _candidates(self, queries: FloatMatrix, k: int) -> list[Rows]:
        """For each query the numbers of vectors that are probably among its k nearest, ascending."""
        wanted = min(len(self._flat), _SPARE * k)
        return [
            np.sort(self._graph.search(codes, wanted, threads=1).keys.astype(np.intp))
            for codes in codes_of(queries).codes
        ]


def graphs_in(folder: Path) -> frozenset[str]:
    """The names of the graphs in the folder of an index."""
    return frozenset(path.name for path in folder.glob(f"{PREFIX}*{SUFFIX}"))


def graph_path(text_hashes: Path) -> Path:
    """Where the graph of a generation's vectors is, or would be: the name tells texts, encoder and parameters."""
    generation = text_hashes.parent
    identity = blake2b(_PARAMETERS.encode(), digest_size=16)
    identity.update(text_hashes.read_bytes())
    identity.update((generation / CODES["errors"]).read_bytes())  # differs with the encoder that made the vectors
    return generation.parent / f"{PREFIX}{identity.hexdigest()}{SUFFIX}"


def build_graph(folder: Path, *, approximate_from: int = APPROXIMATE_FROM) -> Path | None:
    """The graph of the vectors that serve is on disk, and no other one; None where there are too few for one.

    Vectors go in by one thread in the order of their texts' hashes: one set of texts has one graph, whatever the order
    of its records. Takes about 0.7 ms a vector on one core, and 1.1 KB of memory. Computes: call it in a worker thread,
    best in a process of its own.

    Raises IndexBusy while another process builds here, IndexMissing, IndexDoesNotFit.
    """
    with BuildLock(folder):
        generation = current_generation(folder)
        path: Path | None = None
        if (generation / CODES["codes"]).exists():
            codes: NDArray[np.int8] = mapped(generation / CODES["codes"])
            if len(codes) >= approximate_from:
                path = graph_path(generation / TEXT_HASHES)
                if not path.exists():
                    _write_graph(codes, path)
        for other in folder.glob(f"{PREFIX}*"):
            if other != path:
                other.unlink()
        return path


def _write_graph(codes: NDArray[np.int8], path: Path) -> None:
    from usearch.index import Index  # noqa: PLC0415 -- as above

    graph = Index(ndim=codes.shape[1], metric="cos", dtype="i8", connectivity=_CONNECTIONS, expansion_add=_BUILD_EFFORT)
    graph.add(np.arange(len(codes), dtype=np.uint64), np.ascontiguousarray(codes), threads=1)
    unfinished = path.with_suffix(".new")
    graph.save(str(unfinished))
    with unfinished.open("rb+") as file:
        sync_file(file.fileno())
    unfinished.replace(path)
    sync_folder(path.parent)
