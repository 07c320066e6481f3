"""What the catalogue as a whole is known by, and the little of each record that matching reads of all of them."""

import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from bot.records.entry import Entry

# Of our own JSON, which has no white space around it; `json.loads` looks for that first, in twice the time.
_raw_decode = json.JSONDecoder().raw_decode


class Facts(NamedTuple):
    """The compact part of an entry. A page answers with None where only a record knows.

    A named tuple because 153,000 of them are made while somebody waits for `errata ask`: a frozen dataclass takes three
    times as long. The two lists stay JSON until asked for, for the same reason.
    """

    id: str
    fingerprint: str
    repo: str
    slug: str | None
    error_code: str | None
    error_class: str | None
    http_status: int | None
    error_type: str | None
    file_path: str | None
    line_number: int | None
    message: str
    pattern: str
    tags_json: str
    related_json: str
    analyzed_sha: str
    family: str | None

    @property
    def tags(self) -> tuple[str, ...]:
        return _texts(self.tags_json)

    @property
    def related_messages(self) -> tuple[str, ...]:
        """Messages of the errors that the entry's page lists as related."""
        return _texts(self.related_json)


class Catalogue(NamedTuple):
    """Facts of all records in the order of their ids, with the version of exactly these."""

    version: str
    facts: tuple[Facts, ...]


def facts_of(entry: Entry, encoded: str) -> Facts:
    """The facts of an entry whose JSON text, in ASCII, is `encoded`."""
    return Facts(
        id=entry.id,
        fingerprint=fingerprint_of(encoded),
        repo=entry.repo,
        slug=entry.slug,
        error_code=entry.error_code,
        error_class=entry.error_class,
        http_status=entry.http_status,
        error_type=entry.error_type.value if entry.error_type else None,
        file_path=entry.file_path,
        line_number=entry.line_number,
        message=entry.error_message,
        pattern=entry.message_pattern,
        tags_json=_json(entry.tags),
        related_json=_json(entry.related_errors),
        analyzed_sha=entry.analyzed_sha,
        family=entry.background_tag,
    )


def fingerprint_of(encoded: str) -> str:
    """16 hex digits that differ when anything in the entry does."""
    return hashlib.sha256(encoded.encode()).hexdigest()[:16]


def version_of(fingerprints: Iterable[tuple[str, str]]) -> str:
    """The catalogue's version, 16 hex digits: the same whenever it holds the same entries, in whatever order they came.

    fingerprints: (record id, fingerprint), each record once.
    """
    whole = hashlib.sha256()
    for record_id, fingerprint in sorted(fingerprints):
        whole.update(f"{record_id} {fingerprint}\n".encode())
    return whole.hexdigest()[:16]


def _json(texts: tuple[str, ...]) -> str:
    return json.dumps(texts) if texts else ""


def _texts(encoded: str) -> tuple[str, ...]:
    return tuple(_raw_decode(encoded)[0]) if encoded else ()
