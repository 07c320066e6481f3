"""Vectors in a byte a coordinate, and how far each is from its vector; `code_scan` searches them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix

Floats = NDArray[np.float32]

LARGEST_CODE: Final = 127


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
