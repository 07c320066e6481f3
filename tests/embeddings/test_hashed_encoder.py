"""The weightless encoder."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embeddings.hashed_encoder import HashedEncoder


@given(st.lists(st.text(), max_size=5), st.integers(1, 64))
def test_rows_are_unit_vectors(texts: list[str], dim: int) -> None:
    """Any text, also an empty one, becomes a float32 row of length 1."""
    rows = HashedEncoder(dim).encode(texts)

    assert rows.shape == (len(texts), dim)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_a_row_does_not_depend_on_the_others(texts: list[str]) -> None:
    """Encoding together is encoding one by one."""
    encoder = HashedEncoder(32)

    together = encoder.encode(texts)

    assert np.array_equal(together, np.concatenate([encoder.encode([text]) for text in texts]))


def test_texts_that_share_words_are_nearer() -> None:
    """What a test expects of it."""
    query, near, far = HashedEncoder(4096).encode(
        ["server disconnected", "the server disconnected early", "bad gradient"]
    )

    assert query @ near > query @ far
