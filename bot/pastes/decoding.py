"""Bytes of a log as text, whatever wrote them."""

import codecs
import re

# The longer marks first: that of UTF-32 LE begins with that of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 4096
# In UTF-16, every second byte of Latin text is zero; in a binary file zeros stand anywhere.
_ZEROS_OF_UTF16 = 0.4
# ESC, BEL, BS, FF and VT stand in terminal output, too; above this share of others it is no text.
_UNPRINTABLE = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_UNPRINTABLE = 0.1
_MOST_BROKEN = 0.02
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF", b"BM6", b"RIFF")


def decode(data: bytes) -> str | None:
    """Return the text of a file, None where it is no text but a picture, a program or the like. Never raises.

    Understood are UTF-8, UTF-16 and UTF-32 with their marks, UTF-16 without one, and Windows' Latin-1. Bytes that fit
    nothing become U+FFFD. Time is linear.
    """
    found = _told_by_head(data)
    if found is None:
        return None
    encoding, mark = found
    if encoding is not None:
        return data[mark:].decode(encoding, "replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode(_of_mixed(data), "replace")


def encoding_of(head: bytes) -> tuple[str, int] | None:
    """Return the encoding of a file of which this is the beginning, and the length of its mark; None for no text.

    What `decode` would find out only further on is not known: a file that begins in plain ASCII counts as UTF-8.
    """
    found = _told_by_head(head)
    if found is None:
        return None
    encoding, mark = found
    if encoding is not None:
        return encoding, mark
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a letter cut in two at the end breaks nothing
    except UnicodeDecodeError:
        return _of_mixed(head), mark
    return "utf-8", mark


def _told_by_head(data: bytes) -> tuple[str | None, int] | None:
    """The encoding and the length of its mark; no encoding where it is UTF-8 or Latin-1. None where it is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    if data.startswith(_SIGNATURES):
        return None
    sample = data[:_SAMPLE_BYTES]
    if encoding_without_mark := _utf16(sample):
        return encoding_without_mark, 0
    if len(_UNPRINTABLE.findall(sample)) > _MOST_UNPRINTABLE * len(sample):
        return None
    return None, 0


def _utf16(sample: bytes) -> str | None:
    """The byte order of UTF-16 without a mark, known by where the zeros are."""
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    even, odd = sample[: 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if odd > _ZEROS_OF_UTF16 * pairs and even <= odd // 10:
        return "utf-16-le"
    if even > _ZEROS_OF_UTF16 * pairs and odd <= even // 10:
        return "utf-16-be"
    return None


def _of_mixed(data: bytes) -> str:
    """A few broken bytes in UTF-8 are replaced; where most letters beyond ASCII are broken it is Latin-1."""
    as_utf8 = data.decode(errors="replace")
    broken = as_utf8.count("\ufffd")
    intact = sum(1 for character in as_utf8 if character > "\x7f") - broken
    if broken <= _MOST_BROKEN * len(as_utf8) and intact >= broken:
        return "utf-8"
    # "replace" for the five bytes Windows-1252 has no letter for
    return "cp1252"
