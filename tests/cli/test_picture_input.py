"""Screenshots on the command line."""

from pathlib import Path

import pytest

from bot.cli import picture_input
from bot.cli.paste_input import paste_of_argument
from bot.cli.picture_input import PicturesNotRead, paste_of_picture
from bot.pastes.paste import Skipped
from bot.sources import pictures
from bot.sources.pictures import can_read_pictures
from tests.cli.errata_command import Errata
from tests.cli.panics import PANICS, SERVER_DISCONNECTED
from tests.screenshots import screenshot, some_look

needs_engine = pytest.mark.skipif(not can_read_pictures(), reason="needs the extra ocr: pip install 'errata-bot[ocr]'")


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    """A screenshot of a panic, under a name that does not say so."""
    path = tmp_path / "shot"
    path.write_bytes(screenshot(PANICS[SERVER_DISCONNECTED], some_look()))
    return path


@needs_engine
def test_a_screenshot_is_explained(errata: Errata, shot: Path) -> None:
    """`errata ask shot` gives the record, and says where its line was read."""
    ended = errata("ask", str(shot), "--json")

    best = ended.json["matches"][0]
    assert ended.code == 0
    assert best["id"] == SERVER_DISCONNECTED
    assert best["quote"]["line"] == "Server disconnected during initialization"
    assert best["quote"]["read_from"].startswith("picture")


@needs_engine
def test_what_was_read_is_quoted(errata: Errata, shot: Path) -> None:
    """The card says that its line is from a picture."""
    ended = errata("ask", str(shot))

    assert "Read from a picture" in ended.out
    assert "    Server disconnected during initialization\n" in ended.out


@needs_engine
def test_a_screenshot_is_read(errata: Errata, shot: Path) -> None:
    """`errata read shot` shows the errors in it."""
    ended = errata("read", str(shot), "--json")

    (part,) = ended.json["parts"]
    assert ended.code == 0
    assert part["name"] == "shot"
    assert part["errors"][0]["message"] == "Server disconnected during initialization"


@needs_engine
def test_a_damaged_picture_is_named(errata: Errata) -> None:
    """Also through a pipe."""
    ended = errata("ask", stdin=b"\x89PNG\r\n\x1a\n")

    assert ended.code == 2
    assert "standard input is damaged" in ended.err


def test_without_the_extra_it_says_what_to_install(errata: Errata, shot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, and the exit code of bad input."""
    monkeypatch.setattr(pictures, "can_read_pictures", lambda: False)

    ended = errata("ask", str(shot))

    assert ended.code == 2
    assert "shot is a picture; to read it install the extra: pip install 'errata-bot[ocr]'" in ended.err


def test_without_the_extra_a_picture_is_refused(shot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for whoever calls it."""
    monkeypatch.setattr(pictures, "can_read_pictures", lambda: False)

    with pytest.raises(PicturesNotRead):
        paste_of_argument(str(shot))


def test_too_much_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file larger than any screenshot goes to no engine (E13)."""
    monkeypatch.setattr(picture_input, "LARGEST_BYTES", 10)

    assert [part.why for part in paste_of_picture(b"x" * 11, "a.png").skipped] == [Skipped.TOO_BIG]
