"""What to compile when the catalogue has changed, and what can stay as it was compiled. Nothing here touches a file.

Records fall into parts by their id; a part has one base bucket. What is new or changed goes into deltas, small buckets
of records of any part, and leaves a stale key where it stood before. A part is compiled anew when too much of it is
elsewhere. So a change costs what changed, and a paste is never tried against many more databases than there are parts.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from bot.matching.pattern_bucket import Mask

# One bucket of 80,000 compiles in twelve seconds and 340 MB; larger ones take more for each record.
RECORDS_PER_BUCKET = 80_000
# Each database costs a paste the same few microseconds however small it is.
MOST_DELTAS = 5
# Of a base bucket, stale or compiled elsewhere: from the first on it is compiled anew, one bucket a build, so that
# buckets that grew old together do not all fall due at once; from the second on without waiting its turn.
WASTE = 1 / 5
MOST_WASTE = 2 / 5


@dataclass(frozen=True, slots=True)
class Held:
    """A bucket there is: its records' fingerprints by id, and the part it is the base of; None for a delta."""

    name: str
    part: int | None
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """A bucket that goes on serving; `stale` tells, in the order of its records, which keys no longer count."""

    name: str
    part: int | None
    stale: Mask


@dataclass(frozen=True, slots=True)
class Wanted:
    """A bucket to compile: the ids of its records, in order."""

    part: int | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Every record of the catalogue is live in exactly one of these buckets."""

    parts: int
    kept: tuple[Kept, ...]
    wanted: tuple[Wanted, ...]


def parts_for(records: int, before: int | None) -> int:
    """Into how many parts so many records fall: a power of two.

    Where there are parts already they stay while they are at most twice too few or too many: another number of parts
    compiles everything anew, and a catalogue must not stand just where that happens with every second change.
    """
    parts = 1
    while records > parts * RECORDS_PER_BUCKET:
        parts *= 2
    return before if before is not None and parts <= 2 * before and before <= 2 * parts else parts


def plan(current: Mapping[str, int], parts: int, held: Sequence[Held]) -> Plan:
    """What stays and what is compiled, so that the buckets hold `current` (fingerprints by id) and nothing else counts.

    held: the base buckets of `parts` parts, and deltas. The order of `current` makes no difference.
    """
    bases = {bucket.part: bucket for bucket in held if bucket.part is not None}
    deltas = {bucket.name: bucket for bucket in held if bucket.part is None}
    live: dict[str, str] = {}
    for bucket in (*bases.values(), *deltas.values()):
        for record_id, made_from in bucket.records.items():
            if current.get(record_id) == made_from:
                live.setdefault(record_id, bucket.name)
    at_home = {bucket.name for bucket in bases.values()}
    elsewhere = [record_id for record_id in current if live.get(record_id) not in at_home]
    anew = _parts_to_compile(bases, live, Counter(part_of(record_id, parts) for record_id in elsewhere))
    members: dict[int, list[str]] = {part: [] for part in anew}
    if anew:
        for record_id in current:
            if (part := part_of(record_id, parts)) in anew:
                members[part].append(record_id)
    rest = [record_id for record_id in elsewhere if part_of(record_id, parts) not in anew]
    pending, kept_deltas = _deltas(rest, live, deltas)
    kept = [
        *(_kept(bucket, live) for part, bucket in sorted(bases.items()) if part not in anew),
        *(_kept(deltas[name], live, kept_deltas[name]) for name in sorted(kept_deltas)),
    ]
    wanted = [Wanted(part, tuple(sorted(members[part]))) for part in sorted(anew)]
    wanted += [Wanted(None, ids) for ids in _chunks(sorted(pending))]
    return Plan(parts, tuple(kept), tuple(one for one in wanted if one.ids))


def part_of(record_id: str, parts: int) -> int:
    return int.from_bytes(blake2b(record_id.encode(), digest_size=4).digest()) % parts


def _parts_to_compile(bases: Mapping[int, Held], live: Mapping[str, str], elsewhere: Mapping[int, int]) -> set[int]:
    anew = {part for part in elsewhere if part not in bases}
    due: list[tuple[float, int]] = []
    for part, bucket in bases.items():
        stale = sum(live.get(record_id) != bucket.name for record_id in bucket.records)
        waste = max(stale, elsewhere.get(part, 0)) / len(bucket.records)
        if waste > MOST_WASTE:
            anew.add(part)
        elif waste > WASTE:
            due.append((-waste, part))
    return anew | {part for _, part in sorted(due)[:1]}


def _deltas(
    rest: Iterable[str], live: Mapping[str, str], deltas: Mapping[str, Held]
) -> tuple[set[str], dict[str, set[str]]]:
    """Which of the records outside their base to compile, and which are live in which delta that stays."""
    pending: set[str] = set()
    held: dict[str, set[str]] = {}
    for record_id in rest:
        if record_id in live:
            held.setdefault(live[record_id], set()).add(record_id)
        else:
            pending.add(record_id)
    for name in [name for name, ids in held.items() if len(ids) < len(deltas[name].records) / 2]:
        pending |= held.pop(name)
    if pending and len(held) + 1 > MOST_DELTAS:
        # What is about as small as the change is compiled again with it; where all are larger, the two smallest become
        # one, which makes room for a few small ones. A record is compiled two or three times before its part is.
        by_size = sorted(held, key=lambda name: (len(held[name]), name))
        small = [name for name in by_size if len(held[name]) <= 2 * len(pending)]
        for name in small or by_size[:2]:
            pending |= held.pop(name)
    return pending, held


def _kept(bucket: Held, live: Mapping[str, str], counted: Collection[str] | None = None) -> Kept:
    stale = [
        live.get(record_id) != bucket.name or (counted is not None and record_id not in counted)
        for record_id in bucket.records
    ]
    return Kept(bucket.name, bucket.part, np.array(stale, dtype=np.bool_))


def _chunks(ids: Sequence[str]) -> Iterable[tuple[str, ...]]:
    count = -(-len(ids) // RECORDS_PER_BUCKET)
    for number in range(count):
        yield tuple(ids[len(ids) * number // count : len(ids) * (number + 1) // count])
