"""The scan over codes: no vector among the nearest is ever left out, however it is divided."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import code_scan as module
from embeddings.code_scan import QUERIES_TOGETHER, CodeScan
from embeddings.codes import codes_of
from embeddings.encoder import FloatMatrix
from tests.embeddings.test_codes import DIM, ROWS, unit


def random_vectors(count: int, seed: int) -> FloatMatrix:
    """Vectors of length 1 in all directions."""
    return unit(np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32))


@given(ROWS, ROWS, st.integers(1, 12), st.integers(1, 3), st.integers(1, 60))
def test_nothing_among_the_nearest_is_left_out(
    rows: FloatMatrix, asked: FloatMatrix, k: int, threads: int, products: int
) -> None:
    """A11: whatever is as near as the k-th nearest is among the candidates, ties included, however many queries."""
    vectors, queries = unit(rows), unit(asked)
    scan = CodeScan(codes_of(vectors), threads=threads, products_at_once=products, shared_from=0)

    found = scan.candidates(queries, [k] * len(queries))

    exact = queries.astype(np.float64) @ vectors.astype(np.float64).T
    for row, near in zip(exact, found, strict=True):
        least = np.sort(row)[-min(k, len(row))]
        assert set(np.flatnonzero(row >= least).tolist()) <= set(near.tolist())
        assert (np.diff(near) > 0).all()


@given(ROWS, st.integers(1, 12), st.integers(1, 60), st.integers(1, 3))
def test_neither_company_nor_blocks_nor_threads_change_what_is_found(
    rows: FloatMatrix, k: int, products: int, threads: int
) -> None:
    """Integers add up to the same in any order: alone or with others, in one block or in many, by one or by several."""
    vectors = unit(rows)
    codes = codes_of(vectors)
    many = np.repeat(vectors, QUERIES_TOGETHER, axis=0)
    divided = CodeScan(codes, threads=threads, products_at_once=products, shared_from=0)

    together = CodeScan(codes, threads=1).candidates(many, [k] * len(many))
    alone = [divided.candidates(query[None, :], [k])[0] for query in many]

    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("ks", [[5, 1, 30], [200, 3, 50]])
def test_a_sample_changes_nothing_but_time(monkeypatch: pytest.MonkeyPatch, ks: list[int]) -> None:
    """It only tells what may be passed over; a query that wants more than the sample holds goes without."""
    codes, queries = codes_of(random_vectors(3_000, seed=1)), random_vectors(3, seed=2)
    without = CodeScan(codes).candidates(queries, ks)

    monkeypatch.setattr(module, "SAMPLE", 100)
    with_sample = CodeScan(codes, threads=2, products_at_once=4_000, shared_from=0).candidates(queries, ks)

    for one, other in zip(without, with_sample, strict=True):
        np.testing.assert_array_equal(one, other)


def test_nobody_waits_for_a_thread_that_never_starts() -> None:
    """E4: where the other threads are kept busy, the one that asks does their share."""
    codes, queries = codes_of(random_vectors(500, seed=3)), random_vectors(2, seed=4)
    scan = CodeScan(codes, threads=2, products_at_once=100, shared_from=0)
    release = threading.Event()
    scan._helpers.submit(release.wait)

    with ThreadPoolExecutor(1) as asking:
        found = asking.submit(scan.candidates, queries, [5, 5]).result(timeout=30)
    release.set()

    expected = CodeScan(codes, threads=1).candidates(queries, [5, 5])
    assert [rows.tolist() for rows in found] == [rows.tolist() for rows in expected]


def test_threads_end_with_the_index() -> None:
    """G1: an index that a newer one replaced leaves no thread behind."""
    scan = CodeScan(codes_of(random_vectors(500, seed=5)), threads=3, shared_from=0)
    scan.candidates(random_vectors(1, seed=6), [5])
    started = [thread for thread in threading.enumerate() if thread.name.startswith("code-scan")]

    del scan
    gc.collect()
    for thread in started:
        thread.join(timeout=10)

    assert started
    assert not any(thread.is_alive() for thread in started)


def test_among_no_vectors_nothing_is_near() -> None:
    """An index of nothing is an index, and asking nothing is a question."""
    nothing, queries = codes_of(np.empty((0, DIM), dtype=np.float32)), np.eye(DIM, dtype=np.float32)

    assert [len(rows) for rows in CodeScan(nothing).candidates(queries[:1], [3])] == [0]
    assert CodeScan(codes_of(queries)).candidates(queries[:0], []) == []
