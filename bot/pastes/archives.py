"""The texts of a file that somebody attached, also of a packed one, within limits that no bomb can pass.

What a file is is told by its bytes. Nothing is written anywhere: the names of members are words to show, no paths.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.pastes.decoding import decode
from bot.pastes.file_kinds import FileKind, kind_of
from bot.pastes.log_likeness import reads_like_output
from bot.pastes.paste import Part, Skipped, SkippedPart
from bot.pastes.unpacking import PIECE_BYTES, CannotUnpack, opened_zip, pieces_of, pieces_of_member

MEBIBYTE = 2**20
_STREAMS = frozenset({FileKind.GZIP, FileKind.XZ, FileKind.ZSTD})
# So much tells a text from a program; the rest of a program is not worth unpacking.
_HEAD_BYTES = 4096
_LEADS_OUT = re.compile(r"(?:^|/)\.\.(?:/|$)|^/|^[A-Za-z]:|[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may unpack to.

    most_bytes: all that comes out of it together, what was thrown away included.
    greatest_ratio: how many times its own size, once more than `ratio_from` bytes came out; below, a ratio says
    nothing. Logs pack to a twentieth, very repetitive ones to a hundredth.
    most_members, most_listed: the members of a zip that are looked at, and those it may have at all.
    nesting: how many archives may lie inside each other beside the outermost.
    """

    most_bytes: int = 32 * MEBIBYTE
    greatest_ratio: int = 250
    ratio_from: int = 4 * MEBIBYTE
    most_members: int = 64
    most_listed: int = 10_000
    nesting: int = 1


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The texts of a file, in its own order, and what of it was not read. One of them holds at least one."""

    parts: tuple[Part, ...] = ()
    skipped: tuple[SkippedPart, ...] = ()


def unpack(data: bytes, name: str, limits: Limits | None = None) -> Unpacked:
    """Return the text of a file, or those of the logs in it, and what was skipped with its reason. Never raises.

    A member's name is `name/its/path`. Of several texts in a zip those that read like a program's output are kept, the
    only one always. Memory grows by at most six times `most_bytes`: text may need four times its bytes. Time is linear
    in what goes in and what may come out.
    """
    limits = limits or Limits()
    return _read(data, name, _Budget(limits, len(data)), depth=0)


class _Budget:
    """Counts all that comes out of one attached file."""

    def __init__(self, limits: Limits, packed_bytes: int) -> None:
        self.limits = limits
        self._given = 0
        self._bomb_from = max(limits.ratio_from, limits.greatest_ratio * packed_bytes)

    @property
    def left(self) -> int:
        return self.limits.most_bytes - self._given

    def spend(self, count: int) -> None:
        """Raises CannotUnpack once too much has come out."""
        self._given += count
        if self._given > self._bomb_from:
            raise CannotUnpack(Skipped.BOMB)
        if self._given > self.limits.most_bytes:
            raise CannotUnpack(Skipped.TOO_BIG)


def _read(data: bytes, name: str, budget: _Budget, *, depth: int) -> Unpacked:
    kind = kind_of(data)
    if why := _refused(kind):
        return _skipped(name, why)
    if kind is FileKind.PLAIN:
        return _text(data, name)
    if depth > budget.limits.nesting:
        return _skipped(name, Skipped.NESTED)
    try:
        if kind is FileKind.ZIP:
            return _zip(data, name, budget, depth=depth)
        inner = _gathered(pieces_of(data, kind), budget)
    except CannotUnpack as error:
        return _skipped(name, error.why)
    del data  # both at once are needed no longer
    return _read(inner, name, budget, depth=depth + 1)


def _zip(data: bytes, name: str, budget: _Budget, *, depth: int) -> Unpacked:
    archive = opened_zip(data, budget.limits.most_listed)
    members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if not members:
        return _skipped(name, Skipped.EMPTY)
    looked_at = members[: budget.limits.most_members]
    found = [_member(archive, member, name, budget, depth=depth) for member in looked_at]
    parts, others = _logs_of([part for one in found for part in one.parts])
    skipped = [skipped for one in found for skipped in one.skipped] + others
    if len(members) > len(looked_at):
        skipped.append(SkippedPart(name, Skipped.TOO_MANY))
    return Unpacked(tuple(parts), tuple(skipped))


def _member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, archive_name: str, budget: _Budget, *, depth: int
) -> Unpacked:
    path = member.orig_filename.replace("\\", "/")
    name = f"{archive_name}/{path.lstrip('/')}"
    if _LEADS_OUT.search(path):
        return _skipped(name, Skipped.UNSAFE_NAME)
    # What says itself that it is too big costs nothing; what lies about it costs the others their room.
    if member.file_size > budget.left:
        return _skipped(name, Skipped.TOO_BIG)
    try:
        content = _gathered(pieces_of_member(archive, member), budget)
    except CannotUnpack as error:
        return _skipped(name, error.why)
    return _read(content, name, budget, depth=depth + 1)


def _gathered(pieces: Iterator[bytes], budget: _Budget) -> bytes:
    """All pieces in one; raises CannotUnpack as soon as they are no text, no archive, or too much."""
    gathered = bytearray()
    is_known = False
    for piece in pieces:
        budget.spend(len(piece))
        gathered += piece
        if not is_known and len(gathered) >= _HEAD_BYTES:
            is_known = True
            head = bytes(gathered[:PIECE_BYTES])
            kind = kind_of(head)
            if why := _refused(kind):
                raise CannotUnpack(why)
            if kind is FileKind.PLAIN and decode(head) is None:
                raise CannotUnpack(Skipped.BINARY)
    return bytes(gathered)


def _logs_of(texts: list[Part]) -> tuple[list[Part], list[SkippedPart]]:
    """Of several texts those that read like a program's output."""
    if len(texts) <= 1:
        return texts, []
    parts: list[Part] = []
    others: list[SkippedPart] = []
    for part in texts:
        if reads_like_output(part.text):
            parts.append(part)
        else:
            others.append(SkippedPart(part.name or "", Skipped.NOT_A_LOG))
    return parts, others


def _text(data: bytes, name: str) -> Unpacked:
    text = decode(data)
    if text is None:
        return _skipped(name, Skipped.BINARY)
    if not text or text.isspace():  # strip would copy the whole of it
        return _skipped(name, Skipped.EMPTY)
    return Unpacked((Part(text, name),))


def _refused(kind: FileKind) -> Skipped | None:
    return {
        FileKind.DUMP: Skipped.DUMP,
        FileKind.FOREIGN: Skipped.UNSUPPORTED,
        FileKind.PICTURE: Skipped.PICTURE,  # one alone is read elsewhere, one in an archive is not
    }.get(kind)


def _skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))


def renamed(unpacked: Unpacked, old: str, new: str | None) -> Unpacked:
    """The same, where the text of the whole file is called something else: None makes it the message."""
    return replace(unpacked, parts=tuple(replace(p, name=new) if p.name == old else p for p in unpacked.parts))
