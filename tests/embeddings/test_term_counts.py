"""Counting what changed against counting everything."""

import dataclasses
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embeddings.term_counts import TermCounts, count_terms, with_records_replaced

WORDS = st.lists(st.integers(0, 9).map(lambda one: one * 2**60), max_size=6)
MANY = 300  # times one word: more than a byte holds


def counted(records: list[list[int]], numbers: list[int], total: int) -> TermCounts:
    """The counts of records with these numbers, each a list of token hashes."""
    pairs = [(number, word) for number, words in zip(numbers, records, strict=True) for word in words]
    return count_terms(
        np.array([number for number, _ in pairs], dtype=np.uint32),
        np.array([word for _, word in pairs], dtype=np.uint64),
        total,
    )


def assert_equal(one: TermCounts, other: TermCounts) -> None:
    """Every array, values and types."""
    for field in dataclasses.fields(TermCounts):
        found, expected = getattr(one, field.name), getattr(other, field.name)
        assert found.dtype == expected.dtype, field.name
        np.testing.assert_array_equal(found, expected, err_msg=field.name)


@given(st.lists(WORDS, max_size=6))
def test_counts_are_how_often_a_token_stands_in_a_record(records: list[list[int]]) -> None:
    """Tokens ascending, and within each the records that hold it."""
    terms = counted(records, list(range(len(records))), len(records))

    expected = sorted(
        (word, number, times) for number, words in enumerate(records) for word, times in Counter(words).items()
    )
    token_of = np.repeat(terms.tokens, np.diff(terms.starts).astype(np.intp)).tolist()
    assert list(zip(token_of, terms.records.tolist(), terms.counts.tolist(), strict=True)) == expected
    assert terms.counts.dtype == np.uint8


@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=6), st.lists(st.tuples(WORDS, st.integers(0, 6)), max_size=4))
def test_replacing_records_is_counting_anew(
    before: list[tuple[list[int], bool]], added: list[tuple[list[int], int]]
) -> None:
    """Whichever records go, stay and come, at whatever place, and words that go with them or come with them."""
    staying: list[tuple[list[int], int]] = [(words, -1) for words, stays in before if stays]
    together = list(staying)
    for words, place in added:
        together.insert(min(place, len(together)), (words, 0))
    total = len(together)
    kept_numbers = [number for number, (_, kind) in enumerate(together) if kind == -1]
    new_numbers = [number for number, (_, kind) in enumerate(together) if kind == 0]
    place_of = np.full(len(before), -1, dtype=np.int64)
    place_of[[number for number, (_, stays) in enumerate(before) if stays]] = kept_numbers

    found = with_records_replaced(
        counted([words for words, _ in before], list(range(len(before))), len(before)),
        place_of,
        counted([together[number][0] for number in new_numbers], new_numbers, total),
        total,
    )

    assert_equal(found, counted([words for words, _ in together], list(range(total)), total))


def test_counts_take_the_room_they_need() -> None:
    """More than a byte holds takes two, and one again once the record is gone."""
    before = counted([[1] * MANY, [1, 2]], [0, 1], 2)
    nothing = counted([], [], 1)

    assert before.counts.dtype == np.uint16
    assert before.counts.tolist() == [MANY, 1, 1]
    after = with_records_replaced(before, np.array([-1, 0]), nothing, 1)
    assert_equal(after, counted([[1, 2]], [0], 1))
