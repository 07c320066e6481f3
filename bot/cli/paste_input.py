"""What was given on the command line as a paste."""

import io
import itertools
import mmap
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from bot.cli import picture_input
from bot.cli.picture_input import paste_of_picture
from bot.errors import BotError
from bot.pastes.archives import Limits, renamed, unpack
from bot.pastes.decoding import encoding_of
from bot.pastes.excerpts import excerpt
from bot.pastes.file_kinds import FileKind, kind_of
from bot.pastes.line_stream import HEAD_BYTES, lines_of
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart
from bot.pastes.unpacking import CannotUnpack, pieces_of

# A text up to this is read whole; of a longer one an excerpt is made, which says the same in a second.
LARGEST_WHOLE = 4 * 2**20
# An archive of many files is unpacked in memory, and so is what is packed and comes through a pipe.
LARGEST_PACKED = 32 * 2**20
_PIECE_BYTES = 2**18
_SLICE_LINES = 10_000
_STREAMS = frozenset({FileKind.GZIP, FileKind.XZ, FileKind.ZSTD})
_STANDARD_INPUT = "standard input"


class UnreadableFile(BotError):
    """A file was named that cannot be read."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} cannot be read: {why}")
        self.path, self.why = path, why


def paste_of_argument(argument: str) -> Paste:
    """The paste in the file of this name, or, where there is none, the argument itself.

    Raises UnreadableFile for a folder, and for a file that may not be read.
    """
    if os.path.isdir(argument):  # noqa: PTH112  # Path.is_dir raises for a text too long to be a path
        raise UnreadableFile(argument, "it is a folder")
    if not os.path.isfile(argument):  # noqa: PTH113  # see above
        return Paste.of_text(argument)
    try:
        with Path(argument).open("rb") as file:
            return paste_of_stream(file, Path(argument).name)
    except OSError as error:
        raise UnreadableFile(argument, error.strerror or str(error)) from error


def paste_of_stream(stream: BinaryIO, name: str | None = None) -> Paste:
    """The paste in a stream, read to its end and unpacked; what is no text is a part that was skipped.

    Of a text longer than LARGEST_WHOLE there is an excerpt, whatever its length: memory stays the same.
    name: that of the file; None for standard input, whose text counts as the message.
    """
    called = name or _STANDARD_INPUT
    head = stream.read(LARGEST_WHOLE + 1)
    kind = kind_of(head)
    if kind is FileKind.PICTURE:
        return paste_of_picture(head + stream.read(picture_input.LARGEST_BYTES), called)
    if kind is FileKind.PLAIN and len(head) > LARGEST_WHOLE:
        return _excerpt_of(itertools.chain(_rest(io.BytesIO(head)), _rest(stream)), head, called, name)
    if len(head) <= LARGEST_WHOLE:
        return _packed(head, kind, called, name)
    if kind in _STREAMS and (mapped := _mapped(stream)) is not None:
        return _unpacked_stream(mapped, kind, called, name)
    data = head + stream.read(LARGEST_PACKED + 1 - len(head))
    if len(data) > LARGEST_PACKED:
        return Paste((), skipped=(SkippedPart(called, Skipped.TOO_BIG),))
    return _packed(data, kind, called, name)


def _packed(data: bytes, kind: FileKind, called: str, name: str | None) -> Paste:
    """What is in memory already, packed or not."""
    found = renamed(unpack(data, called, Limits(most_bytes=LARGEST_PACKED)), called, name)
    if kind in _STREAMS and found.skipped == (SkippedPart(called, Skipped.TOO_BIG),):
        return _unpacked_stream(data, kind, called, name)
    parts = tuple(_shortened(part) for part in found.parts)
    return Paste(parts, skipped=found.skipped)


def _shortened(part: Part) -> Part:
    if len(part.text) <= LARGEST_WHOLE:
        return part
    lines = part.text.splitlines()
    found = excerpt(lines[at : at + _SLICE_LINES] for at in range(0, len(lines), _SLICE_LINES))
    return Part(found.text, part.name, numbers=found.numbers)


def _unpacked_stream(data: "bytes | mmap.mmap", kind: FileKind, called: str, name: str | None) -> Paste:
    """A text that is packed and long, unpacked piece by piece."""
    pieces = _not_a_bomb(pieces_of(data, kind), len(data))
    head = b""
    try:
        for piece in pieces:
            head += piece
            if len(head) >= HEAD_BYTES:
                break
        if kind_of(head) is not FileKind.PLAIN:
            return Paste((), skipped=(SkippedPart(called, Skipped.NESTED),))
        return _excerpt_of(itertools.chain([head], pieces), head, called, name)
    except CannotUnpack as error:
        return Paste((), skipped=(SkippedPart(called, error.why),))


def _excerpt_of(pieces: Iterable[bytes], head: bytes, called: str, name: str | None) -> Paste:
    encoding = encoding_of(head[:HEAD_BYTES])
    if encoding is None:
        return Paste((), skipped=(SkippedPart(called, Skipped.BINARY),))
    found = excerpt(lines_of(pieces, *encoding))
    if not found.text.strip():
        return Paste((), skipped=(SkippedPart(called, Skipped.EMPTY),))
    return Paste((Part(found.text, name, numbers=found.numbers),))


def _not_a_bomb(pieces: Iterator[bytes], packed_bytes: int) -> Iterator[bytes]:
    """The same pieces; raises CannotUnpack where they grow to more than any log does."""
    limits = Limits()
    left = max(limits.ratio_from, packed_bytes * limits.greatest_ratio)
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise CannotUnpack(Skipped.BOMB)
        yield piece


def _rest(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(_PIECE_BYTES):
        yield piece


def _mapped(stream: BinaryIO) -> mmap.mmap | None:
    """A file as if it were in memory, of which only what is looked at is; None for a pipe."""
    try:
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
