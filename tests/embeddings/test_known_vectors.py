"""Vectors of builds before are used again, as far as they are whole and kept."""

from pathlib import Path

import pytest

from embeddings import known_vectors
from embeddings.build import build_index
from embeddings.build_plan import CHUNK
from embeddings.hashed_encoder import HashedEncoder
from embeddings.passage import Facet, Passage
from tests.embeddings.build_bench import DIM, CountingEncoder, bytes_of, many


def test_a_torn_cache_gives_what_is_whole(tmp_path: Path) -> None:
    """A write that a crash cut in half, or damaged, costs its own rows only."""
    with pytest.raises(MemoryError):
        build_index(tmp_path, many(2 * CHUNK), CountingEncoder(most=CHUNK))
    (cache,) = tmp_path.glob("vectors-*.cache")
    content = bytearray(cache.read_bytes())
    row = len(content) // CHUNK
    content[-3 * row + 20] ^= 0xFF  # the third row from the end no longer has its checksum
    cache.write_bytes(content[:-5])
    encoder = CountingEncoder()

    report = build_index(tmp_path, many(2 * CHUNK), encoder)

    assert report.reused == CHUNK - 3
    fresh = tmp_path / "fresh"
    build_index(fresh, many(2 * CHUNK), HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_going_back_costs_nothing(tmp_path: Path) -> None:
    """A catalogue in another order, with a record changed, removed, and back again encodes each text once."""
    encoder = CountingEncoder()
    whole = many(40)
    changed = [*many(39), Passage(whole[-1].record_id, Facet.MESSAGE, "another failure altogether")]

    for some in (whole, whole[::-1], changed, whole[:20], [], whole, changed):
        build_index(tmp_path, some, encoder)

    assert len(encoder.seen) == 41
    assert len(set(encoder.seen)) == 41
    fresh = tmp_path / "fresh"
    build_index(fresh, changed, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_what_is_kept_of_texts_that_are_gone_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vectors of texts gone longest are forgotten first, and a text that is back is kept in one place only."""
    monkeypatch.setattr(known_vectors, "MOST_RETIRED", 30)
    encoder = CountingEncoder()
    sizes = []
    for number in range(6):
        build_index(tmp_path, many(20, f"round {chr(97 + number)} of"), encoder)
        sizes.append(sum(path.stat().st_size for path in tmp_path.glob("*.cache")))
    seen = len(encoder.seen)

    build_index(tmp_path, many(20, "round e of"), encoder)
    build_index(tmp_path, many(20, "round a of"), encoder)

    row = sizes[1] // 20
    assert sizes == [0, 20 * row, 30 * row, 30 * row, 30 * row, 30 * row]
    assert len(encoder.seen) == seen + 20  # round e was kept, round a was forgotten


def test_a_removed_text_is_kept_by_a_build_without_a_model(tmp_path: Path) -> None:
    """E12: a record taken out by a build of words alone and in again costs no encoding."""
    encoder = CountingEncoder()
    build_index(tmp_path, many(5), encoder)

    build_index(tmp_path, many(3), None)
    report = build_index(tmp_path, many(5), encoder)

    assert (report.encoded, report.reused, len(encoder.seen)) == (0, 5, 5)
