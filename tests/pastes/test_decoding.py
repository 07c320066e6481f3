"""Bytes become text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.decoding import decode, encoding_of

LOG = "thread 'main' panicked at src/main.rs:3:5:\r\nServer disconnected — größer\n"


@pytest.mark.parametrize(
    "data",
    [
        LOG.encode(),
        codecs.BOM_UTF8 + LOG.encode(),
        codecs.BOM_UTF16_LE + LOG.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + LOG.encode("utf-16-be"),
        LOG.encode("utf-16-le"),
        LOG.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + LOG.encode("utf-32-le"),
        LOG.encode("cp1252"),
    ],
)
def test_every_encoding_gives_the_same_text(data: bytes) -> None:
    """B2: UTF-8, UTF-16 in both orders, with and without a mark, and Latin-1 are read as what was written."""
    assert decode(data) == LOG


def test_broken_bytes_are_replaced_and_the_rest_stays() -> None:
    """B2: a log in UTF-8 with a few invalid bytes loses those alone."""
    data = ("é" * 50 + LOG).encode() + b"\xff tail"

    text = decode(data)

    assert text is not None
    assert text.startswith("é" * 50 + LOG)
    assert text.endswith("\ufffd tail")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(40),
        b"%PDF-1.7\n%abc",
        b"PK\x03\x04rest",
        bytes(range(32)) * 20,
        b"\x00\x00\x00\x01" * 64,
    ],
)
def test_what_is_no_text_is_none(data: bytes) -> None:
    """A picture, an archive or a program is told apart from a log, whatever it is called."""
    assert decode(data) is None


def test_terminal_output_is_text() -> None:
    """Colours and bells of a terminal make no binary file."""
    assert decode(b"\x1b[31merror\x1b[0m: no such file\x07\n" * 5) is not None


def test_nothing_is_an_empty_text() -> None:
    """An empty file is empty, not binary."""
    assert decode(b"") == ""
    assert decode(codecs.BOM_UTF8) == ""


@given(st.binary(max_size=3000))
def test_nothing_raises(data: bytes) -> None:
    """B2, E1: whatever the bytes are, there is a text or none."""
    text = decode(data)

    assert text is None or isinstance(text, str)


@given(st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=300))
def test_utf8_stays_what_it_is(text: str) -> None:
    """Valid UTF-8 without control characters is never taken for anything else."""
    data = text.encode()

    if not data.startswith((b"GIF8", b"%PDF", b"BM6", b"RIFF", codecs.BOM_UTF8)):
        assert decode(data) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_the_beginning_of_a_file_tells_its_encoding(encoding: str) -> None:
    """What a long file is written in is known from its head, wherever that ends: in the middle of a letter, too."""
    data = ("der größte Fehler: keine Äpfel\n" * 200).encode(encoding)

    for end in (4_001, 4_002, 4_003, 4_004):
        found = encoding_of(data[:end])

        assert found is not None
        assert data[found[1] :].decode(found[0]) == decode(data)


def test_a_head_in_ascii_counts_as_utf8() -> None:
    """Half a letter at its end makes it nothing else."""
    assert encoding_of(b"all is well" * 100 + "ö".encode()[:1]) == ("utf-8", 0)


def test_the_head_of_a_picture_has_no_encoding() -> None:
    """What is no text is known as early."""
    assert encoding_of(b"\x89PNG\r\n\x1a\n\0\0") is None
    assert encoding_of(bytes(range(1, 32)) * 10) is None
