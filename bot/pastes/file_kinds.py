"""What a file is, told by its first bytes; its name and what a server calls it are only hearsay."""

import re
from enum import StrEnum


class FileKind(StrEnum):
    """What has to be done with a file to read it."""

    PLAIN = "plain"  # text or not, as it stands
    GZIP = "gzip"
    ZIP = "zip"
    XZ = "xz"
    ZSTD = "zstd"
    PICTURE = "picture"  # of a form that screenshots have
    DUMP = "dump"  # a process's memory, which needs a debugger
    FOREIGN = "foreign"  # an archive of a form that is not read


_SIGNATURES = (
    (b"\x1f\x8b\x08", FileKind.GZIP),
    (b"PK\x03\x04", FileKind.ZIP),
    (b"PK\x05\x06", FileKind.ZIP),  # one without members
    (b"\xfd7zXZ\x00", FileKind.XZ),
    (b"\x28\xb5\x2f\xfd", FileKind.ZSTD),
    (b"\x89PNG\r\n\x1a\n", FileKind.PICTURE),
    (b"\xff\xd8\xff", FileKind.PICTURE),  # JPEG
    (b"GIF87a", FileKind.PICTURE),
    (b"GIF89a", FileKind.PICTURE),
    (b"MDMP\x93\xa7", FileKind.DUMP),  # Windows, Breakpad and Crashpad
    (b"PAGEDUMP", FileKind.DUMP),
    (b"PAGEDU64", FileKind.DUMP),
    (b"JAVA PROFILE 1.0", FileKind.DUMP),
    (b"PK\x07\x08", FileKind.FOREIGN),  # one piece of a zip in several
    (b"7z\xbc\xaf\x27\x1c", FileKind.FOREIGN),
    (b"Rar!\x1a\x07", FileKind.FOREIGN),
    (b"\x04\x22\x4d\x18", FileKind.FOREIGN),  # lz4
)
_WEBP = re.compile(rb"RIFF.{4}WEBP", re.DOTALL)
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_SKIPPABLE_ZSTD = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_ELF, _ELF_CORE = b"\x7fELF", 4
# A 32 or 64 bit Mach-O in either byte order, and the file type of a core in it.
_MACH = {
    b"\xce\xfa\xed\xfe": "little",
    b"\xcf\xfa\xed\xfe": "little",
    b"\xfe\xed\xfa\xce": "big",
    b"\xfe\xed\xfa\xcf": "big",
}
_MACH_CORE = 4
_TAR_MARK, _TAR_AT = b"ustar", 257


def kind_of(data: bytes) -> FileKind:
    """Return what a file is; its first 300 bytes are enough. Never raises."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if _SKIPPABLE_ZSTD.match(data):
        return FileKind.ZSTD
    if _WEBP.match(data):
        return FileKind.PICTURE
    if _is_core(data):
        return FileKind.DUMP
    if _BZIP2.match(data) or data[_TAR_AT : _TAR_AT + len(_TAR_MARK)] == _TAR_MARK:
        return FileKind.FOREIGN
    return FileKind.PLAIN


def _is_core(data: bytes) -> bool:
    if data.startswith(_ELF) and len(data) >= 18:
        return int.from_bytes(data[16:18], "big" if data[5] == 2 else "little") == _ELF_CORE
    order = _MACH.get(data[:4])
    if order is None or len(data) < 16:
        return False
    return int.from_bytes(data[12:16], "little" if order == "little" else "big") == _MACH_CORE
