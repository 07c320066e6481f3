"""What turns texts into vectors, as the rest of the package sees it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatMatrix = NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into unit vectors. `name` and `revision` together say which vectors may be compared."""

    @property
    def name(self) -> str:
        """Which model."""
        ...

    @property
    def revision(self) -> str:
        """Changes with everything that changes its vectors: the weights, how much of a text is read."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one row of length 1 for each text, shape (len(texts), dim), float32.

        Empty texts are allowed. May be called from several threads. Computes: call it in a worker thread.

        Raises EncoderUnavailable when the model cannot be loaded.
        """
        ...
