"""How long trying every pattern takes, beside Python's `re` trying them one by one in the same run.

`python -m tests.benchmarks.pattern_scan [RECORDS]`; the records are the first of the shared catalogue (default 5,000:
they compile in seconds, and the baseline needs seconds a paste at full size).
"""

import gzip
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.matching.facts import Facts
from bot.matching.pattern_files import build_patterns, keyed_expressions, open_patterns
from bot.matching.pattern_tier import confirm, scan
from bot.matching.reading import read
from bot.matching.scanner import Scanner
from bot.pastes.paste import Paste
from tests.shared_data import shared_folder

RECORDS = 5_000
REPEATS = 40
SIZES = {"200 B": 200, "4 KB": 4_096, "64 KB": 65_536}


@dataclass(frozen=True, slots=True)
class PatternScan:
    """Milliseconds a paste: median and 95th percentile of the whole tier, the median of the baseline."""

    size: str
    engine: str
    patterns: int
    median: float
    p95: float
    baseline: float

    def __str__(self) -> str:
        return (
            f"pattern tier, {self.patterns:,} patterns, {self.size} paste, {self.engine}: median {self.median:.2f} ms, "
            f"p95 {self.p95:.2f} ms; Python re one by one {self.baseline:.1f} ms ({self.baseline / self.median:.0f} times)"
        )


def measure(records: int = RECORDS) -> list[PatternScan | str]:
    """Each size of paste through both engines and the baseline, in turn."""
    path = shared_folder() / "scale" / "catalogue.jsonl.gz"
    if not path.exists():
        return [f"pattern tier: not measured, {path} is missing (set ERRATA_SHARED)"]
    facts = {one.id: one for one in _read(path, records)}
    messages = [one.message.split("\n")[0] for one in facts.values()]
    plain = [re.compile(one.pattern) for one in facts.values()]
    results: list[PatternScan | str] = []
    with tempfile.TemporaryDirectory(prefix="errata-patterns-") as folder:
        engines = {}
        for engine, wanted in (("Hyperscan", True), ("Aho–Corasick", False)):
            build_patterns(Path(folder) / engine, list(facts.values()), "bench", hyperscan_wanted=wanted)
            engines[engine] = open_patterns(Path(folder) / engine, "bench", hyperscan_wanted=wanted).scanners
        for size, length in SIZES.items():
            text = _paste(messages, length)
            baseline = _median_ms(partial(_one_by_one, plain, text), 3)[0]
            for engine, scanners in engines.items():
                median, p95 = _median_ms(partial(_tier, text, scanners, facts), REPEATS)
                count = sum(len(list(keyed_expressions(one))) for one in facts.values())
                results.append(PatternScan(size, engine, count, median, p95, baseline))
    return results


def _one_by_one(patterns: list[re.Pattern[str]], text: str) -> int:
    return sum(one.search(text) is not None for one in patterns)


def _tier(text: str, scanners: tuple[Scanner, ...], facts: dict[str, Facts]) -> int:
    return len(confirm(scan(read(Paste.of_text(text)), scanners), facts))


def _paste(messages: list[str], length: int) -> str:
    """A log of about that length in which every tenth line is a message of the catalogue."""
    lines: list[str] = []
    size = 0
    while size < length:
        number = len(lines)
        message = messages[number * 37 % len(messages)] if number % 10 == 3 else f"request {number} done in 12 ms"
        lines.append(f"2026-11-30T10:00:{number % 60:02d}Z INFO worker-{number % 4} {message}")
        size += len(lines[-1]) + 1
    return "\n".join(lines)[:length]


def _median_ms(run: Callable[[], object], repeats: int) -> tuple[float, float]:
    run()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), sorted(times)[round(0.95 * (len(times) - 1))]


def _read(path: Path, records: int) -> list[Facts]:
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            found.append(
                Facts(id=one["id"], repo=one["repo"], message=one["errorMessage"], pattern=one["messagePattern"])
            )
            if len(found) == records:
                break
    return found


if __name__ == "__main__":
    for result in measure(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS):
        print(result)
