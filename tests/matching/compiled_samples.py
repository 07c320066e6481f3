"""Records to compile, and what is found with them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.matching import pattern_files
from bot.matching.facts import Facts
from bot.matching.line_blocks import LineText
from bot.matching.pattern_files import CompiledPatterns, build_patterns, open_patterns
from bot.matching.pattern_tier import confirm, scan
from bot.matching.pattern_worker import Job, compile_all
from tests.fakes import invented_facts
from tests.matching.by_hand import reading_of

PLAIN = tuple(
    invented_facts(f"{number:016x}", f"hopper {number} starved while draining silo {{silo}}") for number in range(40)
)
RELATED_TO = invented_facts("a" * 16, "the sluice is shut", related=("The weir {n} overflowed", "{}"))
BY_HAND = (
    invented_facts("b" * 16, "x", pattern=r"valve (?:stuck|jammed) at \d+ percent"),
    invented_facts("c" * 16, "x", pattern=r"^anchored sprite (?:a|b)$"),
    invented_facts("d" * 16, "x", pattern=r"ÉCLUSE (?:fermée|ouverte)"),
    invented_facts("e" * 16, "x", pattern=r"code [^x]*(?:lost|gone)"),
)
REFUSED = invented_facts("f" * 16, "said twice", pattern=r"(\w+) said \1 twice")
CATALOGUE = (*PLAIN, RELATED_TO, *BY_HAND, REFUSED)
TEXT = """a quiet line
Error: Hopper 7 starved while draining silo north
code 17 is fine
2026-01-01 12:00:00 ERROR valve jammed at 40 percent
anchored sprite b
Error: écluse fermée
code 4 was lost
the weir 3 overflowed
he said he twice"""


def found_in(
    text: str, compiled: CompiledPatterns, facts: tuple[Facts, ...] = CATALOGUE
) -> list[tuple[str, bool, int]]:
    """Every hit: record, whether by a related error, and its line."""
    known = {one.id: one for one in facts}
    return [
        (hit.facts.id, hit.related, place.line.first)
        for hit in confirm(scan(reading_of(text), compiled.scanners), known)
        for place in hit.places
    ]


def built(folder: Path, facts: tuple[Facts, ...] = CATALOGUE, *, hyperscan_wanted: bool = True) -> CompiledPatterns:
    build_patterns(folder, facts, "v1", hyperscan_wanted=hyperscan_wanted)
    return open_patterns(folder, "v1", hyperscan_wanted=hyperscan_wanted)


def candidates(text: str, compiled: CompiledPatterns) -> list[tuple[str, int, int]]:
    """What the scanners report, before anything is confirmed: record, expression, line."""
    lines = LineText([line.lower() for line in text.splitlines()])
    return sorted(
        (key.record_id, key.ordinal, spot.line)
        for scanner in compiled.scanners
        for spot in scanner.spots(lines)
        for key in scanner.keys(spot.number)
    )


def bucket_names(folder: Path) -> set[str]:
    return {path.name.split(".", 1)[0] for path in folder.glob("bucket-*")}


def jobs_of(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The buckets that builds compile from now on."""
    jobs: list[Job] = []

    def compile_all_and_note(folder: Path, wanted: Sequence[Job], done: Callable[[], None], **more: bool) -> None:
        jobs.extend(wanted)
        compile_all(folder, wanted, done, **more)

    monkeypatch.setattr(pattern_files, "compile_all", compile_all_and_note)
    return jobs
