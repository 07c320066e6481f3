"""Compiled patterns on disk, so that starting is loading, and a change of the catalogue costs what changed.

A folder holds `patterns.json` (pattern_manifest: what there is, for which catalogue) and buckets of records
(pattern_bucket). pattern_plan decides what to compile and what to keep, pattern_worker does it. Whatever the patterns
were built from, in however many steps, and in whatever order the records come: a paste matches what it would match if
they were built at once. `patterns.json` is replaced last, so a killed build leaves the old ones serving, and the next
one goes on with the buckets that are there.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import BotError
from bot.matching.facts import Facts
from bot.matching.literal_scanner import LiteralScanner
from bot.matching.pattern_bucket import (
    FORMAT,
    PackedKeys,
    bucket_name,
    database_bytes,
    fingerprint,
    keyed_expressions,
    read_bucket,
    whole_bucket,
)
from bot.matching.pattern_engine import ENGINE_ERRORS, engine_name, load_database, scanner_of
from bot.matching.pattern_manifest import (
    GENERATIONS,
    MANIFEST,
    Generation,
    Listed,
    packed_mask,
    read_manifest,
    write_manifest,
)
from bot.matching.pattern_plan import Held, Plan, parts_for, plan
from bot.matching.pattern_worker import Job, compile_all
from bot.matching.scanner import Keyed, Refused, Scanner
from embeddings.build_lock import BuildLock
from embeddings.errors import IndexBusy

__all__ = (
    "CompiledPatterns",
    "PatternsDoNotFit",
    "build_patterns",
    "engine_name",
    "keyed_expressions",
    "open_patterns",
)

log = logging.getLogger(__name__)

# A temporary file this old is of a build that was killed, not of one that is at work beside this one.
_ABANDONED_AFTER_SECONDS = 3600
_LOOK_AGAIN_SECONDS = 0.2
_FEW = 0.02  # of the catalogue


class PatternsDoNotFit(BotError):
    """Compiled patterns are missing, were built from something else, or by another engine."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"the compiled patterns in {folder} cannot be used: {why}; `errata index` builds them anew")
        self.folder, self.why = folder, why


@dataclass(frozen=True, slots=True)
class CompiledPatterns:
    """Opened patterns: scanners to ask, and what no engine takes. They are in memory, no file is needed any more."""

    catalogue_version: str
    scanners: tuple[Scanner, ...]
    refused: tuple[Refused, ...]
    expressions: int


def build_patterns(
    folder: Path,
    facts: Sequence[Facts],
    catalogue_version: str,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    hyperscan_wanted: bool = True,
) -> None:
    """Compile the patterns of these records into `folder`, as far as they are not there already, and whole.

    The order of `facts` makes no difference; their ids do differ. `progress` is told buckets done and buckets in all,
    and may raise to stop. More than a few records are compiled in processes of their own, at low priority. Where
    another process builds here, this one waits for it. The patterns of the version before stay beside those of this.

    Raises NotCompiled when such a process was ended.
    """
    folder.mkdir(parents=True, exist_ok=True)
    engine = engine_name(hyperscan_wanted=hyperscan_wanted)
    by_id = {one.id: one for one in facts}
    current = {record_id: fingerprint(one) for record_id, one in by_id.items()}
    with _alone(folder):
        before = _generations(folder)
        here = [one for one in before if one.engine == engine]
        planned = _plan_upon(folder, current, sorted(here, key=lambda one: one.catalogue != catalogue_version))
        wanted = [
            (bucket_name({record_id: current[record_id] for record_id in one.ids}, engine), one)
            for one in planned.wanted
        ]
        listed = [Listed(one.name, one.part, packed_mask(one.stale)) for one in planned.kept]
        listed += [Listed(name, one.part) for name, one in wanted]
        jobs = [
            Job(name, tuple(by_id[record_id] for record_id in one.ids))
            for name, one in wanted
            if whole_bucket(folder, name) is None
        ]
        total, done = len(listed), len(listed) - len(jobs)
        progress(done, total)

        def one_more() -> None:
            nonlocal done
            done += 1
            progress(done, total)

        compile_all(folder, jobs, one_more, hyperscan_wanted=hyperscan_wanted)
        others = [one for one in before if (one.catalogue, one.engine) != (catalogue_version, engine)]
        generations = [Generation(catalogue_version, engine, planned.parts, tuple(listed)), *others][:GENERATIONS]
        write_manifest(folder, generations)
        _remove_leftovers(folder, {bucket.name for one in generations for bucket in one.buckets})


