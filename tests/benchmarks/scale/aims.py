"""The rows of the table, in their order, and what each is to reach with 153,000 records on two cores."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PATTERNS_200 = "pattern tier, 200 B paste"
PATTERNS_4K = "pattern tier, 4 KB paste"
PATTERNS_64K = "pattern tier, 64 KB paste"
ANSWER_EXACT = "whole answer by a pattern, 4 KB paste"
ANSWER_NEAREST = "whole answer by the nearest records, beyond the encoder"
VECTORS = "vector search"
WORDS = "word search"
START = "start of `errata run` to the first exact answer"
MEMORY = "resident memory, encoder loaded"
MEMORY_WITHOUT = "resident memory, without the encoder"
BUILD_USEFUL = "full build, patterns and message passages"
BUILD = "full build"
BUILD_OVER = "index build, times the encoder alone"
REFRESH = "refresh of 1 %, share of the full build"
LOAD = "50 messages a second, half exact, half nearest"
GROWTH = "growth from a tenth of the records"


@dataclass(frozen=True, slots=True)
class Aim:
    """What a row is to reach: a limit for figures by their names, and the same in words.

    `at_least`: the figures that are to be as large as their limit; the others are to be no larger.
    """

    words: str
    limits: Mapping[str, float] = field(default_factory=dict)
    at_least: frozenset[str] = frozenset()

    def missed(self, figures: Mapping[str, float]) -> list[str]:
        """The names of the figures that miss it."""
        return [
            name
            for name, limit in self.limits.items()
            if name in figures and (figures[name] < limit if name in self.at_least else figures[name] > limit)
        ]


AIMS: Mapping[str, Aim] = {
    PATTERNS_200: Aim("p50 0.1, p99 0.4 ms", {"p50": 0.1, "p99": 0.4}),
    PATTERNS_4K: Aim("p50 0.5, p99 2 ms", {"p50": 0.5, "p99": 2.0}),
    PATTERNS_64K: Aim("p50 5, p99 20 ms", {"p50": 5.0, "p99": 20.0}),
    ANSWER_EXACT: Aim("p50 5, p99 20 ms", {"p50": 5.0, "p99": 20.0}),
    ANSWER_NEAREST: Aim("p50 15, p99 80 ms", {"p50": 15.0, "p99": 80.0}),
    VECTORS: Aim("p50 35 ms exact; 3 ms and recall at 10 of 0.98 approximate", {"p50": 35.0, "recall": 0.98}, frozenset({"recall"})),
    WORDS: Aim(""),
    START: Aim("2 s", {"answer": 2.0}),
    MEMORY: Aim("700 MB", {"resident": 700.0}),
    MEMORY_WITHOUT: Aim("350 MB", {"resident": 350.0}),
    BUILD_USEFUL: Aim("6 min", {"time": 6.0}),
    BUILD: Aim("40 min", {"time": 40.0}),
    BUILD_OVER: Aim("1.15", {"factor": 1.15}),
    REFRESH: Aim("3 %", {"share": 3.0}),
    LOAD: Aim("all answered, p99 250 ms", {"p99": 250.0, "answered": 100.0}, frozenset({"answered"})),
    GROWTH: Aim(
        "patterns 2, answers 3 times",
        {"patterns 200 B": 2.0, "patterns 4 KB": 2.0, "patterns 64 KB": 2.0, "exact": 3.0, "nearest": 3.0},
    ),
}  # fmt: skip
