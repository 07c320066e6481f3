"""Moments as texts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.moments import from_text, to_text

MOMENTS = st.datetimes(
    min_value=datetime(2000, 1, 1),  # noqa: DTZ001  # hypothesis wants the bounds without a zone
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-7))]),
)


@given(MOMENTS, MOMENTS)
def test_texts_sort_as_moments_do(one: datetime, other: datetime) -> None:
    """Comparing the texts is comparing the moments, whatever zone they came in."""
    assert (to_text(one) < to_text(other)) == (one < other)


@given(MOMENTS)
def test_a_moment_comes_back(moment: datetime) -> None:
    """Writing and reading gives the same moment, in UTC."""
    back = from_text(to_text(moment))

    assert back == moment
    assert back.tzinfo is UTC or back.utcoffset() == timedelta(0)


def test_a_moment_without_zone_is_refused() -> None:
    """A naive datetime would be an hour wrong somewhere; it is a mistake of the caller."""
    with pytest.raises(ValueError, match="time zone"):
        to_text(datetime(2026, 1, 1))  # noqa: DTZ001  # the point of the test
