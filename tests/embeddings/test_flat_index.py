"""Exact search against brute force."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import flat_index
from embeddings.code_scan import CodeScan
from embeddings.codes import codes_of
from embeddings.encoder import FloatMatrix
from embeddings.errors import WrongDimension
from embeddings.flat_index import NO_VECTOR, FlatIndex, place_of
from embeddings.passage import FACETS
from tests.embeddings.row_array import RowArray

DIM = 4
# Few different coordinates, so that ties are common.
VECTOR = st.tuples(*[st.sampled_from([-1.0, 0.0, 1.0])] * DIM).filter(any)
ROW = st.tuples(*[st.none() | st.integers(0, 5)] * len(FACETS))


def unit(rows: list[tuple[float, ...]]) -> FloatMatrix:
    """Rows of length 1."""
    matrix = np.array(rows, dtype=np.float64).reshape(-1, DIM)
    rows_of_one: FloatMatrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return rows_of_one


@st.composite
def indexes(draw: st.DrawFn) -> tuple[FloatMatrix, list[tuple[int | None, ...]]]:
    """Vectors, and the vector of each record's facets."""
    vectors = unit(draw(st.lists(VECTOR, min_size=6, max_size=6)))
    rows = [*draw(st.lists(ROW, max_size=8)), (0, 1, 2), (3, 4, 5)]  # every vector has a passage
    return vectors, rows


def opened(vectors: FloatMatrix, rows: list[tuple[int | None, ...]]) -> FlatIndex:
    """An index of these parts."""
    filled = [[NO_VECTOR if row is None else row for row in record] for record in rows]
    of = np.array(filled, dtype=np.uint32).reshape(-1, len(FACETS))
    return FlatIndex(RowArray(vectors), codes_of(vectors), of)


@given(indexes(), st.lists(VECTOR, max_size=3), st.integers(0, 30))
async def test_search_equals_brute_force(
    parts: tuple[FloatMatrix, list[tuple[int | None, ...]]], asked: list[tuple[float, ...]], k: int
) -> None:
    """A11: the k highest cosines, equal ones by record and facet, whatever the blocks."""
    vectors, rows = parts
    queries = unit(asked)

    found = await opened(vectors, rows).search(queries, k)

    for query, neighbours in zip(queries, found, strict=True):
        everything = [
            (
                -np.clip(round(float(vectors[row].astype(np.float64) @ query.astype(np.float64)), 7), -1, 1),
                record,
                number,
            )
            for record, facets in enumerate(rows)
            for number, row in enumerate(facets)
            if row is not None
        ]
        expected = sorted(everything)[:k]
        assert [(n.record, FACETS.index(n.facet)) for n in neighbours] == [(record, f) for _, record, f in expected]
        assert [n.similarity for n in neighbours] == pytest.approx([-cosine for cosine, _, _ in expected])


async def test_blocks_and_groups_of_queries_join_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searching in small pieces finds what searching in one finds, in the same order."""
    random = np.random.default_rng(7)
    vectors = unit(random.normal(size=(500, DIM)).tolist())
    rows: list[tuple[int | None, ...]] = [(number, None, 499 - number) for number in range(500)]
    index = opened(vectors, rows)
    queries = unit(random.normal(size=(40, DIM)).tolist())

    whole = await index.search(queries, 25)
    monkeypatch.setattr(flat_index, "QUERIES_AT_ONCE", 3)
    monkeypatch.setattr(flat_index, "CodeScan", partial(CodeScan, threads=2, products_at_once=40, shared_from=0))

    assert await opened(vectors, rows).search(queries, 25) == whole


async def test_similarities_are_those_of_search_and_nan_where_there_is_nothing() -> None:
    """The cosines of given records are exact, in the order asked for."""
    vectors = unit([(1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)])
    index = opened(vectors, [(0, None, 2), (1, None, None), (None, None, None)])

    cosines = await index.similarities(vectors[:1], [1, 2, 0])

    assert cosines.shape == (1, 3, 3)
    np.testing.assert_allclose(cosines[0, 0], [0, np.nan, np.nan])
    assert np.isnan(cosines[0, 1]).all()
    np.testing.assert_allclose(cosines[0, 2], [1, np.nan, 0.5**0.5], atol=1e-6)


@given(indexes(), st.lists(VECTOR, max_size=3), st.integers(0, 30), st.lists(st.integers(0, 1), max_size=3))
async def test_records_in_one_go_are_those_of_searching_and_comparing(
    parts: tuple[FloatMatrix, list[tuple[int | None, ...]]], asked: list[tuple[float, ...]], k: int, more: list[int]
) -> None:
    """The records of the nearest passages and those asked for besides, each once, with the similarities they have."""
    vectors, rows = parts
    index, queries = opened(vectors, rows), unit(asked)
    besides = np.array(more, dtype=np.intp)

    records, cosines = await index.nearest_records(queries, k, besides, lambda *both: both)

    near = {one.record for neighbours in await index.search(queries, k) for one in neighbours}
    assert records.tolist() == sorted(near.union(more))
    np.testing.assert_array_equal(cosines, await index.similarities(queries, records))


async def test_queries_of_another_encoder_are_refused() -> None:
    """All ways of asking say which dimensions met."""
    index = opened(unit([(1, 0, 0, 0)]), [(0, None, None)])
    wrong = np.ones((1, 3), dtype=np.float32)

    with pytest.raises(WrongDimension, match="3 dimensions where 4"):
        await index.search(wrong, 1)
    with pytest.raises(WrongDimension):
        await index.similarities(wrong, [0])
    with pytest.raises(WrongDimension):
        await index.nearest_records(wrong, 1, np.zeros(1, dtype=np.intp), lambda *both: both)


@given(st.lists(st.text(max_size=3), unique=True), st.text(max_size=3))
def test_a_place_is_where_the_string_stands(names: list[str], wanted: str) -> None:
    """The number of a known string, -1 for another."""
    ascending = sorted(names)

    assert place_of(ascending, wanted) == (ascending.index(wanted) if wanted in ascending else -1)
