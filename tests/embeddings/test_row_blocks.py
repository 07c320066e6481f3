"""Rows that move from one file to the next."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from embeddings.row_blocks import RowBlocks, matrix_written

MATRIX = np.arange(4000, dtype=np.float32).reshape(400, 10)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """400 rows of ten."""
    np.save(tmp_path / "rows.npy", MATRIX)
    return tmp_path / "rows.npy"


@pytest.mark.parametrize(
    "wanted", [[], [0], [399], [3, 4, 5], [3, 5, 6, 9], [9, 3, 3], [0, 399], list(range(0, 400, 3)), list(range(400))]
)
def test_rows_come_as_asked_for(path: Path, wanted: list[int]) -> None:
    """Close together or far apart, in any order, none, all."""
    numbers = np.array(wanted, dtype=np.intp)
    with RowBlocks(path) as blocks:
        found = blocks.rows(numbers)

    assert found.dtype == MATRIX.dtype
    np.testing.assert_array_equal(found, MATRIX[numbers])


def test_a_deleted_file_is_still_read(path: Path) -> None:
    """A build that serves a part first removes the index whose vectors it goes on copying."""
    with RowBlocks(path) as blocks:
        path.unlink()

        np.testing.assert_array_equal(blocks.rows(np.arange(7)), MATRIX[:7])


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\0" * path.stat().st_size),
        lambda path: np.save(path, MATRIX[0]),
        lambda path: np.save(path, np.asfortranarray(MATRIX)),
    ],
)
def test_what_is_no_such_matrix_is_refused(path: Path, damage: Callable[[Path], object]) -> None:
    """Its vectors are encoded again, then."""
    damage(path)

    with pytest.raises(ValueError, match=r"rows\.npy|pickled|mmap"):
        RowBlocks(path)


def test_what_is_written_in_blocks_is_what_numpy_writes(tmp_path: Path, path: Path) -> None:
    """Byte for byte, so that it does not matter who wrote a file."""
    with matrix_written(tmp_path / "blocks.npy", MATRIX.dtype, (400, 10)) as put:
        for start in range(0, 400, 150):
            put(MATRIX[start : start + 150])

    assert (tmp_path / "blocks.npy").read_bytes() == path.read_bytes()
