"""What stands in patterns.json."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching.pattern_bucket import FORMAT
from bot.matching.pattern_manifest import Generation, Listed, packed_mask, read_manifest, write_manifest

GENERATIONS = (
    Generation("v2", "hyperscan 1", 2, (Listed("bucket-a", 0), Listed("bucket-b", 1), Listed("bucket-c", None, "x"))),
    Generation("v1", "ahocorasick", 1, ()),
)


@given(st.lists(st.booleans(), max_size=200))
def test_a_mask_unpacks_to_itself(stale: list[bool]) -> None:
    """Whatever its length, also when that is no multiple of eight."""
    packed = packed_mask(np.array(stale, dtype=np.bool_))

    assert Listed("bucket-a", 0, packed).stale_of(len(stale)).tolist() == stale


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("eA==", "cannot be read"),
        ("not base64", "base64"),
        (packed_mask(np.ones(30, dtype=np.bool_)), "those of another bucket"),
    ],
)
def test_a_mask_that_is_none_of_this_bucket_is_refused(broken: str, why: str) -> None:
    """No record is lost, or comes back, by a guess."""
    with pytest.raises(ValueError, match=why):
        Listed("bucket-a", 0, broken).stale_of(80)


def test_a_bucket_of_20_000_takes_three_kilobytes_at_most() -> None:
    """Also where every other record is stale, in no order."""
    stale = np.random.default_rng(1).random(20_000) < 0.5

    assert len(packed_mask(stale)) < 3_400


def test_what_was_written_is_read(tmp_path: Path) -> None:
    """Newest first, deltas without a part."""
    write_manifest(tmp_path, GENERATIONS)

    assert read_manifest(tmp_path).generations == GENERATIONS


def test_of_another_format_only_the_number_is_read(tmp_path: Path) -> None:
    """Its other fields may mean anything."""
    (tmp_path / "patterns.json").write_text(json.dumps({"format": FORMAT + 1, "buckets": 7}))

    manifest = read_manifest(tmp_path)

    assert (manifest.format, manifest.generations) == (FORMAT + 1, ())
