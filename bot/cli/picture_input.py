"""A screenshot on the command line as a paste."""

from bot.errors import BotError
from bot.pastes.paste import Paste, Skipped, SkippedPart

# Larger files are not screenshots.
LARGEST_BYTES = 32 * 2**20


class PicturesNotRead(BotError):
    """A picture was given, and what reads pictures is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is a picture; to read it install the extra: pip install 'errata-bot[ocr]'")
        self.name = name


def paste_of_picture(data: bytes, name: str) -> Paste:
    """The paste in a picture file; takes seconds.

    Raises PicturesNotRead where the extra for pictures is not installed.
    """
    from bot.sources.pictures import can_read_pictures, read_one  # noqa: PLC0415  # see bot.cli.main

    if len(data) > LARGEST_BYTES:
        return Paste((), skipped=(SkippedPart(name, Skipped.TOO_BIG),))
    if not can_read_pictures():
        raise PicturesNotRead(name)
    found = read_one(data, name)
    return Paste(found.parts, skipped=found.skipped)
