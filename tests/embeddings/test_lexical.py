"""BM25 in arrays against BM25 written out."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import lexical
from embeddings.lexical import (
    K1,
    B,
    LexicalIndex,
    best_records,
    build_postings,
    different,
    summed_scores,
)

WORDS = st.lists(st.integers(0, 12), max_size=8)
RECORDS = st.lists(WORDS, min_size=1, max_size=8)


def index_of(records: list[list[int]]) -> LexicalIndex:
    """An index of records that are lists of token hashes."""
    pairs = [(number, word) for number, words in enumerate(records) for word in words]
    return LexicalIndex(
        build_postings(
            np.array([number for number, _ in pairs], dtype=np.uint32),
            np.array([word for _, word in pairs], dtype=np.uint64),
            len(records),
        )
    )


def rarity_of(records: list[list[int]], word: int) -> float:
    """The formula, for one word."""
    holding = sum(word in words for words in records)
    return math.log(1 + (len(records) - holding + 0.5) / (holding + 0.5))


def bm25(records: list[list[int]], query: list[int]) -> list[float]:
    """The formula, word by word."""
    filled = [len(words) for words in records if words]
    mean = sum(filled) / len(filled) if filled else 1.0
    result = []
    for words in records:
        counts = Counter(words)
        damping = K1 * (1 - B + B * len(words) / mean)
        result.append(
            sum(
                rarity_of(records, word) * counts[word] * (K1 + 1) / (counts[word] + damping)
                for word in set(query)
                if counts[word]
            )
        )
    return result


@given(RECORDS, WORDS)
def test_scores_are_those_of_the_formula(records: list[list[int]], query: list[int]) -> None:
    """The arrays give what the formula gives, record by record."""
    np.testing.assert_allclose(index_of(records).scores(query), bm25(records, query), rtol=1e-5, atol=1e-6)


@given(RECORDS, WORDS, st.permutations(range(8)))
def test_the_order_of_records_never_matters(records: list[list[int]], query: list[int], order: list[int]) -> None:
    """A11: a record has the very same score wherever it stands."""
    order = [place for place in order if place < len(records)]

    stood = index_of(records).scores(query)
    moved = index_of([records[place] for place in order]).scores(query)

    assert moved.tolist() == stood[order].tolist()


@given(RECORDS, WORDS)
def test_coverage_is_the_weighted_share_of_the_records_words(records: list[list[int]], query: list[int]) -> None:
    """1 where the query holds every word of the record, 0 where it holds none; rare words weigh more."""
    index = index_of(records)
    lookup = index.look_up(different(query))
    numbers = np.arange(len(records))

    held = index.holds(lookup, numbers)
    coverage = index.coverage(lookup, numbers, held)

    for words, share, holds in zip(records, coverage.tolist(), held, strict=True):
        assert {int(token) for token, is_held in zip(lookup.tokens, holds, strict=True) if is_held} == {*words} & {
            *query
        }
        total = sum(rarity_of(records, word) for word in set(words))
        found = sum(rarity_of(records, word) for word in set(words) & set(query))
        assert share == pytest.approx(found / total if total else 0.0, abs=1e-5)


@given(RECORDS, RECORDS, WORDS, st.integers(1, 9))
def test_scores_are_added_up_in_one_order(
    records: list[list[int]], others: list[list[int]], query: list[int], at_once: int
) -> None:
    """A11: facet by facet, token by token in the order of their hashes, in float32, whatever goes in one go."""
    count = min(len(records), len(others))
    facets = [(index_of(records[:count]), 1.0), (index_of(others[:count]), 0.5)]
    expected = np.zeros(count, dtype=np.float32)
    for index, factor in facets:
        for word in sorted(set(query)):
            expected += index.scores([word]) * np.float32(factor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "_ADDED_AT_ONCE", at_once)
        found = summed_scores([(index, index.look_up(different(query)), factor) for index, factor in facets])

    assert found.tolist() == expected.tolist()


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=12), st.integers(0, 13), st.sampled_from([1, 2, 3, 64]))
def test_the_best_records_are_those_of_a_full_sort(scores: list[float], k: int, group_size: int) -> None:
    """Highest first, equal ones by number, those without a shared word never, whatever groups are looked at first."""
    expected = sorted((number for number, score in enumerate(scores) if score > 0), key=lambda n: (-scores[n], n))[:k]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "_GROUP_SIZE", group_size)
        found = best_records(np.array(scores, dtype=np.float32), k)

    assert found.tolist() == expected
