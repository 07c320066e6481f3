"""The records of the dataset as they lie on disk: the compact index, and the files of single repositories."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bot.records.decode import SCHEMA_VERSION, decode_outline, decode_record
from bot.records.errors import InvalidRecord
from bot.records.outline import Outline
from bot.records.record import Record
from bot.sources.capped_reading import CappedReader
from bot.sources.dataset_errors import (
    DuplicateId,
    InvalidDataset,
    InvalidPattern,
    LyingSize,
    MixedVersions,
    Truncated,
    UnknownSchema,
    WrongChecksum,
    WrongCount,
    WrongRepository,
)
from bot.sources.dataset_manifest import LARGEST_RAW_INDEX, LARGEST_REPOSITORY, Manifest
from bot.sources.dataset_patterns import fault_of
from bot.sources.errors import InvalidSource
from bot.sources.json_stream import fields_of_object, items_of_list

_COMPACT_LIST = "errors"


def read_index(
    path: Path, manifest: Manifest, *, note: Callable[[int], None] = lambda _done: None
) -> Iterator[Outline]:
    """Every record of the compact index, packed or not; memory holds their ids and one record.

    note: called with how many were read, now and then.

    Only when the end is reached without an exception is it the index that the manifest promises. Raises WrongChecksum,
    Truncated, LyingSize, UnknownSchema, MixedVersions, WrongCount, DuplicateId, InvalidPattern and InvalidDataset.
    """
    origin = manifest.index.path
    seen = set[str]()
    heading: dict[str, object] = {}
    with path.open("rb") as file, _as_refusals():
        for name, value in fields_of_object(_promised_pieces(file, manifest), origin, long=_COMPACT_LIST):
            if name != _COMPACT_LIST:
                heading[name] = value
                continue
            place = f"{origin}[{len(seen)}]"
            outline = decode_outline(value, place)
            if outline.id in seen:
                raise DuplicateId(place, outline.id)
            seen.add(outline.id)
            _check_pattern(outline, place)
            if len(seen) % 1000 == 0:
                note(len(seen))
            yield outline
    if heading.get("schemaVersion") != SCHEMA_VERSION:
        raise UnknownSchema(origin, heading.get("schemaVersion"), SCHEMA_VERSION)
    if heading.get("datasetVersion") != manifest.version:
        raise MixedVersions(origin, heading.get("datasetVersion"), manifest.version)
    if len(seen) != manifest.records:
        raise WrongCount(origin, len(seen), manifest.records)
    note(len(seen))


def read_repository(path: Path, repo: str, origin: str) -> Iterator[Record]:
    """The whole records in a repository's file; memory holds their ids and one record.

    Raises WrongRepository, DuplicateId, InvalidPattern and InvalidDataset.
    """
    seen = set[str]()
    with path.open("rb") as file, _as_refusals():
        pieces = CappedReader(file, origin).pieces(LARGEST_REPOSITORY)
        for number, document in enumerate(items_of_list(pieces, origin)):
            place = f"{origin}[{number}]"
            record = decode_record(document, place)
            if record.repo != repo:
                raise WrongRepository(place, record.id, record.repo, repo)
            if record.id in seen:
                raise DuplicateId(place, record.id)
            seen.add(record.id)
            _check_pattern(record, place)
            yield record


@contextmanager
def _as_refusals() -> Iterator[None]:
    try:
        yield
    except InvalidRecord as invalid:
        raise InvalidDataset(tuple(f"{invalid.origin}: {problem}" for problem in invalid.problems)) from invalid
    except InvalidSource as invalid:
        raise InvalidDataset(invalid.problems) from invalid


def _check_pattern(record: Outline | Record, place: str) -> None:
    why = fault_of(record.message_pattern)
    if why is not None:
        raise InvalidPattern(place, record.id, why)


def _promised_pieces(file: BinaryIO, manifest: Manifest) -> Iterator[bytes]:
    """What the index unpacks to, with the checksum of it looked at when the end is reached."""
    promised = manifest.index
    pieces: Iterable[bytes] = CappedReader(file, promised.path).pieces(LARGEST_RAW_INDEX)
    if promised.raw_bytes is None or promised.raw_sha256 is None:
        # Not packed: the checksum was that of the file, and looked at when it was fetched.
        yield from pieces
        return
    size, digest = 0, hashlib.sha256()
    for piece in pieces:
        size += len(piece)
        if size > promised.raw_bytes:
            raise LyingSize(f"{promised.path} unpacked", promised.raw_bytes)
        digest.update(piece)
        yield piece
    if size < promised.raw_bytes:
        raise Truncated(f"{promised.path} unpacked", promised.raw_bytes, size)
    if digest.hexdigest() != promised.raw_sha256:
        raise WrongChecksum(f"{promised.path} unpacked", promised.raw_sha256, digest.hexdigest())
