"""The catalogue as it is at one moment, read from a worker thread."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from bot.records import decode
from bot.records.entry import Entry
from bot.store.catalogue import version_of
from bot.store.faults import BUSY_TIMEOUT_SECONDS, in_our_words

_IDS_AT_ONCE: Final = 1_000
_READ_BODIES: Final = "SELECT body_json FROM record_bodies WHERE id IN (SELECT value FROM json_each(?))"
# The one index that holds both.
_READ_FINGERPRINTS: Final = "SELECT id, fingerprint FROM record_facts INDEXED BY record_facts_by_fingerprint"


class EntryReader:
    """Entries, with what tells a changed one; all of them as they were when it was opened. It blocks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        found = connection.execute("SELECT version FROM catalogue").fetchone()  # a snapshot begins with its first row
        self.version = str(found[0]) if found else version_of(())

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator["EntryReader"]:
        """Read the database at this path. Raises a StoreError when it cannot be read."""
        read_only = f"{path.absolute().as_uri()}?mode=ro"
        with in_our_words(path), closing(sqlite3.connect(read_only, BUSY_TIMEOUT_SECONDS, uri=True)) as connection:
            connection.execute("BEGIN")
            yield cls(connection)

    def fingerprints(self) -> Mapping[str, str]:
        """Of every entry, by id: 16 hex digits that differ when anything in the entry does."""
        return dict(self._connection.execute(_READ_FINGERPRINTS))

    def entries(self, ids: Collection[str]) -> Iterator[Entry]:
        """The entries of these ids, in any order."""
        wanted = sorted(ids)
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            batch = json.dumps(wanted[start : start + _IDS_AT_ONCE])
            for (body,) in self._connection.execute(_READ_BODIES, (batch,)):
                yield decode.decode_entry(json.loads(body), "the store")
