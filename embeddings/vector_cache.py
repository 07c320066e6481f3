"""Vectors outside the index, by the hash of their text: one append-only file, so that a killed build loses nothing."""

import os
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import FloatMatrix
from embeddings.errors import WrongDimension
from embeddings.manifest import EncoderIdentity
from embeddings.passage import HASH_BYTES

SUFFIX: Final = ".cache"
ENCODED: Final = "vectors"  # by builds that did not finish
RETIRED: Final = "retired"  # of texts that were in the index and are wanted no more
_CHECK_AT_ONCE: Final = 8_192  # rows, 13 MB of 384-dimensional vectors


class VectorCache:
    """Rows of content hash, vector and checksum, of one encoder. Whole rows before a torn or damaged one count."""

    def __init__(self, folder: Path, encoder: EncoderIdentity, kind: str = ENCODED) -> None:
        """Remember where. Nothing is read before `with`."""
        key = blake2b(f"{encoder.name}\0{encoder.revision}\0{encoder.dim}".encode(), digest_size=8).hexdigest()
        self.path = folder / f"{kind}-{key}{SUFFIX}"
        self._dim = encoder.dim
        self._row = np.dtype([("hash", f"V{HASH_BYTES}"), ("vector", "<f4", (encoder.dim,)), ("checksum", "<u4")])
        self._rows: dict[bytes, int] = {}

    def __enter__(self) -> Self:
        self._file = self.path.open("ab")
        try:
            whole = self._read()
            self._file.truncate(whole * self._row.itemsize)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __contains__(self, text_hash: bytes) -> bool:
        return text_hash in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def hashes(self) -> list[bytes]:
        """The hashes of all texts it holds, in the order they were added in."""
        return list(self._rows)

    def add(self, hashes: Sequence[bytes], vectors: FloatMatrix) -> None:
        """The vectors survive the end of this process, however it ends."""
        if vectors.shape != (len(hashes), self._dim):
            raise WrongDimension(int(vectors.shape[-1]), self._dim)
        rows = np.empty(len(hashes), dtype=self._row)
        rows["hash"] = np.frombuffer(b"".join(hashes), dtype=f"V{HASH_BYTES}")
        rows["vector"] = vectors
        rows["checksum"] = [_checksum(row) for row in rows]
        self._file.write(rows.tobytes())
        self._file.flush()
        os.fsync(self._file.fileno())
        first = self._file.tell() // self._row.itemsize - len(hashes)
        self._rows.update((text_hash, first + number) for number, text_hash in enumerate(hashes))

    def rewrite(self, hashes: Sequence[bytes], vectors: FloatMatrix) -> None:
        """It holds exactly these, in this order; a process that is killed meanwhile leaves what was there."""
        path = self.path
        unfinished = path.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        self._file.close()
        self._rows = {}
        self._file = unfinished.open("ab")
        self.add(hashes, vectors)
        self._file.close()
        unfinished.replace(path)
        self._file = path.open("ab")

    def vectors(self, hashes: Sequence[bytes]) -> FloatMatrix:
        """The vectors of these hashes, shape (len(hashes), dim). Raises KeyError for one it does not hold."""
        rows = [self._rows[text_hash] for text_hash in hashes]
        return np.ascontiguousarray(self._mapped()["vector"][rows], dtype=np.float32)

    def _read(self) -> int:
        """The number of whole rows at the head of the file, now all known."""
        mapped = self._mapped()
        for start in range(0, len(mapped), _CHECK_AT_ONCE):
            for number, row in enumerate(np.array(mapped[start : start + _CHECK_AT_ONCE]), start):
                if int(row["checksum"]) != _checksum(row):
                    return number
                self._rows[row["hash"].tobytes()] = number
        return len(mapped)

    def _mapped(self) -> NDArray[Any]:
        count = self.path.stat().st_size // self._row.itemsize
        if not count:
            return np.empty(0, dtype=self._row)
        return np.memmap(self.path, dtype=self._row, mode="r", shape=(count,)).view(np.ndarray)


def _checksum(row: Any) -> int:
    return zlib.crc32(row["vector"].tobytes(), zlib.crc32(row["hash"].tobytes()))
