"""What an index is to hold: records kept from the one that serves, and those that were read, in one order."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings.flat_index import NO_VECTOR
from embeddings.kept_records import KeptRecords
from embeddings.known_vectors import NOWHERE, KnownVectors
from embeddings.lexical import Postings, postings_of
from embeddings.passage import HASH_BYTES, Facet
from embeddings.passage_table import PassageTable
from embeddings.term_counts import TermCounts, count_terms, with_records_replaced
from embeddings.text_hashes import Hashes, hash_array, places_in


@dataclass(frozen=True, slots=True)
class TextRows:
    """The texts that have a vector, in the order of their hashes, which is that of the index's rows."""

    hashes: Hashes  # (V,)
    served_rows: NDArray[np.intp]  # (V,) theirs in the index that serves, NOWHERE for those it does not hold
    vector_of: NDArray[np.uint32]  # (records, facets) a place in `hashes`, NO_VECTOR where there is none


class IndexContents:
    """Records ascending by id, their place is their number. It is the same whichever of them were kept or read."""

    def __init__(self, kept: KeptRecords, table: PassageTable, keys: Mapping[str, int] | None) -> None:
        """Put the parts together. keys: of all records, None where they have none; no record is in both parts."""
        self.table, self._kept, self._keys = table, kept, keys
        # A catalogue's changes are few beside what is kept: a search for each beats a sort of all.
        before = np.array([bisect_left(kept.record_ids, id_) for id_ in table.record_ids], dtype=np.int64)
        self._read_places = before + np.arange(len(before))
        is_kept = np.ones(len(kept.record_ids) + len(before), dtype=np.bool_)
        is_kept[self._read_places] = False
        self._kept_places = np.flatnonzero(is_kept)
        ids = np.empty(len(is_kept), dtype=np.object_)
        ids[self._kept_places] = kept.record_ids
        ids[self._read_places] = table.record_ids
        self.record_ids: list[str] = ids.tolist()
        self.has_text: NDArray[np.bool_] = self._together(kept.has_text, table.text_of >= 0)

    @cached_property
    def fingerprints(self) -> NDArray[np.uint8]:
        """The `record_fingerprint` of each record, shape (records, 16)."""
        return self._together(
            self._kept.fingerprints, np.frombuffer(self.table.fingerprints(), np.uint8).reshape(-1, HASH_BYTES)
        )

    @property
    def keys(self) -> NDArray[np.uint64] | None:
        """What the source knows each record by, None where it knows none."""
        if self._keys is None:
            return None
        read = np.array([self._keys[id_] for id_ in self.table.record_ids], dtype=np.uint64)
        return self._together(self._kept.keys, read)

    def words_of(self, facet: Facet) -> tuple[TermCounts, Postings]:
        """Which tokens stand how often in which record, and the postings that come of it."""
        numbers, tokens = self.table.tokens_of(facet)
        terms = count_terms(self._read_places.astype(np.uint32)[numbers], tokens, len(self.record_ids))
        if len(self._kept_places):
            place_of = np.full(self._kept.records_before, NOWHERE, dtype=np.int64)
            place_of[self._kept.numbers] = self._kept_places
            terms = with_records_replaced(self._kept.terms[facet], place_of, terms, len(self.record_ids))
        return terms, postings_of(terms, len(self.record_ids))

    def text_rows(self, known: KnownVectors) -> TextRows:
        """Every text that has a vector anywhere gets its row."""
        read = hash_array(self.table.hashes)
        read_rows = known.rows_of(read)
        kept_rows = self._kept.vector_of.astype(np.intp)
        kept_rows[self._kept.vector_of == NO_VECTOR] = NOWHERE
        is_wanted = np.zeros(len(known.served) + 1, dtype=np.bool_)  # the last one answers for NOWHERE
        is_wanted[kept_rows] = is_wanted[read_rows] = True
        staying = np.flatnonzero(is_wanted[:-1])
        aside = [
            text
            for text in np.flatnonzero(read_rows == NOWHERE).tolist()
            if known.is_kept_aside(self.table.hashes[text])
        ]
        new = np.sort(read[aside])
        served = known.served[staying]
        at = np.searchsorted(served, new)
        hashes = np.insert(served, at, new)
        served_rows = np.insert(staying, at, NOWHERE)

        place_of_row = np.full(len(is_wanted), NO_VECTOR, dtype=np.uint32)
        is_served = served_rows != NOWHERE
        place_of_row[served_rows[is_served]] = np.flatnonzero(is_served)
        place_of_text = np.full(len(read) + 1, NO_VECTOR, dtype=np.uint32)  # the last one answers for no text
        places = places_in(hashes, read)
        place_of_text[:-1] = np.where(places < 0, NO_VECTOR, places)
        vector_of = self._together(place_of_row[kept_rows], place_of_text[self.table.text_of])
        return TextRows(hashes, served_rows, vector_of)

    def _together(self, kept: NDArray[Any], read: NDArray[Any]) -> NDArray[Any]:
        whole = np.empty((len(self.record_ids), *kept.shape[1:]), dtype=kept.dtype)
        whole[self._kept_places] = kept
        whole[self._read_places] = read
        return whole
