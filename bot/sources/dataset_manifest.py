"""The manifest: what the dataset consists of, and how it is known that a file is the one that was meant."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bot.records import rules
from bot.records.decode import SCHEMA_VERSION
from bot.sources.capped_reading import MEBIBYTE
from bot.sources.dataset_errors import InvalidDataset, TooLarge, UnknownSchema
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json

# The manifest has ten numbers in it. Of the others upstream's are at 10, 55, 0.2, 12 and 0.01 MiB: room to grow into,
# and far from what would fill a small machine's disk.
LARGEST_MANIFEST: Final = MEBIBYTE // 4
LARGEST_INDEX: Final = 64 * MEBIBYTE
LARGEST_RAW_INDEX: Final = 320 * MEBIBYTE
LARGEST_REPOSITORIES: Final = 16 * MEBIBYTE
LARGEST_REPOSITORY: Final = 128 * MEBIBYTE
LARGEST_ARTICLE: Final = MEBIBYTE

_sha256 = rules.shaped(r"[0-9a-f]{64}", "a sha256 of 64 lowercase hex digits")
# No dots in a row: the path is put behind the base address.
_path = rules.shaped(r"/?data/(?:[A-Za-z0-9_-]+[./])*[A-Za-z0-9_-]+", "a path below /data/")
_count = rules.whole_number(0)
_bytes = rules.whole_number(1, 2**53)


@dataclass(frozen=True, slots=True)
class Promised:
    """A file as the manifest promises it. `raw_…` are of what it unpacks to, None where it is not packed."""

    path: str
    bytes: int
    sha256: str
    raw_bytes: int | None = None
    raw_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """`version` is as it stands in the file, `moment` the same in UTC. `text` is the same for the same manifest."""

    version: str
    moment: datetime
    repositories: int
    records: int
    articles: int
    index: Promised
    repository_list: Promised
    text: str

    @property
    def digest(self) -> str:
        """What tells one manifest from another."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def index_digest(self) -> str:
        """What tells one compact index from another, however it was packed."""
        return self.index.raw_sha256 or self.index.sha256


def decode_manifest(data: bytes, origin: str) -> Manifest:
    """The manifest in these bytes.

    Raises UnknownSchema, TooLarge for a claim that is refused before anything is fetched, and InvalidDataset with all
    other problems at once.
    """
    try:
        document = parse_json(data, origin)
    except InvalidSource as invalid:
        raise InvalidDataset(invalid.problems) from invalid
    if not isinstance(document, dict):
        raise InvalidDataset((f"{origin}: document: is {rules.kind_of(document)}, not an object",))
    if document.get("schemaVersion") != SCHEMA_VERSION:
        raise UnknownSchema(origin, document.get("schemaVersion"), SCHEMA_VERSION)
    reading = _Reading(origin)
    counts, files = reading.within(document, "counts"), reading.within(document, "files")
    version = reading.field(document, "datasetVersion", rules.text, "")
    moment = reading.field(document, "datasetVersion", rules.moment, None)
    repositories = reading.field(counts, "repos", _count, 0)
    records = reading.field(counts, "errors", _count, 0)
    articles = reading.field(counts, "infoPages", _count, 0) if "infoPages" in counts else 0
    index = _promised(reading, reading.within(files, "index"))
    repository_list = _promised(reading, reading.within(files, "repos"))
    reading.raise_if_any()
    _refuse_giants(origin, index, repository_list)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return Manifest(version, moment, repositories, records, articles, index, repository_list, text)


class _Reading:
    """Fields with their rules; what breaks one becomes a problem."""

    def __init__(self, origin: str) -> None:
        self._origin, self._problems = origin, list[str]()

    def within(self, document: dict[str, Any], name: str) -> dict[str, Any]:
        value = document.get(name)
        if isinstance(value, dict):
            return value
        self._problems.append(f"{self._origin}: {name}: is {rules.kind_of(value)}, not an object")
        return {}

    def field(self, document: dict[str, Any], name: str, rule: rules.Rule, otherwise: Any) -> Any:
        try:
            return rule(document.get(name))
        except rules.Refused as refused:
            self._problems.append(f"{self._origin}: {name}: {refused.problem}")
            return otherwise

    def problem(self, text: str) -> None:
        self._problems.append(f"{self._origin}: {text}")

    def raise_if_any(self) -> None:
        if self._problems:
            raise InvalidDataset(tuple(dict.fromkeys(self._problems)))


def _promised(reading: _Reading, claim: dict[str, Any]) -> Promised:
    path = reading.field(claim, "path", _path, "")
    size = reading.field(claim, "bytes", _bytes, 1)
    sha256 = reading.field(claim, "sha256", _sha256, "")
    encoding = claim.get("encoding")
    if encoding is None:
        return Promised(path, size, sha256)
    if encoding != "gzip":
        reading.problem(f"encoding: {rules.quote(encoding)} is not gzip")
    raw_bytes = reading.field(claim, "rawBytes", _bytes, 1)
    return Promised(path, size, sha256, raw_bytes, reading.field(claim, "rawSha256", _sha256, ""))


def _refuse_giants(origin: str, index: Promised, repository_list: Promised) -> None:
    packed = index.raw_bytes is not None
    claims = (
        (index.path, index.bytes, LARGEST_INDEX if packed else LARGEST_RAW_INDEX),
        (f"{index.path} unpacked", index.raw_bytes or 0, LARGEST_RAW_INDEX),
        (repository_list.path, repository_list.bytes, LARGEST_REPOSITORIES),
    )
    for name, claimed, most in claims:
        if claimed > most:
            raise TooLarge(f"{origin}: {name}", claimed, most)
