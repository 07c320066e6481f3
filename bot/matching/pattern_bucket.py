"""A bucket of records, compiled and on disk.

<name>.hs     the serialised database; there is none where nothing is in it
<name>.keys   packed, little-endian, one after the other: the records' ids (bytes, padded to `width`), the fingerprints
              of what was compiled of them (u8), and for each expression of the database its record (u4, a position
              among the ids) and its ordinal (u4)
<name>.json   the counts, the checksums of the other two, the expressions that go through the other engine and those
              no engine takes; its first line is the checksum of the rest

The name says what is in it, so a file with this name never changes, and whoever has opened it is never surprised.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.matching.expressions import Expression, expressions_of, refusal, related_expressions
from bot.matching.facts import Facts
from bot.matching.pattern_engine import ENGINE_ERRORS, compile_database, load_database
from bot.matching.scanner import RELATED, Key, Keyed, Refused

# Raised when normalisation, expressions or a layout on disk change: compiled files of another version do not fit.
FORMAT = 6

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Bucket:
    """What was read of a bucket: which records are in it as what, the database, and what goes another way."""

    name: str
    ids: NDArray[np.bytes_]
    fingerprints: NDArray[np.uint64]
    numbers: NDArray[np.uint32]
    ordinals: NDArray[np.uint32]
    database: bytes
    others: tuple[Keyed, ...]
    refused: tuple[Refused, ...]

    def record_ids(self) -> list[str]:
        return [one.decode() for one in self.ids.tolist()]


class PackedKeys:
    """Keys by expression id, made when one is asked for; None for an expression of a stale record."""

    def __init__(self, bucket: Bucket, stale: Mask) -> None:
        self._ids, self._numbers, self._ordinals, self._stale = bucket.ids, bucket.numbers, bucket.ordinals, stale
        self.live = int(np.count_nonzero(~stale[bucket.numbers]))

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> Key | None:
        record = self._numbers.item(number)
        if self._stale.item(record):
            return None
        return Key(self._ids.item(record).decode(), self._ordinals.item(number))


def keyed_expressions(facts: Facts) -> Iterator[Keyed]:
    """Every expression of a record, its own and those of related errors."""
    for ordinal, expression in enumerate(expressions_of(facts)):
        yield Keyed(Key(facts.id, ordinal), expression)
    for ordinal, expression in enumerate(related_expressions(facts)):
        yield Keyed(Key(facts.id, RELATED + ordinal), expression)


def fingerprint(facts: Facts) -> int:
    """Names, in 64 bits, what a record's expressions are made of; nothing else of it is compiled."""
    content = repr((facts.id, facts.pattern, facts.message, facts.related)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest())


def bucket_name(members: Mapping[str, int], engine: str) -> str:
    """The name of the bucket of these records (their fingerprints by id), in whatever order they come."""
    digest = blake2b(f"{FORMAT} {engine}".encode(), digest_size=12)
    for record_id in sorted(members):
        digest.update(f" {record_id} {members[record_id]:x}".encode())
    return f"bucket-{digest.hexdigest()}"


def compile_bucket(folder: Path, name: str, members: Sequence[Facts], *, hyperscan_wanted: bool) -> None:
    """The bucket is on disk, whole, when this returns. Takes about 0.4 ms an expression."""
    usable: list[Keyed] = []
    linear_time_refuses: dict[Key, str] = {}
    for one in (keyed for facts in members for keyed in keyed_expressions(facts)):
        if not one.expression.simple and (why := refusal(one.expression.regex)) is not None:
            linear_time_refuses[one.key] = why
        usable.append(one)
    serialised, taken, not_taken = compile_database(usable, hyperscan_wanted=hyperscan_wanted)
    refused = [
        Refused(one.key.record_id, one.expression.regex, "; ".join(filter(None, (linear_time_refuses[one.key], why))))
        for one, why in not_taken
        if one.key in linear_time_refuses
    ]
    others = [one for one, _ in not_taken if one.key not in linear_time_refuses]
    if taken:
        replace_file(folder / f"{name}.hs", serialised)
    ids = np.array([one.id.encode() for one in members], dtype=np.bytes_)
    packed = _packed(ids, members, [one.key for one in taken])
    replace_file(folder / f"{name}.keys", packed)
    content = {
        "records": len(members),
        "width": ids.itemsize,
        "expressions": len(taken),
        "keys": checksum(packed),
        "database": checksum(serialised),
        "others": [_row(one) for one in others],
        "refused": [[one.record_id, one.regex, one.why] for one in refused],
    }
    body = json.dumps(content).encode()
    replace_file(folder / f"{name}.json", f"{checksum(body)}\n".encode() + body)


