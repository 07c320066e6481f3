"""Compiled patterns on disk, so that starting is loading.

A folder holds `patterns.json` (what built it, for which catalogue) and, for each bucket of records, its compiled
database `<name>.hs` and `<name>.json`: the keys by expression id, and the expressions that go through the other engine.
The first line of the latter is the checksum of the rest, in which the checksum of the former stands.
Records fall into buckets by their id, so that a changed record compiles one bucket anew, and their order never matters.
Files are named by the fingerprint of what is in them; `patterns.json` is replaced last, so a killed build leaves the
old ones serving.
"""

import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

from bot.errors import BotError
from bot.matching.expressions import Expression, expressions_of, refusal, related_expressions
from bot.matching.facts import Facts
from bot.matching.literal_scanner import LiteralScanner
from bot.matching.scanner import RELATED, Key, Keyed, Refused, Scanner

try:
    from bot.matching import hyperscan_scanner
except ImportError:  # no wheel for this platform: the literal scanner does the work
    hyperscan_scanner = None  # type: ignore[assignment]

# Raised when normalisation, expressions or this layout change: compiled files of another version do not fit.
FORMAT = 5
# Compiling takes 0.2 ms an expression: one bucket compiles in about four seconds.
_EXPRESSIONS_PER_BUCKET = 20_000
_MANIFEST = "patterns.json"
# A temporary file this old is of a build that was killed, not of one that is at work beside this one.
_ABANDONED_AFTER_SECONDS = 3600


class PatternsDoNotFit(BotError):
    """Compiled patterns are missing, were built from something else, or by another engine."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"the compiled patterns in {folder} cannot be used: {why}; `errata index` builds them anew")
        self.folder, self.why = folder, why


@dataclass(frozen=True, slots=True)
class CompiledPatterns:
    """Opened patterns: scanners to ask, and what no engine takes."""

    catalogue_version: str
    scanners: tuple[Scanner, ...]
    refused: tuple[Refused, ...]
    expressions: int


def engine_name(*, hyperscan_wanted: bool = True) -> str:
    """The engine that compiles here, with its version."""
    if hyperscan_scanner is None or not hyperscan_wanted:
        return "ahocorasick"
    return f"hyperscan {metadata.version('hyperscan')}"


def build_patterns(
    folder: Path,
    facts: Sequence[Facts],
    catalogue_version: str,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    hyperscan_wanted: bool = True,
) -> None:
    """Compile the patterns of these records into `folder`; buckets that are there already, and whole, are kept.

    The order of `facts` makes no difference. `progress` is told buckets done and buckets in all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    engine = engine_name(hyperscan_wanted=hyperscan_wanted)
    buckets = _buckets(facts)
    names = []
    for done, members in enumerate(buckets):
        progress(done, len(buckets))
        name = f"bucket-{_fingerprint(members, engine)}"
        if not _is_whole(folder, name):
            _compile_bucket(folder, name, members, hyperscan_wanted=hyperscan_wanted)
        names.append(name)
    manifest = {"format": FORMAT, "engine": engine, "catalogue": catalogue_version, "buckets": names}
    _replace(folder / _MANIFEST, json.dumps(manifest, indent=1).encode())
    progress(len(buckets), len(buckets))
    _remove_leftovers(folder, set(names))


