"""Secrets and personal data taken out of text before anything is quoted, kept or logged.

Every detector is a regex of a linear-time engine; all are tried in one walk, so that what one has replaced is never
cut into by another.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from bot.pastes.detectors import DETECTORS, Seen


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of thing that was found, and how often. What it was is forgotten at once.

    `credential` tells that somebody could log in with it, so that its owner should revoke it.
    """

    kind: str
    count: int
    credential: bool


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with `[kind]` in the place of each finding; `findings` are named once a kind."""

    text: str
    findings: tuple[Finding, ...]


def redact(text: str) -> Redacted:
    """Return the text without what nobody else should read.

    Redacting twice is redacting once. Time is linear in the text; nothing is kept of what was found.
    """
    found: Counter[str] = Counter()
    data = text.encode(errors="surrogatepass")
    data = _replaced(data, _key_blocks(data), found)
    for _ in range(_WALKS):
        before = data
        data = _replaced(data, _spans(data), found)
        if data is before:
            break
    credentials = {detector.kind for detector in DETECTORS if detector.credential} | {_KEY_KIND}
    findings = tuple(Finding(kind, count, kind in credentials) for kind, count in found.items())
    return Redacted(data.decode(errors="surrogatepass"), findings)


def _replaced(data: bytes, spans: Iterator[tuple[str, int, int]], found: Counter[str]) -> bytes:
    pieces: list[bytes] = []
    done = 0
    for kind, start, end in spans:
        found[kind] += 1
        pieces += [data[done:start], f"[{kind}]".encode()]
        done = end
    return b"".join([*pieces, data[done:]]) if pieces else data


def _spans(data: bytes) -> Iterator[tuple[str, int, int]]:
    """What all detectors find, in order, without overlap."""
    position = 0
    # What stands before a finding is judged as it will stand there, so that one walk does for a row of findings.
    replaced, done = b"", 0
    while match := _ALL.search(data, position):
        # Three groups a detector, after the one for our own placeholders.
        group = match.lastindex
        if group is None or group == 1:
            position = match.end()
            continue
        index = (group - 2) // 3
        detector = DETECTORS[index]
        start, end = match.span(2 + 3 * index + 1)
        seen_from = max(0, match.start() - _BEFORE)
        before = data[max(done, seen_from) : start]
        if seen_from < done:
            before = (replaced + before)[seen_from - start :]
        if detector.spares and detector.spares(_seen(before, data[start:end], data[end : end + _BEHIND])):
            # What stands behind "token=" may hold a key of its own even when it is code.
            position = start if start > match.start() else match.end()
        else:
            yield detector.kind, start, end
            replaced = (replaced + data[max(done, start - _BEFORE) : start] + f"[{detector.kind}]".encode())[-_BEFORE:]
            done = end
            position = match.end()


def _seen(before: bytes, secret: bytes, behind: bytes) -> Seen:
    def text(piece: bytes) -> str:
        return piece.decode(errors="replace")

    return Seen(text(secret), text(before), text(behind))


def _key_blocks(data: bytes) -> Iterator[tuple[str, int, int]]:
    """PEM and PGP private keys: from their first line to their last, or, cut off, to the end of what looks like one.

    Each last line is looked for once; a lazy regex would look again from every first line, which is quadratic.
    """
    position = 0
    end = _KEY_END.search(data)
    while begin := _KEY_BEGIN.search(data, position):
        if end and end.start() < begin.end():
            end = _KEY_END.search(data, begin.end())
        if end and end.start() - begin.end() <= _KEY_BYTES:
            position = end.end()
        else:
            body = _KEY_BODY.match(data, begin.end())
            position = body.end() if body else begin.end()
        yield _KEY_KIND, begin.start(), position


# A placeholder can be the word boundary that a secret next to it lacked, so what was changed is walked again. Text from
# life needs two walks; the bound keeps made-up text linear.
_WALKS = 8
# So many bytes around a finding tell a secret from what only looks like one.
_BEFORE, _BEHIND = 16, 8
# Keys of 16384 bits need 13 kB; two markers further apart do not belong together.
_KEY_BYTES = 16_384
_KEY_KIND = "private key"
_KEY_BEGIN = re2.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re2.compile(rb"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
# Lines of base64, also with their line ends escaped, quoted or in a diff.
_KEY_BODY = re2.compile(rb"(?:[\s>+|]*(?:\\[rn])*[A-Za-z0-9+/=]{16,})*")


def _options() -> object:
    options = re2.Options()
    options.max_mem = 64 << 20  # the automaton of all detectors needs more than the default 8 MiB
    options.log_errors = False
    return options


_ALL = re2.compile(
    "|".join(
        [
            r"(\[(?:" + "|".join(sorted({detector.kind for detector in DETECTORS} | {_KEY_KIND})) + r")\])",
            *(f"({detector.before})({detector.secret})({detector.after})" for detector in DETECTORS),
        ]
    ).encode(),
    _options(),
)
