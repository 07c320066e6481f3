"""Where a fuzzer begins: what tools really print, packed and encoded as people send it. Made anew for each run."""

import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import zstandard

from bot.records.template import derive_pattern
from tests.fuzzing.laws import TOKENS
from tests.pastes.packing import overlapping_zip, with_flag, with_method, with_size, zipped
from tests.shared_data import REPOSITORY

_SEEDS = REPOSITORY / "seeds"
_NAMES = (
    "password",
    "api_key=",
    "token:",
    "secret",
    '"secret": "',
    "--token ",
    "Cookie: sid=",
    "Set-Cookie:",
    "Bearer ",
)
_MARKS = ("-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----", "[secret]", "[email]", "[ip]", "[user]")
_PLACES = (
    "/home/",
    "C:\\Users\\",
    "\\\\home\\\\",
    "://",
    "@db",
    "203.0.113.7",
    "2001:db8::8a2e",
    "eyJhbGci",
    "a@b.example",
)


# What detectors look for.
DETECTED = (*_NAMES, *_MARKS, *_PLACES)


def samples() -> list[bytes]:
    """The texts the readers are tested with."""
    return [path.read_bytes() for path in sorted((REPOSITORY / "tests" / "samples").glob("*/*.txt"))]


def redaction_seeds() -> list[bytes]:
    """Each token among the words detectors look for, and every third sample with a token in it."""
    heads = [bytes([kind, 128]) for kind in range(len(TOKENS))]
    words = [f"x {name} {mark} {place} y".encode() for name in _NAMES for mark in _MARKS for place in _PLACES[:3]]
    words += [f"{place}{name}={mark}".encode() for place in _PLACES for name in _NAMES for mark in _MARKS[:2]]
    texts = [*words, *samples()[::3]]
    return [heads[number % len(heads)] + text for number, text in enumerate(texts)]


def decompression_seeds() -> list[bytes]:
    """Archives of every form, with and without a fault, and texts to be packed by the law itself."""
    logs = samples()[::40]
    packed: list[bytes] = []
    for log in logs:
        members = zipped({"a.log": log, "deep/b.gz": gzip.compress(log), "c.txt": b"# Title\n\nSome words.\n"})
        packed += [gzip.compress(log), lzma.compress(log), zstandard.ZstdCompressor().compress(log), members]
        packed += [with_flag(members, 1), with_size(members, 2**31), with_method(members, 12)]
        packed += [gzip.compress(gzip.compress(log)), gzip.compress(log) * 3, b"\x50\x2a\x4d\x18\4\0\0\0abcd"]
    packed += [overlapping_zip(logs[0], 30), gzip.compress(b"\0" * 100_000), zipped({"../x": b"y", "/z": b"y"})]
    plain = [bytes([how]) + log for log in logs for how in (0x40, 0x41, 0x42, 0x43, 0x80, 0x87, 0x8D)]
    return [b"\0" + one for one in packed] + plain


def decoding_seeds() -> list[bytes]:
    """Texts of several scripts in every encoding the decoder knows, and some it does not."""
    text = "ERROR: не удалось открыть шлюз: 超时 – naïve café\r\n\tat main(A.java:3)\n"
    encodings = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "gb18030", "cp1251")
    return [text.encode(encoding, "ignore") for encoding in encodings] + [
        "naïve café".encode("cp1252"),
        *samples()[::60],
    ]


def page_seeds() -> list[bytes]:
    """The pages that ship."""
    return [path.read_bytes() for path in sorted(_SEEDS.glob("*.txt"))]


def document_seeds() -> list[bytes]:
    """One record, alone, in an array, by the line and as the API wraps it; and JSON at the limits of what is taken."""
    message = "silo {name} ran dry"
    record = {
        "id": "0123456789abcdef",
        "schemaVersion": 2,
        "repo": "siloworks/granary",
        "slug": "silo-ran-dry",
        "errorCode": "E17",
        "errorMessage": message,
        "messagePattern": derive_pattern(message),
        "errorType": "exception",
        "errorClass": "SiloError",
        "httpStatus": 500,
        "filePath": "src/silo.py",
        "lineNumber": 17,
        "severity": "error",
        "githubUrl": "https://github.com/siloworks/granary/blob/0123456789abcdef0123456789abcdef01234567/src/silo.py#L17",
        "documentation": "A silo was empty.",
        "triggerScenarios": "",
        "commonSituations": "",
        "solutions": ["Fill it."],
        "preventionTips": [],
        "tags": ["silo"],
        "analyzedSha": "0123456789abcdef0123456789abcdef01234567",
        "analyzedAt": "2026-09-01T00:00:00Z",
    }
    forms = (
        record,
        [record, {**record, "errorMessage": ""}],
        {"record": record, "datasetVersion": "2026-09-01T00:00:00Z"},
    )
    odd = (b"[" * 70 + b"]" * 70, b'{"a":1,"a":2}', b'["\\ud800"]', b"1" * 30, b"[1e999, NaN]", b"\xef\xbb\xbf{}")
    return [json.dumps(form).encode() for form in forms] + list(odd)


def words_of(seeds: list[bytes], most: int = 400) -> list[bytes]:
    """The most frequent words that begin lines or stand before a colon: what readers tell formats by."""
    counts: Counter[bytes] = Counter()
    for seed in seeds:
        for line in seed.splitlines():
            counts.update(found[0] for found in re.finditer(rb"^\s*[^\s:]{2,30}[ :]?|[\w.]{3,30}: ", line))
    return [word for word, _ in counts.most_common(most)]


def write_corpus(seeds: list[bytes], folder: Path) -> None:
    """One file a seed."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (folder / f"seed-{number:04}").write_bytes(seed)


def write_dictionary(words: Iterable[bytes], path: Path) -> None:
    """One quoted word a line, each byte of it as two hexadecimal digits: the form libFuzzer reads."""
    path.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in words), "ascii")
