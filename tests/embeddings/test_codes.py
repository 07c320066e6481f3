"""Codes: how far each is from its vector."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from embeddings.codes import Codes, codes_of
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


def test_no_vectors_have_no_codes() -> None:
    """An index of nothing is an index."""
    codes = codes_of(np.empty((0, DIM), dtype=np.float32))

    assert (len(codes), codes.codes.shape) == (0, (0, DIM))


def test_a_row_of_zeros_is_told_as_zeros() -> None:
    """It has no largest coordinate to divide by."""
    codes: Codes = codes_of(np.zeros((1, DIM), dtype=np.float32))

    assert codes.codes.tolist() == [[0] * DIM]
    assert codes.errors[0] < 1e-6
