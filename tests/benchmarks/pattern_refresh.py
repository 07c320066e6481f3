"""What a change of the catalogue costs the compiled patterns, beside compiling them all, and what opening them costs.

`python -m tests.benchmarks.pattern_refresh [RECORDS]`; the records are the first of the shared catalogue (default
10,000; the whole, 153,000, takes two cores for a minute and a half). Costs are processor seconds of this process and
those it starts, so that a busy machine shows little in them.
"""

import gzip
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from bot.matching.facts import Facts
from bot.matching.line_blocks import LineText
from bot.matching.pattern_files import build_patterns, open_patterns
from bot.matching.pattern_manifest import read_manifest
from bot.matching.scanner import Scanner
from tests.shared_data import REPOSITORY, shared_folder

RECORDS = 10_000
SHARE = 0.01
REFRESHES = 7  # in the sixth or seventh, small buckets become one
SCANS = 200
_OPEN = """
import resource, sys, time
from pathlib import Path
from bot.matching.pattern_files import open_patterns

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

before, began = resident(), time.perf_counter()
compiled = open_patterns(Path(sys.argv[1]), sys.argv[2])
print((time.perf_counter() - began) * 1000, resident() - before)
"""


@dataclass(frozen=True, slots=True)
class Build:
    """One build: what was done, its processor seconds and those on the clock, and what came of it."""

    what: str
    records: int
    seconds: float
    elapsed_seconds: float
    of_full: float
    buckets: int
    scan_ms: float
    open_ms: float
    resident_mb: float

    def __str__(self) -> str:
        return (
            f"patterns of {self.records:,} records, {self.what}: {self.seconds:.2f} s of processor time "
            f"({self.of_full:.1%} of the full build), {self.elapsed_seconds:.2f} s elapsed; {self.buckets} buckets, "
            f"4 KB scanned in {self.scan_ms:.2f} ms, opened in {self.open_ms:.0f} ms and {self.resident_mb:.0f} MB"
        )


def measure(records: int = RECORDS) -> list[Build | str]:
    """The full build, 1 % changed, added and removed, then further refreshes of 1 % one after the other."""
    path = shared_folder() / "scale" / "catalogue.jsonl.gz"
    if not path.exists():
        return [f"pattern refresh: not measured, {path} is missing (set ERRATA_SHARED)"]
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        facts = [_facts(json.loads(line)) for line in islice(lines, records)]
    some = max(1, round(SHARE * len(facts)))
    with tempfile.TemporaryDirectory(prefix="errata-refresh-") as temporary:
        folder = Path(temporary)
        held, back = facts[some:], facts[:some]
        first = _build("built from nothing", folder, held, 0, None)
        results = [first]
        changes: list[tuple[str, Callable[[list[Facts]], list[Facts]]]] = [
            ("nothing changed", lambda listed: listed),
            ("1 % added", lambda listed: listed + back),
            ("1 % removed", lambda listed: listed[: -2 * some] + listed[-some:]),
            *((f"1 % changed, refresh {n}", lambda listed, n=n: _reworded(listed, some, n)) for n in range(REFRESHES)),
        ]
        for number, (what, change) in enumerate(changes, start=1):
            held = change(held)
            results.append(_build(what, folder, held, number, first.seconds))
        return list(results)


def _build(what: str, folder: Path, facts: list[Facts], version: int, full: float | None) -> Build:
    began, elapsed = _processor_seconds(), time.perf_counter()
    build_patterns(folder, facts, f"v{version}")
    seconds, elapsed = _processor_seconds() - began, time.perf_counter() - elapsed
    opened = open_patterns(folder, f"v{version}")
    asked = subprocess.run(
        (sys.executable, "-c", _OPEN, str(folder), f"v{version}"), cwd=REPOSITORY, check=True, capture_output=True
    )
    open_ms, resident_mb = map(float, asked.stdout.split())
    return Build(
        what,
        len(facts),
        seconds,
        elapsed,
        seconds / full if full else 1.0,
        len(read_manifest(folder).generations[0].buckets),
        _scan_ms(opened.scanners, [one.message for one in facts[:: max(1, len(facts) // 7)]]),
        open_ms,
        resident_mb,
    )


def _scan_ms(scanners: tuple[Scanner, ...], messages: list[str]) -> float:
    lines = [f"2026-11-30t10:00:00z info worker-{n % 4} request {n} done in 12 ms" for n in range(60)]
    lines[3::9] = [message.lower().replace("\n", " ")[:200] for message in messages[:7]]
    text = LineText(lines)
    times = []
    for _ in range(SCANS):
        began = time.perf_counter()
        for scanner in scanners:
            list(scanner.spots(text))
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _reworded(facts: list[Facts], count: int, seed: int) -> list[Facts]:
    """Other records each time, spread over the catalogue; each takes the words of another, so they stay real ones."""
    chosen = sorted({(seed * 7919 + number * len(facts) // count) % len(facts) for number in range(count)})
    changed = list(facts)
    for number, other in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        changed[number] = replace(facts[number], message=facts[other].message, pattern=facts[other].pattern)
    return changed


def _facts(row: dict[str, str]) -> Facts:
    return Facts(id=row["id"], repo=row["repo"], message=row["errorMessage"], pattern=row["messagePattern"])


def _processor_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    for result in measure(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS):
        print(result)
