"""The nearest passages among some of the records, whatever index the vectors lie in."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix
from embeddings.passage import FACETS
from embeddings.vector_index import VectorIndex

# Which records count, by their number in the index: shape (records,).
Selection = NDArray[np.bool_]

# So few are compared one by one in some 20 ms; a search would have to be widened over and over to find enough of them.
COMPARED_ONE_BY_ONE: Final = 2_000
# A search gives more than it is asked for at first, so that it seldom has to be repeated.
SPARE: Final = 2
WIDER: Final = 4
# Beyond so many neighbours making them costs more than comparing all of the selection.
WIDEST: Final = 6_000
COMPARED_AT_ONCE: Final = 4_000


async def nearest_selected(vectors: VectorIndex, queries: FloatMatrix, k: int, only: Selection) -> set[int]:
    """The numbers of the selected records whose passages are the k nearest of any query.

    As if the index held no other records, however many are nearer. Time grows with the number of selected records, or
    with the time of some searches where they are many.
    """
    chosen = np.flatnonzero(only)
    if not len(chosen) or not len(queries):
        return set()
    if len(chosen) > COMPARED_ONE_BY_ONE:
        wider = SPARE * k * -(-len(only) // len(chosen))
        while wider <= WIDEST:
            rows = await vectors.search(queries, wider)
            inside = [[one.record for one in row if only[one.record]][:k] for row in rows]
            if all(len(found) == k or len(row) < wider for found, row in zip(inside, rows, strict=True)):
                return {number for found in inside for number in found}
            wider *= WIDER
    return await _compared_one_by_one(vectors, queries, k, chosen)


async def _compared_one_by_one(
    vectors: VectorIndex, queries: FloatMatrix, k: int, chosen: NDArray[np.intp]
) -> set[int]:
    nearest = [np.empty((0, 2)) for _ in queries]  # negative cosine and place, the best k of each query so far
    for start in range(0, len(chosen), COMPARED_AT_ONCE):
        some = chosen[start : start + COMPARED_AT_ONCE]
        cosines = await vectors.similarities(queries, some)
        # A place tells record and facet, so that ties are ordered as every index orders them.
        places = (some[:, None] * len(FACETS) + np.arange(len(FACETS))).ravel()
        for row, of_query in enumerate(cosines):
            flat = of_query.ravel()
            there = ~np.isnan(flat)
            both = np.concatenate([nearest[row], np.stack([-flat[there], places[there]], axis=1)])
            nearest[row] = both[np.lexsort((both[:, 1], both[:, 0]))[:k]]
    return {int(place) // len(FACETS) for best in nearest for place in best[:, 1]}
