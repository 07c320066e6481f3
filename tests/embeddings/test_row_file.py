"""Rows read by number."""

import os
from pathlib import Path

import numpy as np
import pytest

from embeddings import row_file
from embeddings.row_file import RowFile
from tests.embeddings.row_array import RowArray

MATRIX = np.arange(35, dtype=np.float32).reshape(7, 5)
WANTED = np.array([6, 0, 3, 3], dtype=np.intp)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Seven rows of five."""
    np.save(tmp_path / "rows.npy", MATRIX)
    return tmp_path / "rows.npy"


def test_rows_come_in_the_order_asked_for(path: Path) -> None:
    """From disk as from memory, also twice, also none."""
    for rows in (RowFile(path), RowArray(MATRIX)):
        assert rows.shape == (7, 5)
        np.testing.assert_array_equal(rows.rows(WANTED), MATRIX[WANTED])
        assert rows.rows(WANTED[:0]).shape == (0, 5)


def test_a_deleted_file_is_still_read(path: Path) -> None:
    """G1: a build that replaced the index fails no question in flight."""
    rows = RowFile(path)
    path.unlink()

    np.testing.assert_array_equal(rows.rows(WANTED), MATRIX[WANTED])


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\0" * path.stat().st_size),
        lambda path: np.save(path, MATRIX.astype(np.float64)),
        lambda path: np.save(path, MATRIX[0]),
        lambda path: np.save(path, np.asfortranarray(MATRIX)),
    ],
)
def test_what_is_no_such_matrix_is_refused(path: Path, damage: object) -> None:
    """G2: nothing half is served."""
    damage(path)  # type: ignore[operator]  # a list of lambdas has no common type

    with pytest.raises(ValueError, match=r"rows\.npy|magic"):
        RowFile(path)


def test_a_file_that_was_cut_is_noticed(path: Path) -> None:
    """G2: half a row is no row."""
    rows = RowFile(path)
    os.truncate(path, path.stat().st_size - 4)

    with pytest.raises(OSError, match="cannot be read whole"):
        rows.rows(WANTED)


def test_rows_come_from_a_map_where_the_system_cannot_read_at_a_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows: the same rows."""
    monkeypatch.setattr(row_file, "_MAPS_ONLY", True)

    rows = RowFile(path)

    np.testing.assert_array_equal(rows.rows(WANTED), MATRIX[WANTED])
    assert rows.rows(WANTED[:0]).shape == (0, 5)
