"""Where the log of a command goes: into a file, since the terminal belongs to the answer."""

import io
from pathlib import Path
from typing import TextIO

FILE_NAME = "errata.log"
# One older file is kept beside it, so that both together stay below 10 MB.
_LARGEST_BYTES = 5_000_000


class LogFile(io.TextIOBase):
    """Appends to a file that is opened by the first line, so that a command with nothing to log leaves none.

    A file too large is moved to `errata.log.1` first. Where it cannot be written, `fallback` gets the lines.
    """

    def __init__(self, path: Path, fallback: TextIO) -> None:
        self.path = path
        self._fallback = fallback
        self._file: TextIO | None = None

    def write(self, text: str) -> int:
        if self._file is None:
            self._file = self._opened()
        return self._file.write(text)

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file not in {None, self._fallback}:
            assert self._file is not None
            self._file.close()
        self._file = None

    def _opened(self) -> TextIO:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > _LARGEST_BYTES:
                self.path.replace(self.path.with_name(f"{FILE_NAME}.1"))
            return self.path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError:
            return self._fallback
