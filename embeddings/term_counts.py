"""How often which token stands in which record: what the weights of one facet are computed from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Sizes: T tokens, P pairs of a token and a record that holds it. Any array may be memory-mapped."""

    tokens: NDArray[np.uint64]  # (T,) ascending hashes
    starts: NDArray[np.uint64]  # (T + 1,) where each token's pairs start
    records: NDArray[np.uint32]  # (P,) record numbers, ascending within a token
    counts: NDArray[np.unsignedinteger]  # (P,) above 0, in the narrowest type that holds all of them


def count_terms(record_numbers: NDArray[np.uint32], tokens: NDArray[np.uint64], record_count: int) -> TermCounts:
    """Return the counts of parallel arrays: a token, and the number of the record in which it occurs.

    The order of the pairs does not matter. Needs about 60 bytes of memory a pair.
    """
    vocabulary, token_numbers = np.unique(tokens, return_inverse=True)
    keys, counts = np.unique(_keys(token_numbers, record_numbers, record_count), return_counts=True)
    token_of, record_of = np.divmod(keys, np.uint64(max(1, record_count)))
    return _counted(vocabulary, token_of.astype(np.intp), record_of.astype(np.uint32), counts)


def with_records_replaced(
    before: TermCounts, place_of: NDArray[np.int64], added: TermCounts, record_count: int
) -> TermCounts:
    """Return what `count_terms` would of all tokens of the records that stay and of those that are added.

    place_of: the new number of each record of `before`, ascending, or -1 for one that does not stay.
    added: of records whose new numbers no record that stays has. record_count: how many there are now.
    """
    places = place_of[before.records]
    stays = places >= 0
    token_of = _token_numbers(before)[stays]
    is_used = np.bincount(token_of, minlength=len(before.tokens)) > 0
    vocabulary = np.union1d(before.tokens[is_used], added.tokens)
    token_of = np.searchsorted(vocabulary, before.tokens)[token_of]
    records = places[stays]
    added_token_of = np.searchsorted(vocabulary, added.tokens)[_token_numbers(added)]
    # Both are sorted, and most stays where it was: inserting beats sorting all of it again.
    at = np.searchsorted(_keys(token_of, records, record_count), _keys(added_token_of, added.records, record_count))
    width = np.promote_types(before.counts.dtype, added.counts.dtype)
    return _counted(
        vocabulary,
        np.insert(token_of, at, added_token_of),
        np.insert(records, at, added.records).astype(np.uint32),
        np.insert(before.counts[stays].astype(width, copy=False), at, added.counts),
    )


def _token_numbers(terms: TermCounts) -> NDArray[np.intp]:
    """For each pair, the place of its token."""
    return np.repeat(np.arange(len(terms.tokens)), np.diff(terms.starts).astype(np.intp))


def _keys(
    token_numbers: NDArray[np.intp], record_numbers: NDArray[np.integer], record_count: int
) -> NDArray[np.uint64]:
    """One number for each pair, ascending by token, then by record."""
    return token_numbers.astype(np.uint64) * np.uint64(max(1, record_count)) + record_numbers.astype(np.uint64)


def _counted(
    vocabulary: NDArray[np.uint64], token_of: NDArray[np.intp], records: NDArray[np.uint32], counts: NDArray[np.integer]
) -> TermCounts:
    """The parts of pairs in order, token_of: places in the vocabulary, each of which occurs."""
    starts = np.zeros(len(vocabulary) + 1, dtype=np.uint64)
    np.cumsum(np.bincount(token_of, minlength=len(vocabulary)), out=starts[1:], dtype=np.uint64)
    narrowest = np.min_scalar_type(int(counts.max(initial=0)))
    return TermCounts(vocabulary, starts, records, counts.astype(narrowest))
