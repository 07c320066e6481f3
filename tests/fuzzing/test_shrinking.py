"""A finding becomes small."""

import itertools
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import shrinking
from tests.fuzzing.shrinking import smaller


def test_only_what_fails_is_left() -> None:
    """Everything around the bytes that matter goes."""
    data = b"x" * 700 + b"bad" + b"y" * 500 + b"worse" + b"z" * 90

    assert smaller(data, lambda one: b"bad" in one and b"worse" in one, seconds=10) == b"badworse"


@given(st.binary(max_size=200), st.integers(0, 255))
def test_what_is_left_still_fails(data: bytes, wanted: int) -> None:
    """Whatever the input, the smaller one fails too, and leaving out any one byte of it mends it."""
    data += bytes([wanted])

    left = smaller(data, lambda one: wanted in one, seconds=10)

    assert left == bytes([wanted])


def test_it_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best so far is better than waiting."""
    clock = itertools.count()
    monkeypatch.setattr(shrinking, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))

    left = smaller(b"x" * 1_000, bool, seconds=3)

    assert 0 < len(left) < 1_000
