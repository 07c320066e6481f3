"""What of the catalogue an index holds: the texts under which an entry can be found."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bot.records.entry import Entry
from bot.records.template import Literal, parse_template
from bot.store.entry_reader import EntryReader
from embeddings.passage import Facet, Passage


def passages_of(entry: Entry) -> Iterator[Passage]:
    """The three texts of an entry under which it can be found.

    The message goes without its placeholders: no paste holds them, and a message that keeps them is never covered.
    Whoever changes this raises `embeddings.manifest.FORMAT_VERSION`: an index of an unchanged catalogue is not built
    again otherwise.
    """
    words = " ".join(piece.text.strip() for piece in parse_template(entry.error_message) if isinstance(piece, Literal))
    yield Passage(entry.id, Facet.MESSAGE, words.strip() or entry.error_message)
    yield Passage(entry.id, Facet.MEANING, entry.documentation)
    triggers = " ".join(text for text in (entry.trigger_scenarios, entry.common_situations) if text)
    yield Passage(entry.id, Facet.TRIGGER, triggers)


class StoredPassages:
    """The passages of the stored entries, as they are at one moment. It blocks, so it is for a thread."""

    def __init__(self, entries: EntryReader) -> None:
        self._entries = entries

    @classmethod
    @contextmanager
    def open(cls, database: Path) -> Iterator["StoredPassages"]:
        """Read the database at this path. Raises a StoreError when it cannot be read."""
        with EntryReader.open(database) as entries:
            yield cls(entries)

    @property
    def version(self) -> str:
        """The catalogue's version."""
        return self._entries.version

    def keys(self) -> Mapping[str, int]:
        """Passages are made from an entry alone, so they are what they were as long as its fingerprint is."""
        return {id_: int(fingerprint, 16) for id_, fingerprint in self._entries.fingerprints().items()}

    def passages(self, record_ids: Collection[str]) -> Iterator[Passage]:
        """All passages of these entries."""
        return (passage for entry in self._entries.entries(record_ids) for passage in passages_of(entry))
