"""Packed files as people's tools make them, and as nobody's tool does."""

import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable, Mapping

import zstandard

LOG = "10:00:01 INFO starting\n10:00:02 ERROR could not open gradient store\n" * 3
README = "# Widgets\n\nHow to build.\n\n## Install\n\nRun the installer, then read on.\n"
SOURCE = "import os\n\ndef main():\n    raise ValueError('no store')\n\nif __name__ == '__main__':\n    main()\n"


def zipped(members: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these members, in their order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def one_zipped(data: bytes) -> bytes:
    return zipped({"app.log": data})


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(data)


def zstd_of_unknown_size(data: bytes) -> bytes:
    """As `zstd` writes what it is piped: the size is not in the head, a checksum is behind."""
    stream = zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compressobj()
    return stream.compress(data) + stream.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": zstd,
    "piped.zst": zstd_of_unknown_size,
    "zip": one_zipped,
}
STREAMS = {name: pack for name, pack in PACKERS.items() if name != "zip"}


def with_flag(archive: bytes, flag: int) -> bytes:
    """The zip, each of whose entries has this flag set in both of its heads."""
    changed = bytearray(archive)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = -1
        while (start := archive.find(mark, start + 1)) >= 0:
            changed[start + at] |= flag
    return bytes(changed)


def with_size(archive: bytes, size: int) -> bytes:
    """The zip, each of whose entries says that it unpacks to `size` bytes."""
    changed = bytearray(archive)
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = -1
        while (start := archive.find(mark, start + 1)) >= 0:
            struct.pack_into("<I", changed, start + at, size)
    return bytes(changed)


def with_method(archive: bytes, method: int) -> bytes:
    """The zip, each of whose entries says that it is packed in this way."""
    changed = bytearray(archive)
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = -1
        while (start := archive.find(mark, start + 1)) >= 0:
            struct.pack_into("<H", changed, start + at, method)
    return bytes(changed)


def renamed_inside(archive: bytes, old: bytes, new: bytes) -> bytes:
    """The zip with another name of the same length in it: `zipfile` itself would not write some names."""
    assert len(old) == len(new)
    return archive.replace(old, new)


def overlapping_zip(content: bytes, entries: int) -> bytes:
    """A zip whose many entries all lead to the same packed bytes."""
    archive = zipped({"a.log": content})
    end = archive.rfind(b"PK\x05\x06")
    start = archive.rfind(b"PK\x01\x02", 0, end)
    entry = archive[start:end]
    # The count has no room for more than 65535, and nobody believes it anyway.
    count = entries & 0xFFFF
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, len(entry) * entries, start, 0)
    return archive[:start] + entry * entries + tail
