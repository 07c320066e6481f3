"""What is given on the command line."""

import io
from pathlib import Path

import pytest

from bot.cli import paste_input
from bot.cli.paste_input import UnreadableFile, paste_of_argument, paste_of_stream
from bot.pastes.paste import Part, Skipped, SkippedPart


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
    [(b"", Skipped.EMPTY), (b" \r\n", Skipped.EMPTY), (b"\x89PNG\r\n\x1a\n\0\0", Skipped.BINARY)],
)
def test_what_is_no_text_is_skipped_with_its_reason(data: bytes, why: Skipped) -> None:
    """Nothing and a picture are different outcomes (E13)."""
    paste = paste_of_stream(io.BytesIO(data))

    assert paste.is_empty
    assert paste.skipped == (SkippedPart("standard input", why),)


def test_too_much_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is larger than a log is not read to its end (E13)."""
    monkeypatch.setattr(paste_input, "LARGEST_BYTES", 10)

    paste = paste_of_stream(io.BytesIO(b"x" * 11), "huge.log")

    assert paste.skipped == (SkippedPart("huge.log", Skipped.TOO_BIG),)
