"""Token weights on disk: BM25 over the texts of one facet, a document for each record.

Postings lie in sorted arrays that are memory-mapped, so opening costs nothing and the pages are shared by processes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.term_counts import TermCounts, count_terms

# The usual values of BM25; error messages are short, so their lengths say little and b is lower than 0.75.
K1: Final = 1.2
B: Final = 0.5

# So many postings are added up in one go, which takes 12 bytes each: 0.4 MB, and the caches hold them.
_ADDED_AT_ONCE: Final = 1 << 15
_GROUP_SIZE: Final = 64  # of records; among 153,000 the 50 best are in 49 or 50 different groups

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
    return postings_of(count_terms(record_numbers, tokens, record_count), record_count)


def postings_of(terms: TermCounts, record_count: int) -> Postings:
    """Return the postings of tokens that were counted."""
    frequencies: NDArray[np.int64] = np.diff(terms.starts).astype(np.int64)
    rarities = rarity(frequencies, record_count)
    lengths = np.bincount(terms.records, terms.counts, minlength=record_count)
    mean_length = lengths[lengths > 0].mean() if len(terms.records) else 1.0
    damping = K1 * (1 - B + B * lengths / mean_length)
    rarity_of = np.repeat(rarities, frequencies)
    weights = rarity_of * terms.counts * (K1 + 1) / (terms.counts + damping[terms.records])
    return Postings(
        tokens=terms.tokens,
        starts=terms.starts,
        rarities=rarities.astype(np.float32),
        records=terms.records,
        weights=weights.astype(np.float32),
        record_rarities=np.bincount(terms.records, rarity_of, minlength=record_count).astype(np.float32),
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

    def look_up(self, asked: NDArray[np.uint64]) -> "Lookup":
        """Return where the tokens of a query stand in the postings. Unknown ones count as rarest.

        asked: as `different` gives them.
        """
        places = np.searchsorted(self._postings.tokens, asked)
        inside = places < len(self._postings.tokens)
        known = np.zeros(len(asked), dtype=bool)
        known[inside] = self._postings.tokens[places[inside]] == asked[inside]
        columns = np.flatnonzero(known)
        places = places[columns]
        rarities = np.full(len(asked), self._unknown_rarity, dtype=np.float64)
        rarities[columns] = self._postings.rarities[places]
        ends = self._postings.starts[places + 1].tolist()
        return Lookup(
            tokens=asked,
            columns=columns.tolist(),
            posted=list(map(slice, self._postings.starts[places].tolist(), ends)),
            rarities=rarities,
        )

    def posted(self, lookup: "Lookup", factor: float) -> Iterator[tuple[NDArray[np.uint32], Floats]]:
        """Return the records that hold each known token, and what it adds to their BM25, times `factor`."""
        records, weights = self._postings.records, self._postings.weights
        single = np.float32(factor)
        for where in lookup.posted:
            yield records[where], weights[where] if single == 1 else weights[where] * single

    def scores(self, token_hashes: Iterable[int]) -> Floats:
        """Return each record's BM25 for a query, shape (records,), from 0 up; 0 where no token is shared."""
        return summed_scores([(self, self.look_up(different(token_hashes)), 1.0)])

    def holds(self, lookup: "Lookup", records: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of the query's tokens each of the records holds, shape (len(records), len(lookup.tokens))."""
        wanted = records.astype(np.uint32)
        held = np.zeros((len(lookup.tokens), len(wanted)), dtype=bool)
        for column, where in zip(lookup.columns, lookup.posted, strict=True):
            posted = self._postings.records[where]
            at = posted.searchsorted(wanted)
            held[column] = posted.take(at, mode="clip") == wanted
        return held.T

    def coverage(self, lookup: "Lookup", records: NDArray[np.intp], held: NDArray[np.bool_]) -> Floats:
        """The rarity-weighted share of each record's own tokens in the query, 0 to 1; 0 for a record without any."""
        total = self._postings.record_rarities[records]
        found = held @ lookup.rarities
        share = np.divide(found, total, out=np.zeros(len(total), dtype=np.float64), where=total > 0)
        return np.clip(share, 0.0, 1.0).astype(np.float32)


def different(token_hashes: Iterable[int]) -> NDArray[np.uint64]:
    """These tokens in the order of the postings, each once."""
    return np.array(sorted(set(token_hashes)), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The different tokens of one query in one `LexicalIndex`."""

    tokens: NDArray[np.uint64]  # ascending
    rarities: NDArray[np.float64]  # of each token
    columns: list[int]  # the places, in `tokens`, of those that any record holds
    posted: list[slice]  # the postings of each of these


def summed_scores(lookups: Sequence[tuple[LexicalIndex, Lookup, float]]) -> Floats:
    """Each record's BM25s in some facets, each times its factor, shape (records,); 0 where no token is shared.

    The additions to one record come one after another, in the order of the facets and of the tokens' hashes: equal
    records get equal sums, on every machine. Costs the postings it walks, 1.2 ns each.
    """
    scores = np.zeros(lookups[0][0].record_count, dtype=np.float32)
    records: list[NDArray[np.uint32]] = []
    weights: list[Floats] = []
    waiting = 0
    for index, lookup, factor in lookups:
        for of_token in index.posted(lookup, factor):
            records.append(of_token[0])
            weights.append(of_token[1])
            waiting += len(of_token[0])
            if waiting >= _ADDED_AT_ONCE:
                _add(records, weights, scores)
                waiting = 0
    _add(records, weights, scores)
    return scores


def _add(records: list[NDArray[np.uint32]], weights: list[Floats], scores: Floats) -> None:
    """Add these weights to the scores of these records, in this order, and empty the lists."""
    if records:
        # A third of the time of adding token after token; `add.at` is quick for numbers of this type alone.
        np.add.at(scores, np.concatenate(records, dtype=np.intp, casting="same_kind"), np.concatenate(weights))
        records.clear()
        weights.clear()


def best_records(scores: Floats, k: int) -> NDArray[np.intp]:
    """The numbers of the k records with the highest scores above 0, best first, equal ones by ascending number."""
    least = _reached_by(scores, k)
    found = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    if 0 < k < len(found):
        least = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= least]
    order = np.lexsort((found, -scores[found]))
    return found[order][:k]


def _reached_by(scores: Floats, k: int) -> np.float32:
    """A score that at least k records reach, or 0: the k-th highest of the highest of some groups.

    Common words give most records of a large catalogue a score, and sorting out so many takes longer than all the rest.
    """
    size = len(scores) // _GROUP_SIZE
    if not 0 < k <= size:
        return np.float32(0)
    highest = scores[: size * _GROUP_SIZE].reshape(_GROUP_SIZE, size).max(axis=0)
    reached: np.float32 = np.partition(highest, size - k)[size - k]
    return reached
