"""Arrays of hashes against lists of bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embeddings.passage import HASH_BYTES
from embeddings.text_hashes import are_ascending, byte_rows, hash_array, hashes_in, listed, places_in

# Few different bytes, zero among them: hashes that differ late, that are equal, that end in zeros.
HASHES = st.lists(
    st.lists(st.sampled_from([0, 1, 255]), min_size=HASH_BYTES, max_size=HASH_BYTES).map(bytes), max_size=9
)


@given(HASHES)
def test_hashes_come_out_as_they_went_in(hashes: list[bytes]) -> None:
    """Zero bytes at the end are not lost, on the way through bytes and through a matrix."""
    assert listed(hash_array(hashes)) == hashes
    assert listed(hashes_in(byte_rows(hash_array(hashes)))) == hashes


@given(HASHES)
def test_their_order_is_that_of_bytes(hashes: list[bytes]) -> None:
    """What is sorted by numpy is sorted for Python, and the other way round."""
    assert listed(np.sort(hash_array(hashes))) == sorted(hashes)
    assert are_ascending(hash_array(sorted(set(hashes))))
    assert are_ascending(hash_array(hashes)) == (sorted(set(hashes)) == hashes)


@given(HASHES, HASHES)
def test_places_are_where_they_stand(some: list[bytes], wanted: list[bytes]) -> None:
    """-1 for what is not there."""
    ascending = sorted(set(some))

    places = places_in(hash_array(ascending), hash_array(wanted)).tolist()

    assert places == [ascending.index(one) if one in ascending else -1 for one in wanted]
