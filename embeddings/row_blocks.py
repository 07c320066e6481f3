"""Matrices on disk whose rows move from one index to the next: read in blocks, and written in blocks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from embeddings.disk import sync_file

# Reading what lies between costs less than asking for each row alone, as long as a good part of it is wanted.
_WORTH_READING_THROUGH: Final = 4


class RowBlocks:
    """The rows of a .npy matrix, within `with`; they stay readable after the file was deleted.

    It is read, not mapped: 556 MB of vectors that are looked at once would count as memory of this process.
    """

    def __init__(self, path: Path) -> None:
        """Look at the header. Raises OSError or ValueError where the file is no whole matrix in C order."""
        matrix = np.load(path, allow_pickle=False, mmap_mode="r")
        if not isinstance(matrix, np.memmap) or matrix.ndim != 2 or not matrix.flags.c_contiguous:
            raise ValueError(f"{path.name} is no matrix in C order")
        self.shape: tuple[int, ...] = matrix.shape
        self.dtype: np.dtype[Any] = matrix.dtype
        self._path, self._start = path, matrix.offset

    def __enter__(self) -> Self:
        self._file = self._path.open("rb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def rows(self, numbers: NDArray[np.intp]) -> NDArray[Any]:
        """These rows, in this order; quickest where they lie close together."""
        if not len(numbers):
            return np.empty((0, self.shape[1]), dtype=self.dtype)
        first, last = int(numbers.min()), int(numbers.max())
        if last - first < _WORTH_READING_THROUGH * len(numbers):
            return self._block(first, last - first + 1)[numbers - first]
        return np.concatenate([self._block(number, 1) for number in numbers.tolist()])

    def _block(self, first: int, count: int) -> NDArray[Any]:
        self._file.seek(self._start + first * self.shape[1] * self.dtype.itemsize)
        found = np.fromfile(self._file, self.dtype, count * self.shape[1])
        return found.reshape(count, self.shape[1])


@contextmanager
def matrix_written(
    path: Path, dtype: np.dtype[Any], shape: tuple[int, int]
) -> Iterator[Callable[[NDArray[Any]], None]]:
    """Within, give it the rows of a new .npy matrix block by block; they are on disk when this ends."""
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
        )
        yield lambda rows: np.ascontiguousarray(rows, dtype=dtype).tofile(file)
        file.flush()
        sync_file(file.fileno())
