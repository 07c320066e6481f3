"""Which files are opened."""

import pytest

from bot.cogs.attachment_kinds import is_message_file, is_readable, looks_like_log, may_be_text


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


@pytest.mark.parametrize(
    ("name", "kind", "readable"),
    [
        ("a.log", None, True),
        ("a.txt", "image/png", False),
        ("a.py", "text/x-python; charset=utf-8", True),
        ("dump", "application/json; charset=utf-8", True),
        ("a.zip", "application/zip", False),
        ("a.bin", None, False),
    ],
)
def test_on_request_text_is_read(name: str, kind: str | None, readable: bool) -> None:
    """Discord's word for the content decides; a log's ending is enough where it says nothing."""
    assert is_readable(name, kind) is readable


def test_the_clients_own_file_is_known() -> None:
    """B3: a long message becomes message.txt."""
    assert is_message_file("message.txt")
    assert not is_message_file("my message.txt")


@pytest.mark.parametrize(
    ("kind", "fits"), [(None, True), ("text/plain", True), ("image/png", False), ("application/zip", False)]
)
def test_a_downloads_content_type_is_checked(kind: str | None, fits: bool) -> None:
    """E5: a server that answers with a picture has no log."""
    assert may_be_text(kind) is fits
