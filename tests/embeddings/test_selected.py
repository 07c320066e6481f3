"""The nearest among some of the records."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import selected
from embeddings.encoder import FloatMatrix
from embeddings.passage import FACETS
from embeddings.selected import nearest_selected
from embeddings.vector_index import Neighbour, Numbers, Result

COSINES = st.lists(
    st.tuples(*[st.none() | st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0])] * len(FACETS)), min_size=1, max_size=40
)


class Table:
    """Cosines of each record's passages with the one query, as a table one can check by eye; `asked` counts."""

    def __init__(self, rows: Sequence[tuple[float | None, ...]]) -> None:
        self._rows, self.searched, self.compared = rows, list[int](), 0

    async def search(self, queries: FloatMatrix, k: int) -> list[list[Neighbour]]:
        self.searched.append(k)
        passages = [
            (-cosine, record, facet)
            for record, row in enumerate(self._rows)
            for facet, cosine in enumerate(row)
            if cosine is not None
        ]
        best = [Neighbour(record, FACETS[facet], -cosine) for cosine, record, facet in sorted(passages)[:k]]
        return [best for _ in queries]

    async def similarities(self, queries: FloatMatrix, records: Sequence[int] | Numbers) -> FloatMatrix:
        self.compared += len(records)
        rows = [self._rows[record] for record in records]
        found = np.array([[np.nan if cosine is None else cosine for cosine in row] for row in rows], dtype=np.float32)
        return np.stack([found.reshape(-1, len(FACETS))] * len(queries))

    async def nearest_records(
        self, queries: FloatMatrix, k: int, besides: Numbers, then: Callable[[Numbers, FloatMatrix], Result]
    ) -> Result:
        near = {one.record for row in await self.search(queries, k) for one in row}
        records = np.array(sorted(near.union(besides.tolist())), dtype=np.intp)
        return then(records, await self.similarities(queries, records))


def expected(everything: Sequence[Neighbour], k: int, only: Sequence[bool]) -> set[int]:
    return {one.record for one in [one for one in everything if only[one.record]][:k]}


@given(COSINES, st.integers(1, 6), st.data(), st.sampled_from([0, 5, 100]), st.sampled_from([2, 7, 6000]))
async def test_it_is_as_if_nothing_else_were_there(
    rows: list[tuple[float | None, ...]], k: int, data: st.DataObject, one_by_one: int, widest: int
) -> None:
    """A11: whichever way it is found, how many are outside and how near they are makes no difference."""
    table = Table(rows)
    only = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    query = np.ones((2, 4), dtype=np.float32)
    (everything, _) = await table.search(query, 1000)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(selected, "COMPARED_ONE_BY_ONE", one_by_one)
        patched.setattr(selected, "WIDEST", widest)
        patched.setattr(selected, "COMPARED_AT_ONCE", 3)
        found = await nearest_selected(table, query, k, np.array(only, dtype=np.bool_))

    assert found == expected(everything, k, only)


async def test_few_are_compared_and_many_are_searched_for() -> None:
    """A small selection costs its own size, a large one a search that is seldom repeated."""
    table = Table([(number / 10_000, None, None) for number in range(5000)])
    query = np.ones((1, 4), dtype=np.float32)
    few, many = np.zeros(5000, dtype=np.bool_), np.zeros(5000, dtype=np.bool_)
    few[:10] = True
    many[:4000] = True

    assert await nearest_selected(table, query, 3, few) == {7, 8, 9}
    assert (table.searched, table.compared) == ([], 10)

    assert await nearest_selected(table, query, 3, many) == {3997, 3998, 3999}
    assert table.searched == [12, 48, 192, 768, 3072]
    assert table.compared == 10
