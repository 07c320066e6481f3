"""Which files are opened."""

import pytest

from bot.cogs.attachment_kinds import (
    is_message_file,
    is_picture,
    is_readable,
    looks_like_log,
    may_be_log,
    may_hold_text,
)


@pytest.mark.parametrize("name", ["build.log", "OUTPUT.TXT", "message.txt", "latest.2026.log"])
def test_logs_are_opened_unasked(name: str) -> None:
    """A `.txt` or `.log` may hold what a program printed."""
    assert looks_like_log(name)


@pytest.mark.parametrize(
    "name", ["a.py", "a.css", "a.csv", "README", "README.md", "readme.txt", "requirements.txt", "log"]
)
def test_documents_and_sources_are_not(name: str) -> None:
    """A6: what is no output of a program is not opened unless somebody asks."""
    assert not looks_like_log(name)


@pytest.mark.parametrize("name", ["build.log.gz", "OUTPUT.TXT.XZ", "latest.log.zst"])
def test_a_packed_log_is_a_log(name: str) -> None:
    """B4: what is around it does not change what a file is called."""
    assert looks_like_log(name)


@pytest.mark.parametrize("name", ["stderr", "app.out", "latest.log.1", "logs.zip", "crash", "trace.json", "dump.gz"])
def test_what_may_be_anything_is_worth_a_look(name: str) -> None:
    """Names that say nothing leave it to the content."""
    assert may_be_log(name)
    assert may_be_log(name, "application/octet-stream")
    assert not may_be_log(name, "image/png")
    assert not may_be_log(name, "application/pdf")


@pytest.mark.parametrize(
    "name", ["a.py", "a.css", "a.csv", "data.csv.gz", "README", "README.md", "readme.zip", "a.jar"]
)
def test_what_is_called_a_source_or_document_is_not(name: str) -> None:
    """A6: a source that quotes an error is no error, so nobody's file is fetched for it."""
    assert not may_be_log(name)


@pytest.mark.parametrize(
    ("kind", "readable"),
    [
        (None, True),
        ("image/png", False),
        ("audio/ogg", False),
        ("text/x-python; charset=utf-8", True),
        ("application/zip", True),
        ("application/x-msdownload", True),
    ],
)
def test_on_request_everything_but_media_is_opened(kind: str | None, readable: bool) -> None:
    """What a file is, its bytes say; only what is surely seen or heard is not fetched for it."""
    assert is_readable(kind) is readable


def test_the_clients_own_file_is_known() -> None:
    """B3: a long message becomes message.txt."""
    assert is_message_file("message.txt")
    assert not is_message_file("my message.txt")


@pytest.mark.parametrize(
    ("kind", "fits"), [(None, True), ("text/plain", True), ("image/png", False), ("application/zip", True)]
)
def test_a_downloads_content_type_is_checked(kind: str | None, fits: bool) -> None:
    """E5: a server that answers with a picture has no log."""
    assert may_hold_text(kind) is fits


@pytest.mark.parametrize(
    ("kind", "picture"),
    [
        ("image/png", True),
        ("IMAGE/JPEG", True),
        ("image/webp", True),
        ("image/gif; charset=binary", True),
        ("image/svg+xml", False),
        ("video/mp4", False),
        ("text/plain", False),
        (None, False),
    ],
)
def test_pictures_are_those_a_screenshot_may_be(kind: str | None, picture: bool) -> None:
    """F6: only these are fetched where screenshots are read."""
    assert is_picture(kind) is picture


@pytest.mark.parametrize("name", ["shot.png", "IMG_1.JPG", "a.webp", "b.gif"])
def test_what_is_called_a_picture_is_no_log(name: str) -> None:
    """A6: a text under such a name is not answered unasked."""
    assert not may_be_log(name)
