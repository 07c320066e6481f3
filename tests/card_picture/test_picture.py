"""Cards become pictures."""

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.card_picture.picture import SCALE, WIDTH, BrowserMissing, browser, page, save_picture
from tests.shared_data import REPOSITORY

GOLDEN = REPOSITORY / "tests" / "golden" / "cards"


def has_browser() -> bool:
    try:
        browser()
    except BrowserMissing:
        return False
    return True


needs_browser = pytest.mark.skipif(not has_browser(), reason="needs Chromium (apt-get install chromium)")


def test_a_page_holds_every_part_of_the_card() -> None:
    """Text, code, buttons and the accent colour are in the HTML."""
    shown = page(json.loads((GOLDEN / "exact.json").read_text("utf-8")))

    assert "<h3>Server disconnected during initialization</h3>" in shown
    assert "<pre>thread &#x27;main&#x27; panicked" in shown
    assert "border-left-color:#2e9e6b" in shown
    assert "2 more errors in this log</span>" in shown


def test_an_unknown_component_is_an_error() -> None:
    """A picture never leaves something out in silence."""
    with pytest.raises(ValueError, match="component type 99"):
        page([{"type": 99}])


def test_a_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no Chromium is told what to install."""
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(BrowserMissing, match="apt-get install chromium"):
        browser()


@needs_browser
def test_the_picture_has_the_size_of_the_card(tmp_path: Path) -> None:
    """The PNG is as wide as the message and as high as its text needs."""
    target = tmp_path / "card.png"

    save_picture(json.loads((GOLDEN / "guess.json").read_text("utf-8")), target)

    width, height = struct.unpack(">II", target.read_bytes()[16:24])
    assert width == WIDTH * SCALE
    assert 400 < height < 1600


def test_the_readme_picture_is_small() -> None:
    """A page with the picture opens quickly."""
    picture = (GOLDEN / "exact.png").read_bytes()

    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000


def test_wrong_use_is_refused() -> None:
    """Without both names the command says how it is used."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.card_picture"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )

    assert run.returncode == 2
    assert "OUT.png CARD.json" in run.stderr
