"""One line of a Python traceback: the file, the line, the function, and the package it was installed from."""

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Frame


def frame_of(text: str) -> Frame | None:
    """The frame in a line such as `File "app/main.py", line 3, in run`; None where it is none."""
    if not text.startswith("File "):
        return None
    found = _FRAME.match(text[:_LONGEST])
    if found is None:
        return None
    file = found.group(1) or found.group(2)
    installed = _PACKAGE.search(file)
    return Frame(
        file,
        int(found.group(3)),
        found.group(4) or None,
        installed.group(1) if installed else None,
    )


_LONGEST = 2_000
_FRAME = Expression(r"File (?:\"([^\"]{1,1000})\"|'([^']{1,1000})'), line (\d{1,9})(?:, in (.{1,300}))?$")
_PACKAGE = Expression(r"(?:site|dist)-packages[/\\](\w[\w.-]{0,80})")
