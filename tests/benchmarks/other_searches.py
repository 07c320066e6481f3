"""The searches of other libraries that ours is measured beside."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from usearch.index import search as usearch_search

from embeddings.codes import Codes, codes_of
from embeddings.encoder import FloatMatrix

Search = Callable[[FloatMatrix], object]  # of a query, shape (1, dim)
NO_FAISS = "not measured, faiss-cpu is not installed (the extra `bench`)"


def by_usearch(codes: Codes, k: int) -> Search:
    """usearch, exact, over the same codes, without the bounds that make ours exact over the vectors."""
    return lambda query: usearch_search(codes.codes, codes_of(query).codes[0], k, "ip", exact=True, threads=1)


def by_faiss(vectors: FloatMatrix, k: int) -> Search | None:
    """faiss, exact, over the float32 vectors; None where it is not installed."""
    if find_spec("faiss") is None:
        return None
    flat = import_module("faiss").IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    return lambda query: flat.search(query, k)
