"""The pattern tier from the pasted text to the ranked records, beside three engines that only say which pattern occurs."""

import random
import re
import signal
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import FrameType

import re2

from bot.indexing import patterns
from bot.matching import pattern_ranking
from bot.matching.calibration import Calibration, shipped_calibration
from bot.matching.facts import Facts
from bot.matching.hyperscan_scanner import HyperscanScanner
from bot.matching.pattern_bucket import keyed_expressions
from bot.matching.pattern_tier import confirm, scan
from bot.matching.reading import read
from bot.matching.scanner import Scanner
from bot.memory import leave_alone_what_stays
from bot.pastes.paste import Paste
from bot.store.fact_source import StoredFacts
from bot.store.sqlite import FILE_NAME, Database
from tests.benchmarks.scale.aims import PATTERNS_4K, PATTERNS_64K, PATTERNS_200
from tests.benchmarks.scale.catalogues import Place
from tests.benchmarks.scale.measured import Measured, spread, timed_ms
from tests.benchmarks.scale.pastes import SEED, SIZES, made

ROUNDS = 5
PASTES = {"200 B": 100, "4 KB": 100, "64 KB": 30}
ROWS = {"200 B": PATTERNS_200, "4 KB": PATTERNS_4K, "64 KB": PATTERNS_64K}
# Python's loop needs minutes for one paste and all patterns: what it does in so long is multiplied.
RE_SECONDS = 3.0
RE_PASTES = 5
SET_PASTES = 15
SET_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class _Steps:
    """Milliseconds of one paste."""

    reading: float
    scanning: float
    deciding: float

    @property
    def total(self) -> float:
        return self.reading + self.scanning + self.deciding


async def pattern_rows(place: Place) -> list[Measured]:
    """Each size of paste through the tier and the baselines. The records' facts are read from the store before."""
    async with Database.open(place.folder / FILE_NAME) as database:
        compiled = await patterns(database, place.folder)
        facts = [one async for one in StoredFacts(database).all_facts()]
    by_id = {one.id: one for one in facts}
    messages = [one.message for one in facts]
    chosen = random.Random(SEED).sample(facts, len(facts))
    in_order = _compiled([one.pattern for one in chosen[:20_000]])
    sets = _re2_sets(facts)
    leave_alone_what_stays()  # the running bot has neither these engines in memory nor the facts, and does the same
    found: list[Measured] = []
    for size, length in SIZES.items():
        texts = made(messages, length, PASTES[size])
        found += _tier(ROWS[size], texts, compiled.scanners, by_id)
        found += _raw_scan(ROWS[size], texts, compiled.scanners)
        found.append(_by_sets(ROWS[size], texts[:SET_PASTES], sets))
        found.append(_one_by_one(ROWS[size], texts[:RE_PASTES], in_order, len(facts)))
    return found


def _tier(
    row: str, texts: Sequence[str], scanners: tuple[Scanner, ...], facts: Mapping[str, Facts]
) -> Iterator[Measured]:
    calibration = shipped_calibration()
    for text in texts:
        _steps(text, scanners, facts, calibration)
    rounds = [[_steps(text, scanners, facts, calibration) for text in texts] for _ in range(ROUNDS)]
    every = [one for some in rounds for one in some]
    shares = ", ".join(
        f"{what} {statistics.median(getattr(one, field) for one in every):.2f}"
        for what, field in (("reading the text", "reading"), ("the scan", "scanning"), ("confirming and ranking", "deciding"))
    )  # fmt: skip
    yield Measured(row, spread([[one.total for one in some] for some in rounds]), remarks=(f"medians in ms: {shares}",))


def _steps(text: str, scanners: tuple[Scanner, ...], facts: Mapping[str, Facts], calibration: Calibration) -> _Steps:
    reading_ms, reading = timed_ms(lambda: read(Paste.of_text(text)))
    scanning_ms, candidates = timed_ms(lambda: scan(reading, scanners))
    deciding_ms, _ = timed_ms(
        lambda: pattern_ranking.rank(confirm(candidates, facts), reading, calibration.pattern)
    )  # fmt: skip
    return _Steps(reading_ms, scanning_ms, deciding_ms)


