"""Content hashes by the hundred thousand: sorted arrays of 16 bytes each, which numpy compares byte by byte."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embeddings.passage import HASH_BYTES

# Fixed width: zero bytes at the end of a hash count as any others, as long as items are not taken out one by one.
Hashes = NDArray[np.bytes_]
_DTYPE = np.dtype(f"S{HASH_BYTES}")


def hashes_in(rows: NDArray[np.uint8]) -> Hashes:
    """The hashes in a matrix of bytes, shape (n, 16); a view where its memory allows."""
    return np.ascontiguousarray(rows).view(_DTYPE).reshape(-1)


def hash_array(hashes: Sequence[bytes]) -> Hashes:
    """These hashes, 16 bytes each."""
    return np.frombuffer(b"".join(hashes), dtype=_DTYPE)


def byte_rows(hashes: Hashes) -> NDArray[np.uint8]:
    """The hashes as a matrix of bytes, shape (n, 16)."""
    return np.ascontiguousarray(hashes).view(np.uint8).reshape(-1, HASH_BYTES)


def listed(hashes: Hashes) -> list[bytes]:
    """Each as bytes, whole."""
    found: list[bytes] = np.ascontiguousarray(hashes).view(f"V{HASH_BYTES}").tolist()
    return found


def are_ascending(hashes: Hashes) -> bool:
    """Whether each is above the one before."""
    return bool(np.all(hashes[1:] > hashes[:-1]))


def places_in(ascending: Hashes, wanted: Hashes) -> NDArray[np.intp]:
    """Where each of `wanted` stands in `ascending`; -1 where it does not."""
    if not len(ascending):
        return np.full(len(wanted), -1, dtype=np.intp)
    places = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    return np.where(ascending[places] == wanted, places, -1)
