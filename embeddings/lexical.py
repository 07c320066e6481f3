"""Token weights on disk: BM25 over the texts of one facet, a document for each record.

Postings lie in sorted arrays that are memory-mapped, so opening costs nothing and the pages are shared by processes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

# The usual values of BM25; error messages are short, so their lengths say little and b is lower than 0.75.
K1: Final = 1.2
B: Final = 0.5

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """The arrays of one facet. Sizes: T tokens, P postings, R records. Any of them may be memory-mapped."""

    tokens: NDArray[np.uint64]  # (T,) ascending token hashes
    starts: NDArray[np.uint64]  # (T + 1,) where each token's postings start
    rarities: Floats  # (T,) inverse document frequency, above 0
    records: NDArray[np.uint32]  # (P,) record numbers, ascending within a token
    weights: Floats  # (P,) what the token adds to the record's BM25
    record_rarities: Floats  # (R,) sum of the rarities of a record's different tokens; 0 where it has none


def build_postings(record_numbers: NDArray[np.uint32], tokens: NDArray[np.uint64], record_count: int) -> Postings:
    """Return the postings of parallel arrays: a token, and the number of the record in which it occurs.

    The order of the pairs does not matter. Needs about 60 bytes of memory a pair.
    """
    vocabulary, token_numbers = np.unique(tokens, return_inverse=True)
    keys = token_numbers.astype(np.uint64) * np.uint64(max(1, record_count)) + record_numbers
    keys, counts = np.unique(keys, return_counts=True)
    token_of, record_of = np.divmod(keys, np.uint64(max(1, record_count)))
    starts = np.searchsorted(token_of, np.arange(len(vocabulary) + 1, dtype=np.uint64)).astype(np.uint64)
    frequencies: NDArray[np.int64] = np.diff(starts).astype(np.int64)
    rarities = rarity(frequencies, record_count)
    lengths = np.bincount(record_numbers, minlength=record_count).astype(np.float64)
    mean_length = lengths[lengths > 0].mean() if len(tokens) else 1.0
    damping = K1 * (1 - B + B * lengths / mean_length)
    records = record_of.astype(np.uint32)
    rarity_of = np.repeat(rarities, frequencies)
    weights = rarity_of * counts * (K1 + 1) / (counts + damping[records])
    return Postings(
        tokens=vocabulary,
        starts=starts,
        rarities=rarities.astype(np.float32),
        records=records,
        weights=weights.astype(np.float32),
        record_rarities=np.bincount(records, rarity_of, minlength=record_count).astype(np.float32),
    )


def rarity(frequencies: NDArray[np.int64], record_count: int) -> NDArray[np.float64]:
    """How much a token says that occurs in so many of the records: above 0, most for one that occurs in none."""
    return np.log1p((record_count - frequencies + 0.5) / (frequencies + 0.5))


class LexicalIndex:
    """BM25 of one facet, a document for each record."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._record_count = len(postings.record_rarities)
        self._unknown_rarity = float(rarity(np.zeros(1, np.int64), self._record_count)[0])

    @property
    def record_count(self) -> int:
        """Records, with those that have no text in this facet."""
        return self._record_count

    def look_up(self, token_hashes: Iterable[int]) -> "Lookup":
        """Return where the different tokens of a query stand in the postings. Unknown ones count as rarest."""
        asked = np.array(sorted(set(token_hashes)), dtype=np.uint64)
        places = np.searchsorted(self._postings.tokens, asked)
        inside = places < len(self._postings.tokens)
        known = np.zeros(len(asked), dtype=bool)
        known[inside] = self._postings.tokens[places[inside]] == asked[inside]
        rarities = np.full(len(asked), self._unknown_rarity, dtype=np.float64)
        rarities[known] = self._postings.rarities[places[known]]
        return Lookup(tokens=asked, known=known, places=places, rarities=rarities)

    def add_scores(self, lookup: "Lookup", scores: Floats, factor: float = 1.0) -> None:
        """Add each record's BM25 times `factor` to `scores`, shape (records,). Costs the postings it walks.

        The additions to one record come in the order of the tokens' hashes, so equal records get equal sums.
        """
        for place in lookup.places[lookup.known]:
            start, end = int(self._postings.starts[place]), int(self._postings.starts[place + 1])
            weights = self._postings.weights[start:end]
            scores[self._postings.records[start:end]] += weights if factor == 1.0 else weights * np.float32(factor)

    def scores(self, token_hashes: Iterable[int]) -> Floats:
        """Each record's BM25 for a query, shape (records,), from 0 up; 0 where no token is shared."""
        scores = np.zeros(self._record_count, dtype=np.float32)
        self.add_scores(self.look_up(token_hashes), scores)
        return scores

    def holds(self, lookup: "Lookup", records: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of the query's tokens each of the records holds, shape (len(records), len(lookup.tokens))."""
        wanted = records.astype(np.uint32)
        held = np.zeros((len(wanted), len(lookup.tokens)), dtype=bool)
        for column in np.flatnonzero(lookup.known):
            place = lookup.places[column]
            start, end = int(self._postings.starts[place]), int(self._postings.starts[place + 1])
            posted = self._postings.records[start:end]
            at = np.minimum(np.searchsorted(posted, wanted), len(posted) - 1)
            held[:, column] = posted[at] == wanted
        return held

    def coverage(self, lookup: "Lookup", records: NDArray[np.intp], held: NDArray[np.bool_]) -> Floats:
        """The rarity-weighted share of each record's own tokens in the query, 0 to 1; 0 for a record without any."""
        total = self._postings.record_rarities[records]
        found = held @ lookup.rarities
        share = np.divide(found, total, out=np.zeros(len(total), dtype=np.float64), where=total > 0)
        return np.clip(share, 0.0, 1.0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The different tokens of one query in one `LexicalIndex`, all arrays of one length."""

    tokens: NDArray[np.uint64]  # ascending
    known: NDArray[np.bool_]  # whether any record holds it
    places: NDArray[np.intp]  # where it stands, meaningful where known
    rarities: NDArray[np.float64]


def best_records(scores: Floats, k: int) -> NDArray[np.intp]:
    """The numbers of the k records with the highest scores above 0, best first, equal ones by ascending number."""
    found = np.flatnonzero(scores > 0)
    if 0 < k < len(found):
        least = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= least]
    order = np.lexsort((found, -scores[found]))
    return found[order][:k]
