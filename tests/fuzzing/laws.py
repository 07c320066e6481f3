"""What holds for any bytes at all: one law for each door through which strangers' bytes come in.

A law takes bytes, raises BrokenLaw where it does not hold, and lets through whatever the code under it raises.
"""

import gzip
import json
import lzma
from collections.abc import Callable
from itertools import pairwise

import zstandard

from bot.pastes.archives import Limits, unpack
from bot.pastes.decoding import decode
from bot.pastes.error_signs import error_signs
from bot.pastes.normalise import fold, normalise_line, prefix_length, split_lines, views
from bot.pastes.readers.found import Role
from bot.pastes.readers.reading import read_errors
from bot.pastes.redaction import redact
from bot.records.errors import InvalidRecord
from bot.sources.entries_json import decode_document, documents_in
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json
from bot.sources.page_text import is_page, parse_page
from tests.pastes.packing import one_zipped

# So small that a fuzzer reaches every one of them with a few kilobytes.
SMALL = Limits(most_bytes=60_000, greatest_ratio=20, ratio_from=8_000, most_members=4, most_listed=20, nesting=1)
_A, _B = "a1B2c3D4", "Zz9Yy8Xx"
# Put together here, so that no scanner for leaked keys stops at this file. Words of a sentence are not among them:
# those are a question of degree, and have their own tests.
TOKENS = (
    "gh" + "p_" + _A * 4 + _B,
    "s" + "k-ant-api03-" + _B * 4,
    "AK" + "IA" + "Q7W8E9R0T1Y2U3I4",
    "xo" + "xb-123456789012-" + _A * 3,
    "np" + "m_" + _B * 5,
    "gl" + "pat-" + _A * 3,
    "AI" + "za" + _A * 4 + _B,
    "N" + _A * 3 + "." + "Gx7Yz9" + "." + _B * 4,
    "password=" + _A + _B,
    "postgres://" + "qwxzk:" + _A + _B + "@db:5432/app",
    "Authorization: Bearer " + _A * 4,
)
_PIECE = 8  # so many characters of a secret in a row are a leak
_PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    gzip.compress,
    lzma.compress,
    zstandard.ZstdCompressor().compress,
    one_zipped,
)


class BrokenLaw(AssertionError):
    """Something that holds for any input does not hold for this one."""


def _holds(condition: bool, law: str) -> None:
    if not condition:
        raise BrokenLaw(law)


def text_of(data: bytes) -> str:
    """Any bytes as a text; those that are no UTF-8 become halves of surrogate pairs, as JSON can bring them."""
    return data.decode(errors="surrogateescape")


def readers(data: bytes) -> None:
    """Errors stand in order inside the text and say something; no two readers tell of one line."""
    text = text_of(data)
    errors = read_errors(text)
    count = len(text.splitlines())
    owners: dict[int, str] = {}
    _holds(all(one.span.first <= two.span.first for one, two in pairwise(errors)), "errors are in order")
    _holds(sum(one.role is Role.FINAL for one in errors) <= 1, "at most one error is the final one")
    for one in errors:
        _holds(bool(one.message.strip()), "an error says something")
        _holds(0 <= one.span.first <= one.span.last < count, "a span lies in the text")
        _holds(one.http_status is None or 100 <= one.http_status <= 599, "a status is one of HTTP")
        _holds(all(frame.line is None or frame.line >= 0 for frame in one.frames), "a line number is no less than 0")
        for number in range(one.span.first, one.span.last + 1):
            _holds(owners.setdefault(number, one.reader) == one.reader, "a line has one reader")


def decompression(data: bytes) -> None:
    """A file gives a text or a reason, within the limits; what was packed here comes out as it went in.

    The first byte tells how the rest is packed: not at all, or by one of the packers, or by two.
    """
    if not data:
        return
    how, rest = data[0], data[1:]
    content = rest
    packers = [_PACKERS[bits & 3] for bits in (how, how >> 2)][: how >> 6]
    for pack in packers:
        content = pack(content)
    found = unpack(content, "f", SMALL)
    _holds(bool(found.parts or found.skipped), "something is said of every file")
    _holds(sum(len(part.text) for part in found.parts) <= max(SMALL.most_bytes, len(content)), "the limit on output")
    _holds(len(found.parts) + len(found.skipped) <= (SMALL.most_members + 1) ** 2, "the limit on members")
    _holds(all((part.name or "").startswith("f") for part in found.parts), "a member's name begins with its file's")
    plain = unpack(rest, "f", SMALL)
    if len(packers) == 1 and not found.skipped:
        # what is packed itself may have come out of its own archive
        _holds([part.text for part in found.parts] == [part.text for part in plain.parts], "packing changes nothing")