def open_patterns(folder: Path, catalogue_version: str, *, hyperscan_wanted: bool = True) -> CompiledPatterns:
    """The compiled patterns of this catalogue; raises PatternsDoNotFit where there are none."""
    try:
        generation = _fitting(folder, catalogue_version, engine_name(hyperscan_wanted=hyperscan_wanted))
        # The largest first: what was read of it is freed, and the next fits there. Else a fifth more memory is held.
        by_size = sorted(generation.buckets, key=lambda one: database_bytes(folder, one.name), reverse=True)
        opened = [_open_bucket(folder, listed) for listed in by_size]
    except FileNotFoundError as missing:
        nothing = not (folder / MANIFEST).exists()
        why = "there are none yet" if nothing else f"{Path(missing.filename).name} is missing"
        raise PatternsDoNotFit(folder, why) from missing
    except (OSError, ValueError, KeyError, TypeError) as broken:
        raise PatternsDoNotFit(folder, f"they are damaged ({broken})") from broken
    except ENGINE_ERRORS as why_not:
        raise PatternsDoNotFit(folder, "they were compiled for another processor or version") from why_not
    databases = [(one.database, one.keys) for one in opened if one.keys.live]
    others = [keyed for one in opened for keyed in one.others]
    scanners: list[Scanner] = [scanner_of(databases)] if databases else []
    if others:
        scanners.append(LiteralScanner(others))
    return CompiledPatterns(
        catalogue_version,
        tuple(scanners),
        tuple(sorted((no for one in opened for no in one.refused), key=lambda no: (no.record_id, no.regex))),
        sum(one.keys.live for one in opened) + len(others),
    )


@dataclass(frozen=True, slots=True)
class _Opened:
    """What of a bucket is used: nothing of a stale record. `database` is None where no key is live."""

    database: Any
    keys: PackedKeys
    others: tuple[Keyed, ...]
    refused: tuple[Refused, ...]


def _open_bucket(folder: Path, listed: Listed) -> _Opened:
    bucket = read_bucket(folder, listed.name)
    stale = listed.stale_of(len(bucket.ids))
    gone = {one.decode() for one in bucket.ids[stale].tolist()} if bucket.others or bucket.refused else set()
    keys = PackedKeys(bucket, stale)
    return _Opened(
        load_database(bucket.database) if keys.live else None,
        keys,
        tuple(one for one in bucket.others if one.key.record_id not in gone),
        tuple(one for one in bucket.refused if one.record_id not in gone),
    )


def _fitting(folder: Path, catalogue_version: str, engine: str) -> Generation:
    manifest = read_manifest(folder)
    if manifest.format != FORMAT:
        raise PatternsDoNotFit(folder, f"they have format {manifest.format}, this version reads {FORMAT}")
    here = [one for one in manifest.generations if one.engine == engine]
    if not here:
        engines = " and ".join(sorted({one.engine for one in manifest.generations}))
        raise PatternsDoNotFit(folder, f"they were compiled by {engines}, here is {engine}")
    for one in here:
        if one.catalogue == catalogue_version:
            return one
    raise PatternsDoNotFit(folder, "the catalogue has changed since")


def _generations(folder: Path) -> tuple[Generation, ...]:
    """What there is to build upon; nothing where the manifest is missing or damaged."""
    try:
        return read_manifest(folder).generations
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _plan_upon(folder: Path, current: Mapping[str, int], generations: Sequence[Generation]) -> Plan:
    """The plan that compiles the fewest records, from one of these generations or from nothing.

    The first that compiles few is taken; looking at the next would cost about as much as it could save.
    """
    read: dict[str, Held | None] = {}
    plans: list[tuple[int, Plan]] = []
    for one in generations:
        if (parts := parts_for(len(current), one.parts)) != one.parts:
            continue
        for listed in one.buckets:
            if listed.name not in read:
                read[listed.name] = _held(folder, listed)
        made = plan(current, parts, [held for listed in one.buckets if (held := read[listed.name])])
        records = sum(len(bucket.ids) for bucket in made.wanted)
        plans.append((records, made))
        if records <= _FEW * len(current):
            break
    if not plans:
        return plan(current, parts_for(len(current), None), [])
    return min(plans, key=lambda one: one[0])[1]


def _held(folder: Path, listed: Listed) -> Held | None:
    bucket = whole_bucket(folder, listed.name)
    if bucket is None:
        return None
    return Held(listed.name, listed.part, dict(zip(bucket.record_ids(), bucket.fingerprints.tolist(), strict=True)))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other build is at work in this folder, here or in another process."""
    with ExitStack() as held:
        told = False
        while True:
            try:
                held.enter_context(BuildLock(folder))
                break
            except IndexBusy:
                if not told:
                    log.info("another process compiles patterns in %s; waiting for it", folder)
                    told = True
                time.sleep(_LOOK_AGAIN_SECONDS)
        yield


def _remove_leftovers(folder: Path, names: set[str]) -> None:
    for path in folder.glob("bucket-*"):
        if path.name.split(".", 1)[0] not in names:
            path.unlink(missing_ok=True)
    for path in folder.glob("*.new"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                path.unlink()
