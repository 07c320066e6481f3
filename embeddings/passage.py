"""One text of one record, and the fingerprints by which texts and records are recognised again."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

HASH_BYTES = 16  # 128 bits: among a billion texts the odds of one collision are below 1 in 10**20


class Facet(StrEnum):
    """Which of a record's texts a passage is. The order of the members is the order in which they are encoded."""

    MESSAGE = "message"
    MEANING = "meaning"
    TRIGGER = "trigger"


FACETS: tuple[Facet, ...] = tuple(Facet)


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of one record.

    A message is best given with its placeholders taken out: their names are never printed.
    """

    record_id: str
    facet: Facet
    text: str

    @property
    def content_hash(self) -> bytes:
        """The `content_hash` of its text."""
        return content_hash(self.text)


def content_hash(text: str) -> bytes:
    """Sixteen bytes that depend on the text alone: equal texts of any record and facet share one vector."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def record_fingerprint(passages: Iterable[Passage]) -> str:
    """32 hex digits that change when a text of the record does; the order of its passages does not matter.

    Empty texts count as absent.
    """
    return texts_fingerprint((passage.facet, passage.content_hash) for passage in passages if passage.text)


def texts_fingerprint(texts: Iterable[tuple[Facet, bytes]]) -> str:
    """`record_fingerprint`, for a caller that has the facets and content hashes already."""
    digest = blake2b(digest_size=HASH_BYTES)
    for facet, text_hash in sorted(texts):
        digest.update(facet.encode() + b"\0" + text_hash)
    return digest.hexdigest()
