"""What the author of a deleted message gets back: its texts, without what nobody else should read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.answers.answer import CodeFile
from bot.answers.cleaning import clean_line
from bot.answers.cutting import cut, length
from bot.cogs.replies import Shown
from bot.pastes.redaction import redact

# Beside a warning of 1,900 characters, out of the 4,000 a message of Discord's has for all its texts.
INLINE_LENGTH = 1500
# Discord takes ten files of ten MiB each, 25 MiB in one request; what a bot holds in memory has to be less.
MOST_FILES = 10
MOST_BYTES = 8 * 2**20
_MESSAGE_FILE = "message.txt"
_NAME_LENGTH = 60
_READABLE = (".txt", ".log")


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A message's texts, redacted. `text` is short enough to be shown, "" where it is among the files or there is none.

    `files` are those of the message, under their names, at most ten and 8 MiB; `left_out` counts the others. `note` is
    what is said about all that.
    """

    text: str
    files: tuple[CodeFile, ...]
    left_out: int = 0
    note: str = ""


def given_back(shown: Sequence[Shown]) -> GivenBack:
    """Return the texts of one message, redacted. Time is linear in the texts."""
    text = redact("\n".join(one.text for one in shown if one.name is None)).text
    wanted = [(one.name, redact(one.text).text.encode(errors="replace")) for one in shown if one.name is not None]
    # A fence around it is broken by another within, and what has one is a file, which is copied as it is.
    if length(text) > INLINE_LENGTH or "```" in text:
        wanted.insert(0, (_MESSAGE_FILE, text.encode(errors="replace")))
        text = ""
    files: list[CodeFile] = []
    room = MOST_BYTES
    for name, data in wanted:
        if len(files) < MOST_FILES and len(data) <= room:
            files.append(CodeFile(_name(name, {file.name for file in files}), data))
            room -= len(data)
    return GivenBack(text, tuple(files), len(wanted) - len(files))


def _name(name: str, taken: set[str]) -> str:
    """A name for a file, from that of an attachment or of a member of an archive; no other file has it."""
    plain = redact(clean_line(name)).text.rsplit("/", 1)[-1]
    safe = re.sub(r"[^\w.-]+", "_", plain, flags=re.ASCII).strip("._") or "file"
    stem, ending = (safe[:-4], safe[-4:].lower()) if safe.lower().endswith(_READABLE) else (safe, ".txt")
    stem = cut(stem, _NAME_LENGTH).rstrip("…") or "file"
    number, found = 1, f"{stem}{ending}"
    while found in taken:
        number += 1
        found = f"{stem}-{number}{ending}"
    return found
