"""One tokeniser, for building the index and for asking it, made for error text.

Error text is identifiers: `DiscordjsErrorCodes` is found by itself and by its parts. What differs between two
prints of one error (numbers, addresses, ids) gives no tokens. A change here is a new TOKENISER_VERSION.
"""

import re
import sys
import unicodedata
from functools import cache, lru_cache
from hashlib import blake2b

TOKENISER_NAME = "error-text"
TOKENISER_VERSION = 2

SHORTEST_STEM = 4  # characters that stay: "string" keeps its "ing", "used" its "ed"
_VOWEL = frozenset("aeiouy")
LONGEST_TOKEN = 64  # characters; longer ones are encoded data, not names

# Words that English error prose is made of. Negations stay: "not found" and "found" differ.
_STOP_WORDS = """a an the of to in on at by for from with as is are was were be been being it its this that these those
    and or if then than so i you we they he she my your our their me us them do does did has have had will would
    can could may might should shall must there here what which who whom when where why how just also very too
    into about over under up down out off again some such own same am"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_INVISIBLE = dict.fromkeys([0x00AD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF])
_APOSTROPHES = {0x2019: "'", 0x2018: "'", 0x02BC: "'"}
_CHUNK = r"{w}+(?:[.:/\\'$-]+{w}+)*"
_ASCII_CHUNK = re.compile(_CHUNK.format(w=r"\w"), re.ASCII)
_PIECES = re.compile(r"[:/\\$-]+")
_WORDS = re.compile(r"[._]+")
# aB | ABc | letter before a digit run stays whole: utf8, e0425, sha256
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:0x[0-9a-f]+|(?=.*\d)[0-9a-f]{6,})", re.IGNORECASE)
# An HTTP status is part of what happened; other numbers (ports, lines, sizes, times) differ from print to print.
_STATUS = re.compile(r"[45]\d\d")
_MEASURE = re.compile(r"[tv]?\d+(?:\.\d+)*(?:ms|us|ns|s|m|h|d|[kmg]i?b?|b|px|x|th|st|nd|rd|t\d+|z)?")
_DIGITS = re.compile(r"\d")
_RANDOM_ID_LENGTH, _RANDOM_ID_DIGITS = 12, 4

# Scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han. Their runs become pairs of characters.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order, repeated as often as they occur; casefolded, of every script.

    English endings are taken off. A compound name gives its parts and itself; a path gives its parts and its last
    member. Numbers other than HTTP statuses, hex digits, UUIDs, random-looking ids and stop words give none.
    4 KB take about 0.2 ms when their words were met before, about 1.2 ms when all are new.
    """
    found: list[str] = []
    for chunk in _chunks(text):
        found += _tokens_of_chunk(chunk)
    return found


def token_hashes(text: str) -> list[int]:
    """`tokens`, each as the 64-bit number under which the index keeps it."""
    found: list[int] = []
    for chunk in _chunks(text):
        found += _hashes_of_chunk(chunk)
    return found


@lru_cache(maxsize=1 << 16)
def token_hash(token: str) -> int:
    """A number from 0 to 2**64-1, the same in every process and on every machine."""
    return int.from_bytes(blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _chunks(text: str) -> list[str]:
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if text.isascii():
        return _ASCII_CHUNK.findall(text)
    text = unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).translate(_APOSTROPHES)
    return _any_script_chunk().findall(text)


@cache
def _any_script_chunk() -> re.Pattern[str]:
    r"""A word of any script: `\w` leaves out combining marks, which are vowels in Devanagari or Thai."""
    marks: list[str] = []
    start = previous = -2
    for code in (c for c in range(0x300, sys.maxunicode) if c < 0x20000 or c >= 0xE0100):  # the planes that have any
        if code > 0xE01EF:
            break
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if code != previous + 1:
            marks.append(f"{chr(start)}-{chr(previous)}" if start >= 0 else "")
            start = code
        previous = code
    marks.append(f"{chr(start)}-{chr(previous)}")
    return re.compile(_CHUNK.format(w=rf"[\w{''.join(marks)}]"))


@lru_cache(maxsize=1 << 17)
def _hashes_of_chunk(chunk: str) -> tuple[int, ...]:
    return tuple(token_hash(token) for token in _tokens_of_chunk(chunk))


# Log lines repeat their words, so most chunks of a paste or a catalogue were split before.
@lru_cache(maxsize=1 << 17)
def _tokens_of_chunk(chunk: str) -> tuple[str, ...]:
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.isupper()):
        return _kept(chunk)
    if _UUID.fullmatch(chunk):
        return ()
    if chunk.endswith(("n't", "N'T")):
        return ("not",)  # isn't, can't, doesn't
    found: list[str] = []
    pieces = [piece for piece in _PIECES.split(chunk) if piece]
    for piece in pieces:
        for part in piece.split("'"):
            found += _tokens_of_name(part)
    if len(pieces) > 1 and not ("/" in chunk or "\\" in chunk):
        found += _kept(chunk)  # std::io::Error, deep-equal; a path differs from machine to machine
    return tuple(found)


def _tokens_of_name(name: str) -> list[str]:
    """A dotted, snake or camel case name: its parts, each identifier in it, and itself."""
    if _MEASURE.fullmatch(name.casefold()):
        return list(_kept(name))  # 3.5GB is one number with its unit
    found: list[str] = []
    words = [word for word in _WORDS.split(name) if word]
    for word in words:
        humps = _CAMEL.split(word)
        for hump in humps:
            found += _pairs(hump) if _UNSPACED.search(hump) else _kept(hump)
        if len(humps) > 1:
            found += _kept(word)
    if len(words) > 1:
        found += _kept(name)
    return found


def _pairs(run: str) -> list[str]:
    """Character pairs of the unspaced runs, and the words between them."""
    found: list[str] = []
    end = 0
    for match in _UNSPACED.finditer(run):
        found += _kept(run[end : match.start()])
        characters = match.group()
        found += [characters[i : i + 2] for i in range(max(1, len(characters) - 1))]
        end = match.end()
    return [*found, *_kept(run[end:])]


def _kept(word: str) -> tuple[str, ...]:
    token = word.casefold().strip("_.'")
    if not token or len(token) > LONGEST_TOKEN or token in STOP_WORDS:
        return ()
    if not token.isascii():
        return () if token.isnumeric() else (token,)
    if token.isalpha():
        return (_stem(token),) if len(token) > 1 else ()
    return (token,) if _says_something(token) else ()


def _stem(word: str) -> str:
    """The word without its English endings, so that "closed", "closing" and "closes" are "close" in other words.

    Stemming a stem changes nothing.
    """
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > SHORTEST_STEM:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")) and len(word) > SHORTEST_STEM:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) >= SHORTEST_STEM:
        return word[:-1]
    ending = next((e for e in ("ing", "ed") if word.endswith(e) and not word.endswith("eed")), "")
    if ending and len(word) - len(ending) >= SHORTEST_STEM and not _VOWEL.isdisjoint(word[: -len(ending)]):
        stem = word[: -len(ending)]
        doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"  # embedded, but not filled, missed, buzzed
        return stem[:-1] if doubled else stem
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST_STEM else word


def _says_something(token: str) -> bool:
    if _MEASURE.fullmatch(token):
        return _STATUS.fullmatch(token) is not None
    digits = len(_DIGITS.findall(token))
    random_looking = digits >= _RANDOM_ID_DIGITS and len(token) >= _RANDOM_ID_LENGTH
    return any(map(str.isalpha, token)) and not random_looking and not (digits and _HEX.fullmatch(token))
