"""Vectors in a byte a coordinate, and how far a cosine computed from them can be from the true one.

A scan over codes reads a quarter of what float32 takes, and knows its own error: whatever could be among the nearest is
compared again exactly, so a search through codes finds what a search through the vectors finds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numkong
import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix

Floats = NDArray[np.float32]

LARGEST_CODE: Final = 127
# From so many queries on, the product of two matrices beats one pass for each: 3 ms a query instead of 5, two cores.
PASSES_UP_TO: Final = 2
# 6 MB of codes at once: bounded memory, and other threads get their turn between two blocks.
BLOCK_ROWS: Final = 16_384
# Above what float32 rounding adds to bounds computed from lengths near 1.
MARGIN: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Codes:
    """Row i stands for `codes[i] * steps[i]`, which lies within `errors[i]` of vector i. May be memory-mapped."""

    codes: NDArray[np.int8]  # (V, dim)
    steps: Floats  # (V,)
    errors: Floats  # (V,) lengths

    def __len__(self) -> int:
        return len(self.codes)


def codes_of(vectors: FloatMatrix) -> Codes:
    """The codes of these vectors, shape (V, dim): each coordinate rounded to 127ths of the row's largest."""
    largest = np.abs(vectors).max(axis=1, initial=0.0) if len(vectors) else np.empty(0, np.float32)
    steps = np.where(largest > 0, largest / LARGEST_CODE, 1.0).astype(np.float32)
    codes = np.rint(vectors / steps[:, None]).astype(np.int8)
    left_out = vectors.astype(np.float64) - codes.astype(np.float64) * steps[:, None].astype(np.float64)
    errors = np.sqrt(np.square(left_out).sum(axis=1))
    return Codes(codes, steps, np.nextafter(errors.astype(np.float32), np.float32(np.inf)))


def candidates(queries: FloatMatrix, vectors: Codes, ks: Sequence[int]) -> list[NDArray[np.intp]]:
    """For each query the numbers of all vectors that can be among its k nearest, ascending; never fewer than k of them.

    ks: the k of each query, above 0.

    Vectors of length 1 are taken for granted. Computed by integers, so the same on every machine. Among 362,329 vectors
    130 are left for k = 50 in the middle, 376 at most over 574 pastes. Time grows with queries * V * dim, memory does
    not grow with V.
    """
    asked = codes_of(queries)
    lengths = np.sqrt(np.square(asked.codes.astype(np.float64)).sum(axis=1)) * asked.steps
    largest_error = float(vectors.errors.max(initial=0.0))
    # The cosine is (q + dq)(v + dv), the rough one qv, and they differ by at most |dq| + |q||dv|.
    nearest = [
        _Nearest(k, float(error) + float(length) * largest_error + MARGIN)
        for k, error, length in zip(ks, asked.errors, lengths, strict=True)
    ]
    packed = numkong.dots_pack(asked.codes) if len(queries) > PASSES_UP_TO else None
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = np.asarray(vectors.codes[start : start + BLOCK_ROWS])
        steps = vectors.steps[start : start + BLOCK_ROWS]
        together = np.asarray(numkong.dots_packed(block, packed)) if packed is not None else None
        for number, one in enumerate(nearest):
            if together is None:
                alone = numkong.cdist(asked.codes[number : number + 1], block, metric="dot", threads=1)
                dots = np.asarray(alone)[0].astype(np.float32)  # integers below 2**24 are exact in float32
            else:
                dots = together[:, number].astype(np.float32)
            one.add(start, dots * (steps * asked.steps[number]))
    return [
        one.chosen(vectors.errors, float(length), float(error))
        for one, length, error in zip(nearest, lengths, asked.errors, strict=True)
    ]


class _Nearest:
    """The vectors met so far that can be among the k nearest of one query."""

    def __init__(self, k: int, widest: float) -> None:
        """widest: how far any rough cosine may be from the true one."""
        self._k, self._widest = k, widest
        self._least = -np.inf
        self._numbers = np.empty(0, dtype=np.intp)
        self._cosines = np.empty(0, dtype=np.float32)

    def add(self, start: int, cosines: Floats) -> None:
        """These are the rough cosines of the vectors from number `start` on."""
        inside = np.flatnonzero(cosines >= self._least - 2 * self._widest)
        if not len(inside):
            return
        self._numbers = np.concatenate([self._numbers, inside + start])
        self._cosines = np.concatenate([self._cosines, cosines[inside]])
        if len(self._cosines) > self._k:
            self._least = float(_kth_highest(self._cosines, self._k))
            kept = self._cosines >= self._least - 2 * self._widest
            self._numbers, self._cosines = self._numbers[kept], self._cosines[kept]

    def chosen(self, errors: Floats, length: float, error: float) -> NDArray[np.intp]:
        """With each vector's own error instead of the widest."""
        if len(self._numbers) <= self._k:
            return self._numbers
        slack = error + length * errors[self._numbers] + MARGIN
        surely = _kth_highest(self._cosines - slack, self._k)
        return self._numbers[self._cosines + slack >= surely]


def _kth_highest(values: Floats, k: int) -> np.float32:
    highest: np.float32 = np.partition(values, len(values) - k)[len(values) - k]
    return highest
