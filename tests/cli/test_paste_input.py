"""What is given on the command line."""

import gzip
import io
from pathlib import Path

import pytest

from bot.cli import paste_input
from bot.cli.paste_input import UnreadableFile, paste_of_argument, paste_of_stream
from bot.pastes.paste import Part, Skipped, SkippedPart
from tests.pastes.packing import LOG, README, zipped


def test_the_name_of_a_file_is_the_file(tmp_path: Path) -> None:
    """A file that is there is read, whatever its encoding (B2)."""
    path = tmp_path / "build.log"
    path.write_bytes("größer".encode("utf-16"))

    assert paste_of_argument(str(path)).parts == (Part("größer", "build.log"),)


@pytest.mark.parametrize("text", ["boom", "no/such/file.log", "x" * 5000, "nul \0 byte"])
def test_anything_else_is_the_text(text: str) -> None:
    """What names no file is the error itself, also where it could not be a name."""
    assert paste_of_argument(text).parts == (Part(text),)


def test_a_folder_is_told(tmp_path: Path) -> None:
    """A folder is no paste, and certainly no error text."""
    with pytest.raises(UnreadableFile, match="it is a folder"):
        paste_of_argument(str(tmp_path))


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", Skipped.EMPTY), (b" \r\n", Skipped.EMPTY), (b"\x7fELF\0\0", Skipped.BINARY)],
)
def test_what_is_no_text_is_skipped_with_its_reason(data: bytes, why: Skipped) -> None:
    """Nothing and a program are different outcomes (E13)."""
    paste = paste_of_stream(io.BytesIO(data))

    assert paste.is_empty
    assert paste.skipped == (SkippedPart("standard input", why),)


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    """B4: a rotated log and a zip of logs are read, whatever they are called; the rest is named."""
    (tmp_path / "a.bin").write_bytes(gzip.compress(LOG.encode()))
    (tmp_path / "b").write_bytes(zipped({"r": README, "x.log": LOG, "y.log": LOG}))

    assert paste_of_argument(str(tmp_path / "a.bin")).parts == (Part(LOG, "a.bin"),)
    paste = paste_of_argument(str(tmp_path / "b"))
    assert paste.parts == (Part(LOG, "b/x.log"), Part(LOG, "b/y.log"))
    assert paste.skipped == (SkippedPart("b/r", Skipped.NOT_A_LOG),)


def test_what_is_piped_in_may_be_packed() -> None:
    """`errata ask < app.log.gz` reads the log as the message."""
    assert paste_of_stream(io.BytesIO(gzip.compress(LOG.encode()))).parts == (Part(LOG),)


def test_too_large_an_archive_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """E2: an archive of several files is unpacked in memory, so its size is bounded, and that of its members."""
    monkeypatch.setattr(paste_input, "LARGEST_WHOLE", 10)
    archive = zipped({"x.log": LOG * 50})

    monkeypatch.setattr(paste_input, "LARGEST_PACKED", len(archive))
    members = paste_of_stream(io.BytesIO(archive), "huge.zip")
    monkeypatch.setattr(paste_input, "LARGEST_PACKED", 20)
    whole = paste_of_stream(io.BytesIO(archive), "huge.zip")

    assert members.skipped == (SkippedPart("huge.zip/x.log", Skipped.TOO_BIG),)
    assert whole.skipped == (SkippedPart("huge.zip", Skipped.TOO_BIG),)


def test_a_long_text_is_an_excerpt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines keep the numbers they had; a text that is not long stays whole."""
    monkeypatch.setattr(paste_input, "LARGEST_WHOLE", 1_000)
    lines = [f"step {number} done" for number in range(5_000)]
    lines[3_000] = "ERROR the oven is cold"

    (long,) = paste_of_stream(io.BytesIO("\n".join(lines).encode()), "a.log").parts
    (short,) = paste_of_stream(io.BytesIO(b"ERROR the oven is cold"), "a.log").parts

    assert long.numbers is not None
    assert long.numbers[long.text.splitlines().index("ERROR the oven is cold")] == 3_000
    assert short.numbers is None
