"""An encoder without weights: a text is the signed counts of its tokens. For tests, and readable by eye."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from embeddings.encoder import FloatMatrix
from embeddings.tokens import TOKENISER_NAME, TOKENISER_VERSION, token_hashes


class HashedEncoder:
    """Each token adds or subtracts the root of its count at one place of the vector; texts sharing words are near.

    Deterministic on every machine. A text without tokens is the first unit vector.
    """

    def __init__(self, dim: int = 256) -> None:
        self._dim = dim

    @property
    def name(self) -> str:
        """Always `hashed-tokens`."""
        return "hashed-tokens"

    @property
    def revision(self) -> str:
        """The tokeniser's version."""
        return f"{TOKENISER_NAME}-{TOKENISER_VERSION}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one unit row for each text; see `Encoder.encode`."""
        rows = np.zeros((len(texts), self._dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token, count in sorted(Counter(token_hashes(text)).items()):
                sign = 1.0 if token >> 63 else -1.0
                row[token % self._dim] += sign * count**0.5
            length = float(np.sqrt(np.square(row, dtype=np.float64).sum()))
            if length == 0.0:  # no token, or tokens that cancel each other out
                row[0] = 1.0
            else:
                np.divide(row, length, out=row)
        return rows
