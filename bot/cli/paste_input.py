"""What was given on the command line as a paste."""

import os
from pathlib import Path
from typing import BinaryIO

from bot.errors import BotError
from bot.pastes.archives import Limits, renamed, unpack
from bot.pastes.paste import Paste, Skipped, SkippedPart

# Whole logs are welcome on a terminal; what is larger is no paste, and reading it would take minutes.
LARGEST_BYTES = 32 * 2**20
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
    """The paste in a stream, read to its end and unpacked; what is no text, or too long, is a part that was skipped.

    name: that of the file; None for standard input, whose text counts as the message.
    """
    called = name or _STANDARD_INPUT
    data = stream.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        return Paste((), skipped=(SkippedPart(called, Skipped.TOO_BIG),))
    found = renamed(unpack(data, called, Limits(most_bytes=LARGEST_BYTES)), called, name)
    return Paste(found.parts, skipped=found.skipped)
