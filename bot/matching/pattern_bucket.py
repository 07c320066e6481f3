"""A bucket of records, compiled and on disk.

<name>.hs     the serialised database; there is none where nothing is in it
<name>.keys   packed, little-endian, one after the other: the records' ids (bytes, padded to `width`), the fingerprints
              of what was compiled of them (u8), for each expression of the database where its keys begin and last
              where they end (u4, positions among the keys), and for each key its record (u4, a position among the
              ids) and then its ordinal (u4)
<name>.json   the counts, the checksums of the other two, the expressions that go through the other engine and those
              no engine takes; its first line is the checksum of the rest

The name says what is in it, so a file with this name never changes, and whoever has opened it is never surprised.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.matching.expressions import Expression, expressions_of, refusal, related_expressions
from bot.matching.facts import Facts
from bot.matching.pattern_engine import ENGINE_ERRORS, compile_database, load_database
from bot.matching.scanner import RELATED, Key, Keyed, Refused, Sought

# Raised when normalisation, expressions or a layout on disk change: compiled files of another version do not fit.
FORMAT = 7

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Bucket:
    """What was read of a bucket: which records are in it as what, the database, and what goes another way."""

    name: str
    ids: NDArray[np.bytes_]
    fingerprints: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    numbers: NDArray[np.uint32]
    ordinals: NDArray[np.uint32]
    database: bytes
    others: tuple[Keyed, ...]
    refused: tuple[Refused, ...]

    def record_ids(self) -> list[str]:
        return [one.decode() for one in self.ids.tolist()]


class PackedKeys:
    """Keys by expression id, made when they are asked for; those of stale records are left out."""

    def __init__(self, bucket: Bucket, stale: Mask) -> None:
        self._ids, self._stale = bucket.ids, stale if stale.any() else None
        self._starts, self._numbers, self._ordinals = bucket.starts, bucket.numbers, bucket.ordinals
        self.live = int(np.count_nonzero(~stale[bucket.numbers]))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> Sequence[Key]:
        these = slice(self._starts.item(number), self._starts.item(number + 1))
        numbers, ordinals = self._numbers[these], self._ordinals[these]
        if self._stale is not None:
            live = ~self._stale[numbers]
            numbers, ordinals = numbers[live], ordinals[live]
        ids = self._ids[numbers].tolist()
        return [Key(record_id.decode(), ordinal) for record_id, ordinal in zip(ids, ordinals.tolist(), strict=True)]


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
    """The bucket is on disk, whole, when this returns. Takes about 0.15 ms an expression.

    Projects copy files: of 154,000 expressions a sixth is another's too, some of them that of 230 records. A database
    holds each once. The expressions themselves are not kept meanwhile: the engine needs the memory.
    """
    keys, linear_time_refuses = _sought(members)
    serialised, taken, not_taken = compile_database(list(keys), hyperscan_wanted=hyperscan_wanted)
    whys = {key: why for one, why in not_taken for key in keys[one]}
    left_out = [one for facts in members if whys for one in keyed_expressions(facts) if one.key in whys]
    refused = [
        Refused(
            one.key.record_id,
            one.expression.regex,
            "; ".join(filter(None, (linear_time_refuses[one.key], whys[one.key]))),
        )
        for one in left_out
        if one.key in linear_time_refuses
    ]
    others = [one for one in left_out if one.key not in linear_time_refuses]
    if taken:
        replace_file(folder / f"{name}.hs", serialised)
    ids = np.array([one.id.encode() for one in members], dtype=np.bytes_)
    packed = _packed(ids, members, [keys[one] for one in taken])
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


class _Sharing(NamedTuple):
    """The expressions that have to be found as one, and the part of it that may do."""

    telling: str | None
    keys: list[Key]


def _sought(members: Iterable[Facts]) -> tuple[dict[Sought, list[Key]], dict[Key, str]]:
    """What the engine has to find, with the expressions it stands for; and which of them the linear-time one refuses.

    Of an expression that is the part that tells it from all others, where there is one: without the states for what
    follows, a database of 153,000 records is scanned in a third of the time and compiled in half, and a candidate more
    in a hundred is none.
    """
    whole: dict[Sought, _Sharing] = {}
    refuses: dict[Key, str] = {}
    for key, expression in ((one.key, one.expression) for facts in members for one in keyed_expressions(facts)):
        if not expression.simple and (why := refusal(expression.regex)) is not None:
            refuses[key] = why
        one_sought = Sought(expression.scan_regex, expression.simple)
        whole.setdefault(one_sought, _Sharing(expression.telling_regex, [])).keys.append(key)
    sharing = Counter(one.telling for one in whole.values())
    keys: dict[Sought, list[Key]] = {}
    for sought, (telling, of_whole) in whole.items():
        chosen = sought if telling is None or sharing[telling] > 1 else Sought(telling, simple=True)
        keys.setdefault(chosen, []).extend(of_whole)
    return keys, refuses


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
    starts = np.frombuffer(packed, dtype="<u4", offset=fingerprints_end, count=expressions + 1)
    keys = np.frombuffer(packed, dtype="<u4", offset=fingerprints_end + starts.nbytes)
    return Bucket(
        name,
        np.frombuffer(packed, dtype=f"S{content['width']}", count=records),
        np.frombuffer(packed, dtype="<u8", offset=ids_end, count=records),
        starts,
        keys[: len(keys) // 2],
        keys[len(keys) // 2 :],
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


def _packed(ids: NDArray[np.bytes_], members: Sequence[Facts], keys: Sequence[Sequence[Key]]) -> bytes:
    number_of = {one.id: number for number, one in enumerate(members)}
    every = [key for same in keys for key in same]
    fingerprints = np.array([fingerprint(one) for one in members], dtype="<u8")
    starts = np.array([0, *accumulate(map(len, keys))], dtype="<u4")
    numbers = np.array([number_of[key.record_id] for key in every], dtype="<u4")
    ordinals = np.array([key.ordinal for key in every], dtype="<u4")
    return b"".join(part.tobytes() for part in (ids, fingerprints, starts, numbers, ordinals))


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
