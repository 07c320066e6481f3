"""Two rankings into one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.fusion import best_passage, fused, record_similarity

NAN = float("nan")


def test_the_nearest_passage_gives_the_facet() -> None:
    """Missing passages never win; a record without any is as far as can be."""
    best, facets = best_passage(np.array([[0.2, 0.9, NAN], [NAN, NAN, -0.5], [NAN] * 3], dtype=np.float32))

    assert best.tolist() == pytest.approx([0.9, -0.5, -1.0])
    assert facets[:2].tolist() == [1, 2]


def test_a_record_near_in_every_passage_beats_one_lucky_passage() -> None:
    """Half the best, half the mean of the passages it has; missing ones do not count against it."""
    near = record_similarity(np.array([[0.8, 0.7, 0.9], [0.9, 0.0, 0.0], [NAN, 0.9, NAN], [NAN] * 3], dtype=np.float32))

    assert near.tolist() == pytest.approx([0.85, 0.6, 0.9, -1.0])


@given(st.lists(st.tuples(st.floats(0, 50, width=32), st.floats(-1, 1, width=32)), min_size=1, max_size=9))
def test_fusing_keeps_its_range_and_what_both_rankings_agree_on(pairs: list[tuple[float, float]]) -> None:
    """A record better by words and by meaning is better; nothing leaves -1 to 2."""
    lexical, similarity = (np.array(column, dtype=np.float32) for column in zip(*pairs, strict=True))

    ranks = fused(lexical, similarity, float(lexical.max()))

    assert ((ranks >= -1) & (ranks <= 2)).all()
    for i, one in enumerate(pairs):
        for j, other in enumerate(pairs):
            if one[0] >= other[0] and one[1] >= other[1]:
                assert ranks[i] >= ranks[j]
