"""Bytes of a file, unpacked where it is packed, with limits on what may come out."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bot.sources.errors import InvalidSource

MEBIBYTE = 2**20
# One document in memory; the largest repository's records take some 20 MiB.
LARGEST_DOCUMENT = 64 * MEBIBYTE
# Catalogues pack to about a tenth. What unpacks to more than this many times its size was made to do so.
GREATEST_RATIO = 200
# Below this, a ratio says nothing: a short file of one repeated letter is harmless.
RATIO_MATTERS_FROM = 16 * MEBIBYTE

_GZIP = b"\x1f\x8b"
_PIECE = 2**18


class CappedReader:
    """Reads an open file from its beginning, gzip or plain, told apart by its first bytes.

    Raises InvalidSource when a document is too large, a packed file grows beyond its ratio, or it is damaged.
    """

    def __init__(self, file: BinaryIO, origin: str) -> None:
        self._file, self._origin = file, origin
        self.is_packed = file.read(2) == _GZIP
        file.seek(0)
        self._source: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=file) if self.is_packed else file
        self._given = 0

    def lines(self) -> Iterator[bytes]:
        """Each line with its end; memory is that of the longest line."""
        pieces: list[bytes] = []
        size = 0
        # In pieces, so that a long packed line is found out before all of it is in memory.
        while piece := self._read(self._source.readline):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST_DOCUMENT:
                raise self._invalid(f"has a line of more than {LARGEST_DOCUMENT // MEBIBYTE} MiB")
            if piece.endswith(b"\n"):
                yield b"".join(pieces)
                pieces, size = [], 0
        if pieces:
            yield b"".join(pieces)

    def rest(self, begun: bytes = b"") -> bytes:
        """All that is left, behind what was read of the document already."""
        pieces, size = [begun], len(begun)
        while piece := self._read(self._source.read):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST_DOCUMENT:
                raise self._invalid(f"is one document of more than {LARGEST_DOCUMENT // MEBIBYTE} MiB")
        return b"".join(pieces)

    def pieces(self, most_bytes: int) -> Iterator[bytes]:
        """All of it, piece by piece; raises InvalidSource when it is more than `most_bytes`."""
        size = 0
        while piece := self._read(self._source.read):
            size += len(piece)
            if size > most_bytes:
                raise self._invalid(f"is more than {most_bytes // MEBIBYTE} MiB")
            yield piece

    def _read(self, read: Callable[[int], bytes]) -> bytes:
        try:
            piece = read(_PIECE)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise self._invalid("is a damaged gzip file") from error
        self._given += len(piece)
        if self.is_packed and self._given > max(RATIO_MATTERS_FROM, GREATEST_RATIO * self._file.tell()):
            raise self._invalid(f"unpacks to more than {GREATEST_RATIO} times its size")
        return piece

    def _invalid(self, problem: str) -> InvalidSource:
        return InvalidSource((f"{self._origin}: document: {problem}",))


@contextmanager
def opened(path: Path) -> Iterator[CappedReader]:
    """The file, open for reading; raises InvalidSource when it cannot be read or is no ordinary file."""
    origin = str(path)
    if path.exists() and not path.is_file():
        raise InvalidSource((f"{origin}: document: is no ordinary file",))
    try:
        file = path.open("rb")
    except OSError as error:
        raise InvalidSource((f"{origin}: document: cannot be read: {error.strerror}",)) from error
    with file:
        try:
            yield CappedReader(file, origin)
        except OSError as error:
            raise InvalidSource((f"{origin}: document: cannot be read: {error.strerror}",)) from error
