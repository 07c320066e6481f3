"""Where a command's log goes."""

import io
from pathlib import Path

import pytest

from bot.cli import log_file
from bot.cli.log_file import LogFile


def test_nothing_logged_leaves_no_file(tmp_path: Path) -> None:
    """The file, and its folder, come with the first line; later ones are added."""
    log = LogFile(tmp_path / "data" / "errata.log", io.StringIO())
    log.flush()
    assert not (tmp_path / "data").exists()

    log.write("one\n")
    log.close()
    log.write("two\n")
    log.close()

    assert (tmp_path / "data" / "errata.log").read_text() == "one\ntwo\n"


def test_a_large_log_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there is kept once, beside the new file."""
    monkeypatch.setattr(log_file, "_LARGEST_BYTES", 10)
    path = tmp_path / "errata.log"
    path.write_text("x" * 11)
    log = LogFile(path, io.StringIO())

    log.write("new\n")
    log.close()

    assert path.read_text() == "new\n"
    assert (tmp_path / "errata.log.1").read_text() == "x" * 11


def test_a_folder_that_cannot_be_written_gives_the_lines_elsewhere(tmp_path: Path) -> None:
    """Lines are never lost, and the other stream is not closed."""
    (tmp_path / "data").write_text("a file")
    elsewhere = io.StringIO()
    log = LogFile(tmp_path / "data" / "errata.log", elsewhere)

    log.write("one\n")
    log.close()

    assert elsewhere.getvalue() == "one\n"
