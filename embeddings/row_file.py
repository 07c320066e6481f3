"""Rows of a matrix on disk, read by number."""

import mmap
import os
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix

_MAPS_ONLY: Final = not hasattr(os, "pread")  # Windows


class VectorRows(Protocol):
    """Vectors that are read a few at a time."""

    @property
    def shape(self) -> tuple[int, int]: ...

    def rows(self, numbers: NDArray[np.intp]) -> FloatMatrix:
        """These rows, in this order, float32."""
        ...


class RowFile:
    """Vectors in a float32 .npy file, which stays readable after it was deleted.

    The file is read, not mapped: questions touch rows all over it, and every page once touched would count as memory of
    this process (556 MB for 153,003 records). A row of 384 costs 1.1 µs while the system keeps the file in memory; from
    a map whose pages are given back after each question it would cost 7, since the system fetches 16 pages for each.
    """

    def __init__(self, path: Path) -> None:
        """Read the header. Raises OSError or ValueError where the file is not such a matrix, or not whole."""
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            if version != (1, 0):
                raise ValueError(f"{path.name} has the .npy version {version}")
            shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(file)
            self._start = file.tell()
            if fortran_order or dtype != np.dtype("<f4") or len(shape) != 2:
                raise ValueError(f"{path.name} is no float32 matrix in C order")
            self._shape = (int(shape[0]), int(shape[1]))
            self._row_bytes = 4 * self._shape[1]
            if os.fstat(file.fileno()).st_size != self._start + self._shape[0] * self._row_bytes:
                raise ValueError(f"{path.name} is not whole")
            self._descriptor = -1 if _MAPS_ONLY else os.dup(file.fileno())
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if _MAPS_ONLY else None

    def __del__(self) -> None:
        if getattr(self, "_descriptor", -1) >= 0:
            os.close(self._descriptor)

    @property
    def shape(self) -> tuple[int, int]:
        """Vectors, and the length of one."""
        return self._shape

    def rows(self, numbers: NDArray[np.intp]) -> FloatMatrix:
        """See `VectorRows.rows`. Raises OSError where the disk cannot be read."""
        offsets = (self._start + np.asarray(numbers, dtype=np.int64) * self._row_bytes).tolist()
        whole = b"".join(self._read(offsets))
        if len(whole) != len(offsets) * self._row_bytes:
            raise OSError(f"{len(offsets)} rows cannot be read whole")
        return np.frombuffer(whole, dtype="<f4").reshape(len(offsets), self._shape[1])

    def _read(self, offsets: Sequence[int]) -> Iterable[bytes]:
        if self._map is not None:
            mapped = self._map
            return (mapped[offset : offset + self._row_bytes] for offset in offsets)
        return map(os.pread, repeat(self._descriptor), repeat(self._row_bytes), offsets)