def _raw_scan(row: str, texts: Sequence[str], scanners: tuple[Scanner, ...]) -> Iterator[Measured]:
    """The same compiled databases over the bare text, once, and nothing else."""
    databases = [one for scanner in scanners if isinstance(scanner, HyperscanScanner) for one, _ in scanner._databases]
    if not databases:
        return
    lowered = [text.lower().encode() for text in texts]

    def scanned(data: bytes) -> int:
        ends: list[int] = []
        for database in databases:
            database.scan(data, match_event_handler=lambda number, _start, end, _flags, _context: ends.append(end))
        return len(ends)

    for data in lowered:
        scanned(data)
    rounds = [[timed_ms(partial(scanned, data))[0] for data in lowered] for _ in range(ROUNDS)]
    yield Measured("Hyperscan alone", spread(rounds), beside=row)


def _re2_sets(facts: Sequence[Facts]) -> list["re2.Set"]:
    """All expressions in one set, or in as few as RE2 can build: it gives up on 154,000 in one."""
    expressions = [keyed.expression.regex for one in facts for keyed in keyed_expressions(one)]
    count = 1
    while (sets := [_re2_set(expressions[part::count]) for part in range(count)]) and None in sets:
        count *= 2
    return [one for one in sets if one is not None]


def _re2_set(expressions: Sequence[str]) -> "re2.Set | None":
    """None where RE2 cannot build it."""
    options = re2.Options()
    options.max_mem = SET_BYTES
    options.log_errors = False
    one_set = re2.Set.SearchSet(options)
    for expression in expressions:
        try:
            one_set.Add(expression)
        except re2.error:  # look-arounds, which only Hyperscan's own dialect takes as well
            continue
    try:
        one_set.Compile()
    except re2.error:
        return None
    return one_set


def _by_sets(row: str, texts: Sequence[str], sets: Sequence["re2.Set"]) -> Measured:
    """Each text once, and twice more; these times count, since a set builds its automaton as it meets new text."""

    def matched(text: str) -> None:
        for one in sets:
            one.Match(text.lower())

    first = statistics.median(timed_ms(partial(matched, text))[0] for text in texts)
    again = [[timed_ms(partial(matched, text))[0] for text in texts] for _ in range(2)]
    remarks = [f"a text it has not met takes {first:.2f} ms (median)"]
    if len(sets) > 1:
        remarks.append(f"in {len(sets)} sets, for RE2 does not build one of all within {SET_BYTES >> 30} GiB")
    return Measured("re2.Set", spread(again), beside=row, remarks=tuple(remarks))


def _compiled(expressions: Sequence[str]) -> list[re.Pattern[str]]:
    found = []
    for one in expressions:
        try:
            found.append(re.compile(one))
        except re.error:  # JavaScript's syntax is not all Python's
            continue
    return found


class _Late(Exception):
    """One pattern has used up the time of all."""


def _one_by_one(row: str, texts: Sequence[str], expressions: Sequence[re.Pattern[str]], total: int) -> Measured:
    """Python's `re`, a pattern after the other as upstream does it, as many as it tries in the time there is."""
    estimates, tried = [], []
    for text in texts:
        seconds, count = _tried(text, expressions)
        estimates.append(1000 * seconds * total / count)
        tried.append(count)
    remark = f"from {min(tried):,} to {max(tried):,} of the patterns, drawn by chance, multiplied up to all; {len(texts)} pastes"
    return Measured("Python `re`, one by one", {"p50": statistics.median(estimates)}, beside=row, remarks=(remark,))


def _tried(text: str, expressions: Sequence[re.Pattern[str]]) -> tuple[float, int]:
    """Seconds, and how many patterns they were enough for; a pattern that backtracks for ever is cut off and counts."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Late

    count = 0
    before = signal.signal(signal.SIGALRM, stop)
    began = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, RE_SECONDS)
    try:
        for one in expressions:
            count += 1
            one.search(text)
    except _Late:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return time.perf_counter() - began, max(1, count)
