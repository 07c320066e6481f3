"""The records of the index that serves which stay as they are: nothing of them is read, split or encoded again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings.disk import mapped
from embeddings.errors import EmbeddingsError
from embeddings.flat_index import NO_VECTOR
from embeddings.generations import FINGERPRINTS, RECORD_FACETS, RECORD_KEYS, VECTOR_OF, postings_file
from embeddings.index_files import OpenIndex, open_index
from embeddings.known_vectors import KnownVectors
from embeddings.passage import FACETS, HASH_BYTES, Facet
from embeddings.term_counts import TermCounts


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """K records of an index of R. Arrays may be memory-mapped; they stay readable when the index is removed."""

    record_ids: Sequence[str]  # K, ascending
    numbers: NDArray[np.intp]  # (K,) theirs in that index
    keys: NDArray[np.uint64]  # (K,)
    has_text: NDArray[np.bool_]  # (K, facets)
    vector_of: NDArray[np.uint32]  # (K, facets) rows of that index, NO_VECTOR where there is none
    fingerprints: NDArray[np.uint8]  # (K, 16)
    terms: Mapping[Facet, TermCounts]  # of all R
    records_before: int  # R


def nothing_kept() -> KeptRecords:
    """For a build that reads every record."""
    facets = len(FACETS)
    empty = TermCounts(np.empty(0, np.uint64), np.zeros(1, np.uint64), np.empty(0, np.uint32), np.empty(0, np.uint8))
    return KeptRecords(
        record_ids=(),
        numbers=np.empty(0, np.intp),
        keys=np.empty(0, np.uint64),
        has_text=np.empty((0, facets), np.bool_),
        vector_of=np.empty((0, facets), np.uint32),
        fingerprints=np.empty((0, HASH_BYTES), np.uint8),
        terms=dict.fromkeys(FACETS, empty),
        records_before=0,
    )


def records_to_keep(folder: Path, keys: Mapping[str, int], known: KnownVectors) -> KeptRecords:
    """Those records of the index that serves in `folder` that have the key they had when they were indexed.

    A record that lacks a vector is not among them where there are vectors: its texts may have to be encoded. None are
    where the index was built by something else, from records without keys, or is damaged.
    """
    try:
        index = open_index(folder, None)
        if index.manifest.encoder != known.encoder or len(known.served) != index.manifest.vectors:
            return nothing_kept()
        return _kept(index, keys)
    except (EmbeddingsError, OSError, ValueError, TypeError):
        return nothing_kept()  # missing, damaged, or without the files that only builds read


def _kept(index: OpenIndex, keys: Mapping[str, int]) -> KeptRecords:
    records = index.manifest.records
    keys_before = _array(index, RECORD_KEYS, np.uint64, (records,))
    has_text = _array(index, RECORD_FACETS, np.bool_, (records, len(FACETS)))
    fingerprints = _array(index, FINGERPRINTS, np.uint8, (records, HASH_BYTES))
    terms = {facet: _terms(index, facet) for facet in FACETS}
    stays = np.array(
        [keys.get(id_) == key for id_, key in zip(index.record_ids, keys_before.tolist(), strict=True)], dtype=np.bool_
    )
    if index.manifest.encoder is None:
        vector_of = np.full(has_text.shape, NO_VECTOR, dtype=np.uint32)
    else:
        vector_of = _array(index, VECTOR_OF, np.uint32, has_text.shape)
        if ((vector_of >= index.manifest.vectors) & (vector_of != NO_VECTOR)).any():
            raise ValueError(f"{VECTOR_OF} names what is not there")
        stays &= ((vector_of != NO_VECTOR) | ~has_text).all(axis=1)
    numbers = np.flatnonzero(stays)
    return KeptRecords(
        record_ids=[index.record_ids[number] for number in numbers.tolist()],
        numbers=numbers,
        keys=keys_before[numbers],
        has_text=has_text[numbers],
        vector_of=vector_of[numbers],
        fingerprints=fingerprints[numbers],
        terms=terms,
        records_before=records,
    )


def _terms(index: OpenIndex, facet: Facet) -> TermCounts:
    """What was counted for one facet. Raises ValueError where that is not sound: numbers in it are used as places."""
    paths = {field.name: index.folder / postings_file(facet, field.name) for field in fields(TermCounts)}
    terms = TermCounts(**{name: mapped(path) for name, path in paths.items()})
    ends = (int(terms.starts[0]), int(terms.starts[-1]), len(terms.starts), len(terms.counts))
    pairs = len(terms.records)
    if ends != (0, pairs, len(terms.tokens) + 1, pairs) or (np.diff(terms.starts.astype(np.int64)) <= 0).any():
        raise ValueError(f"the postings of {facet} do not fit each other")
    is_ascending = bool((terms.tokens[1:] > terms.tokens[:-1]).all())
    if int(terms.records.max(initial=0)) >= max(1, index.manifest.records) or not is_ascending:
        raise ValueError(f"the postings of {facet} name what is not there")
    return terms


def _array(index: OpenIndex, name: str, dtype: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
    found: NDArray[Any] = mapped(index.folder / name)
    if found.dtype != dtype or found.shape != shape:
        raise ValueError(f"{name} holds {found.dtype} {found.shape}")
    return found
