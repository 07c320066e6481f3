"""Writing so that it survives a loss of power, and mapping what was written."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def mapped(path: Path) -> Any:
    """The array in this .npy file, memory-mapped. Raises OSError or ValueError where it is none."""
    array = np.load(path, allow_pickle=False, mmap_mode="r")
    # A plain view: memmap's own indexing costs several times that of an array, and the postings are sliced per token.
    return array.view(np.ndarray)


def write_array(path: Path, array: NDArray[Any]) -> None:
    """The array is on disk as .npy, little-endian, when this returns."""
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")), allow_pickle=False)
        file.flush()
        sync_file(file.fileno())


def write_text(path: Path, text: str) -> None:
    """The text is on disk, in UTF-8, when this returns."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        sync_file(file.fileno())


def sync_file(descriptor: int) -> None:
    """What was written to this descriptor survives a loss of power."""
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """The folder's names survive a loss of power; where folders cannot be synced (Windows) nothing is done."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
