"""What a file is, told by its bytes."""

import bz2
import io
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.file_kinds import FileKind, kind_of
from tests.pastes.packing import LOG, PACKERS


def elf(kind: int, *, big: bool = False) -> bytes:
    return b"\x7fELF\x02" + (b"\x02" if big else b"\x01") + bytes(10) + kind.to_bytes(2, "big" if big else "little")


def mach(kind: int, mark: bytes, order: str) -> bytes:
    return mark + bytes(8) + kind.to_bytes(4, "big" if order == "big" else "little") + bytes(16)


def tar() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.log"))
    return made.getvalue()


@pytest.mark.parametrize(
    ("packer", "kind"),
    [
        ("gz", FileKind.GZIP),
        ("xz", FileKind.XZ),
        ("zst", FileKind.ZSTD),
        ("piped.zst", FileKind.ZSTD),
        ("zip", FileKind.ZIP),
    ],
)
def test_archives_are_known_by_their_first_bytes(packer: str, kind: FileKind) -> None:
    """B4: no name is needed."""
    assert kind_of(PACKERS[packer](LOG.encode())[:300]) is kind


@pytest.mark.parametrize(
    "data",
    [
        elf(4),
        elf(4, big=True),
        b"MDMP\x93\xa7\x00\x00" + bytes(100),
        b"PAGEDU64" + bytes(100),
        b"JAVA PROFILE 1.0.2\x00",
        mach(4, b"\xcf\xfa\xed\xfe", "little"),
        mach(4, b"\xfe\xed\xfa\xcf", "big"),
    ],
)
def test_dumps_are_known(data: bytes) -> None:
    """E13: minidumps, core files and heap dumps are no ordinary binary files."""
    assert kind_of(data) is FileKind.DUMP


@pytest.mark.parametrize(
    "data", [elf(2), elf(3), mach(2, b"\xcf\xfa\xed\xfe", "little"), b"\x7fELF", b"\xcf\xfa\xed\xfe"]
)
def test_programs_are_no_dumps(data: bytes) -> None:
    """An executable or a library has the same head as a core, with another type in it."""
    assert kind_of(data) is FileKind.PLAIN


@pytest.mark.parametrize(
    "data", [bz2.compress(b"x"), bz2.compress(b""), b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01", tar()]
)
def test_archives_that_are_not_read_are_known(data: bytes) -> None:
    """Their bytes are never taken for a text in some encoding."""
    assert kind_of(data) is FileKind.FOREIGN


@given(st.binary(max_size=300))
def test_every_file_is_something(data: bytes) -> None:
    """E1: nothing raises, and what begins like a text is one."""
    assert kind_of(data) in FileKind
    assert kind_of(b"Error: " + data[:200]) is FileKind.PLAIN


@pytest.mark.parametrize(
    "head",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"\xff\xd8\xff\xe1",
        b"GIF87a",
        b"GIF89a",
        b"RIFF\x0a\x0d\x0a\x00WEBPVP8L",
    ],
)
def test_pictures_are_known_by_their_first_bytes(head: bytes) -> None:
    """Of the forms screenshots have; whatever they are called."""
    assert kind_of(head) is FileKind.PICTURE


@pytest.mark.parametrize(
    "head", [b"RIFF\x24\x00\x00\x00WAVEfmt ", b"\x89PNG but not quite", b"GIF90a", b"\xff\xd8", b"BM"]
)
def test_other_media_are_no_pictures(head: bytes) -> None:
    """A sound in the same wrapping, and forms nobody takes screenshots in."""
    assert kind_of(head) is FileKind.PLAIN
