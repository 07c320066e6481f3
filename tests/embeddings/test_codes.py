"""Codes: how far a rough cosine may be off, and that no vector among the nearest is ever left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from embeddings import codes as module
from embeddings.codes import PASSES_UP_TO, Codes, candidates, codes_of
from embeddings.encoder import FloatMatrix

DIM = 8
ROWS = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 40), st.just(DIM)),
    elements=st.floats(-1, 1, width=32).filter(lambda x: x == 0 or abs(x) > 1e-6),
).filter(lambda rows: bool((np.linalg.norm(rows, axis=1) > 1e-3).all()))


def unit(rows: FloatMatrix) -> FloatMatrix:
    """Rows of length 1."""
    wide = rows.astype(np.float64)
    length_one: FloatMatrix = (wide / np.linalg.norm(wide, axis=1, keepdims=True)).astype(np.float32)
    return length_one


@given(ROWS)
def test_errors_are_what_rounding_left_out(rows: FloatMatrix) -> None:
    """Each row lies within its error of its codes, and the error is small."""
    vectors = unit(rows)

    codes = codes_of(vectors)

    told = codes.codes.astype(np.float64) * codes.steps[:, None]
    distance = np.linalg.norm(vectors - told, axis=1)
    assert (distance <= codes.errors).all()
    assert (codes.errors <= 0.5 * DIM**0.5 / 127 + 1e-6).all()


@given(ROWS, ROWS, st.integers(1, 12))
def test_nothing_among_the_nearest_is_left_out(rows: FloatMatrix, asked: FloatMatrix, k: int) -> None:
    """A11: whatever is as near as the k-th nearest is among the candidates, ties included, however many queries."""
    vectors, queries = unit(rows), unit(asked)
    codes = codes_of(vectors)

    found = candidates(queries, codes, [k] * len(queries))

    exact = queries.astype(np.float64) @ vectors.astype(np.float64).T
    for row, near in zip(exact, found, strict=True):
        least = np.sort(row)[-min(k, len(row))]
        assert set(np.flatnonzero(row >= least).tolist()) <= set(near.tolist())
        assert (np.diff(near) > 0).all()


@given(ROWS, st.integers(1, 12), st.integers(1, 9))
def test_neither_company_nor_blocks_change_what_is_found(rows: FloatMatrix, k: int, block: int) -> None:
    """Integers add up to the same in any order: alone or with others, in one block or in many."""
    vectors = unit(rows)
    codes = codes_of(vectors)
    many = np.repeat(vectors, PASSES_UP_TO + 1, axis=0)

    together = candidates(many, codes, [k] * len(many))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_ROWS", block)
        alone = [candidates(query[None, :], codes, [k])[0] for query in many]

    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_vectors_have_no_codes() -> None:
    """An index of nothing is an index."""
    codes = codes_of(np.empty((0, DIM), dtype=np.float32))

    assert (len(codes), codes.codes.shape) == (0, (0, DIM))
    assert [len(rows) for rows in candidates(np.eye(DIM, dtype=np.float32)[:1], codes, [3])] == [0]


def test_a_row_of_zeros_is_told_as_zeros() -> None:
    """It has no largest coordinate to divide by."""
    codes: Codes = codes_of(np.zeros((1, DIM), dtype=np.float32))

    assert codes.codes.tolist() == [[0] * DIM]
    assert codes.errors[0] < 1e-6
