"""SQLite's errors in our words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.errors import StoreCorrupted, StoreLocked, StoreUnreachable

# Longer than the longest write we know (replacing 153,000 records, about five seconds here), shorter than patience.
BUSY_TIMEOUT_SECONDS = 30.0

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNREACHABLE = {
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the folder exists and may be written to",
    sqlite3.SQLITE_READONLY: "it may not be written to; check its permissions and its owner",
    sqlite3.SQLITE_PERM: "access was refused; check its permissions and its owner",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
}


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection holds what this one needs."""
    return _primary_code(error) in _BUSY


@contextmanager
def in_our_words(path: Path) -> Iterator[None]:
    """Turn what can go wrong with the file into a StoreError; mistakes in our SQL stay what they are."""
    try:
        yield
    except sqlite3.Error as error:
        code = _primary_code(error)
        if code in _BUSY:
            raise StoreLocked(path, BUSY_TIMEOUT_SECONDS) from error
        if code in _DAMAGED:
            raise StoreCorrupted(path) from error
        if code in _UNREACHABLE:
            raise StoreUnreachable(path, _UNREACHABLE[code]) from error
        raise


@contextmanager
def reaching(path: Path) -> Iterator[None]:
    """Turn what can go wrong on the way to the file into a StoreUnreachable."""
    try:
        yield
    except PermissionError as error:
        raise StoreUnreachable(path, _UNREACHABLE[sqlite3.SQLITE_PERM]) from error
    except (NotADirectoryError, FileExistsError) as error:
        raise StoreUnreachable(path, "its folder is a file") from error
    except OSError as error:
        raise StoreUnreachable(path, error.strerror or type(error).__name__) from error


def _primary_code(error: sqlite3.Error) -> int:
    # The low byte is the kind, the rest tells it apart further. Errors of the Python module itself have no code.
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
