"""What is in gzip, xz and zstd streams and in zip members, piece by piece: a bomb is found out while it grows.

Every generator gives pieces of at most a few MiB, and raises CannotUnpack where a stream is damaged, wants more memory
than any log does, or is of a form that is not read.
"""

import io
import lzma
import mmap
import struct
import zipfile
import zlib
from collections.abc import Iterator

import zstandard

from bot.errors import BotError
from bot.pastes.file_kinds import FileKind
from bot.pastes.paste import Skipped

PIECE_BYTES = 2**16
# `xz -9` asks for 65 MiB; its pages are touched only as far as output goes, which is capped.
_XZ_MEMORY = 80 * 2**20
# `zstd -19` needs 8 MiB; `--ultra` and `--long` up to 2 GiB, which no log is worth.
_ZSTD_WINDOW = 32 * 2**20
# zstandard gives all that a piece of input makes, and four bytes can make 128 KiB: so at most 4 MiB at once.
_ZSTD_INPUT = 128
# Appended logs and block-wise tools write some hundred streams; a million empty ones would only cost time.
_MOST_STREAMS = 4096
# What zipfile raises for archives that are not what they say; found by fuzzing it and in its source.
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,  # also UnicodeDecodeError: a name that is not the UTF-8 it says
    OverflowError,
    IndexError,
    struct.error,
)
# zipfile unpacks bzip2 and lzma members without a limit for one piece, so a small bomb would be in memory at once.
_ZIP_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ZIP_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1


class CannotUnpack(BotError):
    """A packed file cannot be read to its end, for this reason."""

    def __init__(self, why: Skipped) -> None:
        super().__init__(f"not unpacked: {why.value}")
        self.why = why


def pieces_of(data: bytes | mmap.mmap, kind: FileKind) -> Iterator[bytes]:
    """Unpack a gzip, xz or zstd file; streams behind each other are one text, as `cat` makes them.

    Of a mapped file only what is just being unpacked is in memory.
    """
    if kind is FileKind.GZIP:
        return _gzip(data)
    if kind is FileKind.XZ:
        return _xz(data)
    return _zstd(data)


def opened_zip(data: bytes, most_listed: int) -> zipfile.ZipFile:
    """Return the archive with its list of members, none of them unpacked.

    Raises CannotUnpack with TOO_MANY for more than `most_listed` entries, before a list of them is made.
    """
    # zipfile believes what it finds, not the count that the archive gives; each entry costs it half a kilobyte.
    if data.count(_ZIP_ENTRY) > most_listed:
        raise CannotUnpack(Skipped.TOO_MANY)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except NotImplementedError as error:  # a later version of the form
        raise CannotUnpack(Skipped.UNSUPPORTED) from error
    except _ZIP_FAULTS as error:
        raise CannotUnpack(Skipped.DAMAGED) from error


def pieces_of_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Unpack one member of a zip; its size and its checksum have to be what the archive says."""
    if member.flag_bits & _ENCRYPTED:
        raise CannotUnpack(Skipped.ENCRYPTED)
    if member.compress_type not in _ZIP_METHODS:
        raise CannotUnpack(Skipped.UNSUPPORTED)
    size = 0
    try:
        with archive.open(member) as file:
            while piece := file.read(PIECE_BYTES):
                size += len(piece)
                yield piece
    except (NotImplementedError, RuntimeError) as error:  # strong encryption, patched data
        raise CannotUnpack(Skipped.UNSUPPORTED) from error
    except _ZIP_FAULTS as error:
        raise CannotUnpack(Skipped.DAMAGED) from error
    # zipfile does not look at the checksum of what says that it is empty; that of nothing is 0.
    if size != member.file_size or (size == 0 and member.CRC):
        raise CannotUnpack(Skipped.DAMAGED)


def _gzip(data: bytes | mmap.mmap) -> Iterator[bytes]:
    rest = memoryview(data)
    for _ in range(_MOST_STREAMS):
        stream = zlib.decompressobj(wbits=31)  # gzip's head and checksum
        at, waiting = 0, b""
        while not stream.eof:
            if not waiting:
                waiting, at = bytes(rest[at : at + PIECE_BYTES]), at + PIECE_BYTES
            try:
                piece = stream.decompress(waiting, PIECE_BYTES)
            except zlib.error as error:
                raise CannotUnpack(Skipped.DAMAGED) from error
            if not piece and not waiting and not stream.eof:
                raise CannotUnpack(Skipped.DAMAGED)  # it ends too early
            waiting = stream.unconsumed_tail
            if piece:
                yield piece
        rest = rest[min(at, len(rest)) - len(stream.unused_data) :]
        # Zeros behind a stream fill up a tape's or a disk's block.
        if not bytes(rest[:PIECE_BYTES]).strip(b"\0"):
            return
    raise CannotUnpack(Skipped.TOO_BIG)


def _xz(data: bytes | mmap.mmap) -> Iterator[bytes]:
    rest = memoryview(data)
    for _ in range(_MOST_STREAMS):
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        at = 0
        while not stream.eof:
            given = b""
            if stream.needs_input:
                given, at = bytes(rest[at : at + PIECE_BYTES]), at + PIECE_BYTES
                if not given:
                    raise CannotUnpack(Skipped.DAMAGED)
            try:
                piece = stream.decompress(given, PIECE_BYTES)
            except lzma.LZMAError as error:
                # The library has no class of its own for it.
                wants_memory = "emory usage limit" in str(error)
                raise CannotUnpack(Skipped.TOO_BIG if wants_memory else Skipped.DAMAGED) from error
            if piece:
                yield piece
        rest = rest[min(at, len(rest)) - len(stream.unused_data) :]
        if not bytes(rest[:PIECE_BYTES]).strip(b"\0"):
            return
    raise CannotUnpack(Skipped.TOO_BIG)


def _zstd(data: bytes | mmap.mmap) -> Iterator[bytes]:
    unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    at = 0
    for _ in range(_MOST_STREAMS):
        stream = unpacker.decompressobj()
        while not stream.eof:
            given, at = data[at : at + _ZSTD_INPUT], min(at + _ZSTD_INPUT, len(data))
            if not given:
                raise CannotUnpack(Skipped.DAMAGED)
            try:
                piece = stream.decompress(given)
            except zstandard.ZstdError as error:
                wants_memory = "too much memory" in str(error)
                raise CannotUnpack(Skipped.TOO_BIG if wants_memory else Skipped.DAMAGED) from error
            if piece:
                yield piece
        at -= len(stream.unused_data)
        if at == len(data):
            return
    raise CannotUnpack(Skipped.TOO_BIG)
