"""The multi-pattern engine: Hyperscan (Vectorscan), all expressions in one pass."""

import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Protocol

import hyperscan

from bot.matching.line_blocks import LineText, blocks
from bot.matching.scanner import Key, Sought, Spot

# Told once a block is enough; end offsets of every repetition would only cost time.
_FLAGS = hyperscan.HS_FLAG_SINGLEMATCH
# A regex written by hand may be anchored to its line, name letters of any script, and run over a line end where the
# linear-time engine, which sees one line, does not: all its ends are asked for, so that the true one is among them.
_WRITTEN_FLAGS = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_MULTILINE | hyperscan.HS_FLAG_UTF8


class Keys(Protocol):
    """Which expressions each expression id of a database stands for; those not to be reported any more are left out."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Sequence[Key]: ...


class HyperscanScanner:
    """Scans with databases compiled before; the keys of each are in the order of its expression ids."""

    def __init__(self, databases: Sequence[tuple[Any, Keys]]) -> None:
        used = [(database, keys) for database, keys in databases if len(keys)]
        self._keys = [keys for _, keys in used]
        # An expression's number is its id in its database, and those of all databases before.
        self._first = [0, *accumulate(map(len, self._keys))]
        self._databases = [(database, first) for (database, _), first in zip(used, self._first, strict=False)]
        # A database has one scratch space; a scan takes well under a millisecond, so threads take turns.
        self._turn = threading.Lock()

    def spots(self, text: LineText) -> Iterable[Spot]:
        found: set[Spot] = set()
        hits: list[tuple[int, int]] = []

        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            hits.append((number, end))

        whole = list(blocks(text))
        for database, first in self._databases:  # one after the other, so that each stays in the processor's cache
            for block in whole:
                with self._turn:
                    database.scan(block.data, match_event_handler=note)
                for number, end in hits:
                    line = block.first + block.data.count(b"\n", 0, max(end - 1, 0))
                    found.add(Spot(first + number, line, block.end))
                hits.clear()
        return found

    def keys(self, number: int) -> Sequence[Key]:
        which = bisect_right(self._first, number) - 1
        return self._keys[which][number - self._first[which]]


def compile_database(sought: Sequence[Sought]) -> tuple[bytes, list[Sought], list[tuple[Sought, str]]]:
    """The serialised database of these regexes, those in it by id, and those Hyperscan refuses with its reason."""
    taken, refused = list(sought), list[tuple[Sought, str]]()
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


def _compile(sought: Sequence[Sought]) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[one.regex.encode("utf-8", "surrogatepass") for one in sought],
        ids=list(range(len(sought))),
        elements=len(sought),
        flags=[_FLAGS if one.simple else _WRITTEN_FLAGS for one in sought],
    )
    return database


def _one_refused(sought: Sequence[Sought]) -> tuple[Sought, str]:
    """A regex that cannot be compiled, found by halving, and why."""
    suspects = list(sought)
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
