"""What can be wrong with the place where things are kept."""

from pathlib import Path

from bot.errors import BotError


class StoreError(BotError):
    """The store cannot do what was asked; the kinds below tell what a person can do about it."""


class StoreCorrupted(StoreError):
    """The file is no database, or its pages contradict each other."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged or is no database: move it away and import the records again, or restore a backup"
        )
        self.path = path


class StoreLocked(StoreError):
    """Another process held the database for longer than we wait."""

    def __init__(self, path: Path, waited_seconds: float) -> None:
        super().__init__(
            f"{path} is in use by another process and was not released within {waited_seconds:g} seconds: "
            "wait for that process to end, then try again"
        )
        self.path, self.waited_seconds = path, waited_seconds


class StoreTooNew(StoreError):
    """A newer version of this program has written the database."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer Errata (schema {found}, this one knows {known}): "
            "install the newer Errata, or set ERRATA_DATA_DIR to another folder"
        )
        self.path, self.found, self.known = path, found, known


class StoreForeign(StoreError):
    """The database belongs to some other program."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is the database of another program: set ERRATA_DATA_DIR to a folder of Errata's own")
        self.path = path


class StoreUnreachable(StoreError):
    """The file cannot be opened, read or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be used: {why}")
        self.path, self.why = path, why


class DuplicateRecord(StoreError):
    """One batch holds two entries of one id."""

    def __init__(self, record_id: str, source: str) -> None:
        super().__init__(f"{source}: record {record_id} is there twice")
        self.record_id, self.source = record_id, source
