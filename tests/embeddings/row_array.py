"""Vectors in memory, where tests and benchmarks have no file of them."""

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix


class RowArray:
    """Vectors in memory."""

    def __init__(self, vectors: FloatMatrix) -> None:
        self._vectors = vectors

    @property
    def shape(self) -> tuple[int, int]:
        """Vectors, and the length of one."""
        return self._vectors.shape[0], self._vectors.shape[1]

    def rows(self, numbers: NDArray[np.intp]) -> FloatMatrix:
        """See `embeddings.row_file.VectorRows.rows`."""
        chosen: FloatMatrix = self._vectors[numbers]
        return chosen