def decoding(data: bytes) -> None:
    """Bytes are a whole text or none; a text survives every encoding that has a mark."""
    text = decode(data)
    if text is None:
        return
    _holds(len(text) <= len(data), "no text has more characters than bytes")
    text.encode()  # raises where it holds half a surrogate pair
    # the mark of UTF-16 and a zero character are the mark of UTF-32
    for encoding in ("utf-8-sig", "utf-32", *(() if text.startswith("\0") else ("utf-16",))):
        _holds(decode(text.encode(encoding)) == text, f"{encoding} with its mark is understood")


def redaction(data: bytes) -> None:
    """Redacting twice is redacting once; a planted token is found, whatever stands around it.

    The first byte chooses the token, the second where in the rest it stands, in white space of its own.
    """
    if len(data) < 2:
        return
    token = TOKENS[data[0] % len(TOKENS)]
    around = text_of(data[2:])
    once = redact(around).text
    _holds(redact(once).text == once, "redacting twice is redacting once")
    at = len(around) * data[1] // 255
    planted = redact(f"{around[:at]} {token} {around[at:]}")
    secret = token.partition("=")[2] or token.rpartition(" ")[2].partition("@")[0].rpartition(":")[2]
    pieces = [secret[start : start + _PIECE] for start in range(len(secret) - _PIECE + 1)]
    if any(piece in around for piece in pieces):
        return  # it stands there once more, where it may be no secret
    _holds(not any(piece in planted.text for piece in pieces), "a planted token does not survive")
    # as what it is told of is another question: in the middle of `C:\\Users\\…\\` it is taken for part of a name
    _holds(bool(planted.findings), "a planted token is told of")


def spelling(data: bytes) -> None:
    """A line normalised twice is a line normalised once; views lie in the text and keep positions."""
    text = text_of(data)
    lines = split_lines(text)
    for line in lines:
        once = normalise_line(line)
        _holds(normalise_line(once) == once, "normalising twice is normalising once")
        _holds(len(fold(once)) == len(once), "folding keeps every position")
        _holds(0 <= prefix_length(once) <= len(once), "the words begin in the line")
    for view, seen in views(lines):
        for one in seen:
            _holds(len(one.folded) == len(one.cased) >= one.body >= 0, f"{view} keeps every position")
            _holds(0 <= one.first <= one.last < len(lines), f"{view} lies in the text")


def signs(data: bytes) -> None:
    """Every sign stands on a line of the text, and the reason names one of them."""
    lines = split_lines(text_of(data))
    first_view = next(seen for _, seen in views(lines))
    found = error_signs(first_view)
    _holds(all(0 <= number < len(lines) for number in (*found.signs, *found.code_lines)), "a sign lies in the text")
    _holds(found.is_error == found.why.startswith("line "), "the reason names a line where there is an error")


def pages(data: bytes) -> None:
    """A text is a page or is refused with its problems; a page has a message and where it comes from."""
    text = text_of(data)
    is_page(text)
    try:
        page = parse_page(text, "fuzz")
    except InvalidRecord as invalid:
        _holds(bool(invalid.problems) and all(invalid.problems), "a refusal says why")
        return
    _holds(is_page(text) or not text.lstrip("\ufeff")[:1].strip(), "what is read as a page looks like one")
    _holds(bool(page.error_message.strip() and page.id and page.repo), "a page says what it is about")


def documents(data: bytes) -> None:
    """JSON is read or refused with its problems; what was read can be written again, and each record in it is whole."""
    try:
        document = parse_json(data, "fuzz")
    except InvalidSource as invalid:
        _holds(all(line.startswith("fuzz: ") for line in invalid.problems), "a refusal says where and why")
        return
    json.dumps(document, ensure_ascii=False).encode()
    for one, origin in documents_in(document, "fuzz"):
        try:
            entry = decode_document(one, origin)
        except InvalidRecord as invalid:
            _holds(bool(invalid.problems) and all(invalid.problems), "a refusal says why")
        else:
            _holds(bool(entry.id and entry.repo), "a record says what it is about")
