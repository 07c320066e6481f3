"""Which files are worth opening, told by their names and by what Discord says of them."""

from pathlib import PurePosixPath

MESSAGE_FILE = "message.txt"  # what Discord's client calls a message that was too long
_LOG_ENDINGS = frozenset({".txt", ".log"})
# Text files that lie in every repository and are no output of any program.
_NO_OUTPUT = frozenset({"readme", "license", "licence", "copying", "changelog", "requirements", "robots", "notes"})
# What servers call text they know nothing of; images, archives and pages say so.
_TEXT_TYPES = ("text/", "application/octet-stream", "application/json", "application/x-ndjson", "application/x-log")


def is_message_file(name: str) -> bool:
    """Whether Discord's client made this file of a long message."""
    return name.lower() == MESSAGE_FILE


def looks_like_log(name: str) -> bool:
    """Whether a file may be opened unasked: a `.txt` or `.log` whose name is not that of a document."""
    path = PurePosixPath(name.lower())
    return path.suffix in _LOG_ENDINGS and path.stem not in _NO_OUTPUT


def is_readable(name: str, content_type: str | None) -> bool:
    """Whether a file can be read when somebody asks: a log, or whatever Discord calls text."""
    kind = (content_type or "").lower()
    if kind.startswith(("image/", "audio/", "video/", "font/")):
        return False
    return PurePosixPath(name.lower()).suffix in _LOG_ENDINGS or kind.startswith("text/") or "charset" in kind


def may_be_text(content_type: str | None) -> bool:
    """Whether what a server calls its answer can be a log; nothing said is nothing wrong."""
    return not content_type or content_type.lower().startswith(_TEXT_TYPES)