def open_patterns(folder: Path, catalogue_version: str, *, hyperscan_wanted: bool = True) -> CompiledPatterns:
    """The compiled patterns of this catalogue; raises PatternsDoNotFit where there are none."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        _check(folder, manifest, catalogue_version, engine_name(hyperscan_wanted=hyperscan_wanted))
        buckets = [_read_bucket(folder, name) for name in manifest["buckets"]]
        databases = [
            (hyperscan_scanner.load_database(serialised), _keys(content["keys"]))
            for content, serialised in buckets
            if content["keys"]
        ]
        others = [_keyed(row) for content, _ in buckets for row in content["others"]]
        refused = tuple(Refused(*row) for content, _ in buckets for row in content["refused"])
    except FileNotFoundError as missing:
        nothing = not (folder / _MANIFEST).exists()
        why = "there are none yet" if nothing else f"{Path(missing.filename).name} is missing"
        raise PatternsDoNotFit(folder, why) from missing
    except (OSError, ValueError, KeyError, TypeError) as broken:
        raise PatternsDoNotFit(folder, f"they are damaged ({broken})") from broken
    except _engine_errors() as why_not:
        raise PatternsDoNotFit(folder, "they were compiled for another processor or version") from why_not
    scanners: list[Scanner] = [hyperscan_scanner.HyperscanScanner(databases)] if databases else []
    if others:
        scanners.append(LiteralScanner(others))
    return CompiledPatterns(
        catalogue_version,
        tuple(scanners),
        refused,
        sum(len(keys) for _, keys in databases) + len(others),
    )


def _engine_errors() -> tuple[type[Exception], ...]:
    return () if hyperscan_scanner is None else (hyperscan_scanner.Error,)


def keyed_expressions(facts: Facts) -> Iterator[Keyed]:
    """Every expression of a record, its own and those of related errors."""
    for ordinal, expression in enumerate(expressions_of(facts)):
        yield Keyed(Key(facts.id, ordinal), expression)
    for ordinal, expression in enumerate(related_expressions(facts)):
        yield Keyed(Key(facts.id, RELATED + ordinal), expression)


def _buckets(facts: Sequence[Facts]) -> list[list[Facts]]:
    count = 1
    while len(facts) > count * _EXPRESSIONS_PER_BUCKET:
        count *= 2
    members: dict[int, list[Facts]] = defaultdict(list)
    for one in facts:
        members[int.from_bytes(blake2b(one.id.encode(), digest_size=4).digest()) % count].append(one)
    return [sorted(members[number], key=lambda one: one.id) for number in sorted(members)]


def _fingerprint(members: Sequence[Facts], engine: str) -> str:
    digest = blake2b(f"{FORMAT} {engine}".encode(), digest_size=12)
    for one in members:
        digest.update(repr((one.id, one.pattern, one.message, one.related)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _compile_bucket(folder: Path, name: str, members: Sequence[Facts], *, hyperscan_wanted: bool) -> None:
    usable: list[Keyed] = []
    refused: list[Refused] = []
    linear_time_refuses: dict[Key, str] = {}
    for one in (keyed for facts in members for keyed in keyed_expressions(facts)):
        if not one.expression.simple and (why := refusal(one.expression.regex)) is not None:
            linear_time_refuses[one.key] = why
        usable.append(one)
    serialised = b""
    taken: list[Keyed] = []
    others = usable
    if hyperscan_scanner is not None and hyperscan_wanted:
        serialised, taken, refused_here = hyperscan_scanner.compile_database(usable)
        others = [one for one, _ in refused_here]
        refused += [
            Refused(one.key.record_id, one.expression.regex, f"{linear_time_refuses[one.key]}; {why}")
            for one, why in refused_here
            if one.key in linear_time_refuses
        ]
    else:
        refused += [
            Refused(one.key.record_id, one.expression.regex, linear_time_refuses[one.key])
            for one in usable
            if one.key in linear_time_refuses
        ]
    kept = [one for one in others if one.key not in linear_time_refuses]
    if taken:
        _replace(folder / f"{name}.hs", serialised)
    content = {
        "keys": [[one.key.record_id, one.key.ordinal] for one in taken],
        "others": [_row(one) for one in kept],
        "refused": [[one.record_id, one.regex, one.why] for one in refused],
        "database": _checksum(serialised),
    }
    body = json.dumps(content).encode()
    _replace(folder / f"{name}.json", f"{_checksum(body)}\n".encode() + body)


def _read_bucket(folder: Path, name: str) -> tuple[dict[str, Any], bytes]:
    """A bucket's content and serialised database; raises FileNotFoundError, or ValueError where they are not whole."""
    checksum, _, body = (folder / f"{name}.json").read_bytes().partition(b"\n")
    if checksum.decode("ascii", "replace") != _checksum(body):
        raise ValueError(f"{name}.json is not whole")
    content = json.loads(body)
    serialised = (folder / f"{name}.hs").read_bytes() if content["keys"] else b""
    if content["database"] != _checksum(serialised):
        raise ValueError(f"{name}.hs is not whole")
    return content, serialised


def _is_whole(folder: Path, name: str) -> bool:
    """Whether a bucket can be used here as it lies on disk; if not, building has to make it anew."""
    try:
        content, serialised = _read_bucket(folder, name)
        if content["keys"]:
            hyperscan_scanner.load_database(serialised)
    except (OSError, ValueError):
        return False
    except _engine_errors():
        return False
    return True


def _checksum(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _check(folder: Path, manifest: dict[str, Any], catalogue_version: str, engine: str) -> None:
    if manifest["format"] != FORMAT:
        raise PatternsDoNotFit(folder, f"they have format {manifest['format']}, this version reads {FORMAT}")
    if manifest["engine"] != engine:
        raise PatternsDoNotFit(folder, f"they were compiled by {manifest['engine']}, here is {engine}")
    if manifest["catalogue"] != catalogue_version:
        raise PatternsDoNotFit(folder, "the catalogue has changed since")


def _keys(rows: Iterable[list[Any]]) -> list[Key]:
    return [Key(record_id, ordinal) for record_id, ordinal in rows]


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


def _replace(path: Path, data: bytes) -> None:
    """The file holds all of `data` or what it held before, also after a crash."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _remove_leftovers(folder: Path, names: set[str]) -> None:
    for path in folder.glob("bucket-*"):
        if path.name.split(".", 1)[0] not in names:
            path.unlink(missing_ok=True)
    for path in folder.glob("*.new"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                path.unlink()
