"""The multi-pattern engine: Hyperscan (Vectorscan), all expressions in one pass."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import hyperscan

from bot.matching.line_blocks import blocks
from bot.matching.scanner import Key, Keyed

# Told once a block is enough; end offsets of every repetition would only cost time.
_FLAGS = hyperscan.HS_FLAG_SINGLEMATCH
# A regex written by hand may be anchored to its line, name letters of any script, and run over a line end where the
# linear-time engine, which sees one line, does not: all its ends are asked for, so that the true one is among them.
_WRITTEN_FLAGS = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_MULTILINE | hyperscan.HS_FLAG_UTF8


class Keys(Protocol):
    """The keys of a database by expression id; None where an expression in it is not to be reported any more."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Key | None: ...


class HyperscanScanner:
    """Scans with databases compiled before; the keys of each are in the order of its expression ids."""

    def __init__(self, databases: Sequence[tuple[Any, Keys]]) -> None:
        self._databases = [(database, keys) for database, keys in databases if len(keys)]
        # A database has one scratch space; a scan takes well under a millisecond, so threads take turns.
        self._turn = threading.Lock()

    def candidates(self, lines: Sequence[str]) -> Iterator[tuple[Key, int]]:
        found: set[tuple[Key, int]] = set()
        hits: list[tuple[int, int]] = []

        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            hits.append((number, end))

        text = list(blocks(lines))
        for database, keys in self._databases:  # one after the other, so that each stays in the processor's cache
            for block in text:
                hits.clear()
                with self._turn:
                    database.scan(block.data, match_event_handler=note)
                found.update((key, block.line_at(end)) for number, end in hits if (key := keys[number]) is not None)
        return iter(found)


def compile_database(keyed: Sequence[Keyed]) -> tuple[bytes, list[Keyed], list[tuple[Keyed, str]]]:
    """The serialised database of these expressions, those in it by id, and those Hyperscan refuses with its reason."""
    taken, refused = list(keyed), list[tuple[Keyed, str]]()
    while taken:
        try:
            return hyperscan.dumpb(_compile(taken)), taken, refused
        except hyperscan.error:
            # One bad expression fails a whole compilation without being named.
            bad, why = _one_refused(taken)
            refused.append((bad, why))
            taken.remove(bad)
    return b"", [], refused


Error = hyperscan.error


def load_database(serialised: bytes) -> Any:
    """A database compiled by this version of Hyperscan; raises `hyperscan.error` for another's."""
    database = hyperscan.loadb(serialised, hyperscan.HS_MODE_BLOCK)
    database.scratch = hyperscan.Scratch(database)
    return database


def _compile(keyed: Sequence[Keyed]) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[one.expression.scan_regex.encode("utf-8", "surrogatepass") for one in keyed],
        ids=list(range(len(keyed))),
        elements=len(keyed),
        flags=[_FLAGS if one.expression.simple else _WRITTEN_FLAGS for one in keyed],
    )
    return database


def _one_refused(keyed: Sequence[Keyed]) -> tuple[Keyed, str]:
    """An expression that cannot be compiled, found by halving, and why."""
    suspects = list(keyed)
    while len(suspects) > 1:
        half = suspects[: len(suspects) // 2]
        try:
            _compile(half)
            suspects = suspects[len(half) :]
        except hyperscan.error:
            suspects = half
    try:
        _compile(suspects)
    except hyperscan.error as why:
        return suspects[0], str(why) or type(why).__name__
    raise hyperscan.error("these patterns compile one by one but not together")