def read_bucket(folder: Path, name: str) -> Bucket:
    """Raises FileNotFoundError, and ValueError, KeyError or TypeError where its files are not whole."""
    sum_of_body, _, body = (folder / f"{name}.json").read_bytes().partition(b"\n")
    _check_sum(f"{name}.json", body, sum_of_body.decode("ascii", "replace"))
    content: dict[str, Any] = json.loads(body)
    packed = (folder / f"{name}.keys").read_bytes()
    _check_sum(f"{name}.keys", packed, content["keys"])
    database = (folder / f"{name}.hs").read_bytes() if content["expressions"] else b""
    _check_sum(f"{name}.hs", database, content["database"])
    records, expressions = content["records"], content["expressions"]
    ids_end = records * content["width"]
    fingerprints_end = ids_end + 8 * records
    keys = np.frombuffer(packed, dtype="<u4", offset=fingerprints_end)
    return Bucket(
        name,
        np.frombuffer(packed, dtype=f"S{content['width']}", count=records),
        np.frombuffer(packed, dtype="<u8", offset=ids_end, count=records),
        keys[:expressions],
        keys[expressions:],
        database,
        tuple(_keyed(row) for row in content["others"]),
        tuple(Refused(*row) for row in content["refused"]),
    )


def whole_bucket(folder: Path, name: str) -> Bucket | None:
    """The bucket, if it can be used here as it lies on disk; None where it has to be made anew."""
    try:
        bucket = read_bucket(folder, name)
        if bucket.database:
            load_database(bucket.database)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    except ENGINE_ERRORS:
        return None
    return bucket


def database_bytes(folder: Path, name: str) -> int:
    """How large the bucket's database is; 0 where there is none."""
    try:
        return (folder / f"{name}.hs").stat().st_size
    except FileNotFoundError:
        return 0


def checksum(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def replace_file(path: Path, data: bytes) -> None:
    """The file holds all of `data` or what it held before, also after a crash."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _check_sum(name: str, data: bytes, expected: str) -> None:
    if checksum(data) != expected:
        raise ValueError(f"{name} is not whole")


def _packed(ids: NDArray[np.bytes_], members: Sequence[Facts], keys: Sequence[Key]) -> bytes:
    number_of = {one.id: number for number, one in enumerate(members)}
    fingerprints = np.array([fingerprint(one) for one in members], dtype="<u8")
    numbers = np.array([number_of[key.record_id] for key in keys], dtype="<u4")
    ordinals = np.array([key.ordinal for key in keys], dtype="<u4")
    return ids.tobytes() + fingerprints.tobytes() + numbers.tobytes() + ordinals.tobytes()


def _row(one: Keyed) -> list[Any]:
    expression = one.expression
    return [
        one.key.record_id,
        one.key.ordinal,
        expression.regex,
        expression.literals,
        expression.multiline,
        expression.hole_names,
    ]


def _keyed(row: list[Any]) -> Keyed:
    record_id, ordinal, regex, literals, multiline, names = row
    return Keyed(Key(record_id, ordinal), Expression(regex, tuple(literals), multiline, tuple(names)))
