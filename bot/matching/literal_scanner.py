"""The fallback where there is no Hyperscan: literals by Aho–Corasick.

Each expression is found by its longest literal; the linear-time engine then decides on the line. Expressions without
literals, regexes written by hand, are tried one by one.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import ahocorasick_rs

from bot.matching.expressions import compiled
from bot.matching.line_blocks import blocks
from bot.matching.scanner import Key, Keyed

_WINDOW_LINES = 8


class LiteralScanner:
    """The same hits as Hyperscan's, built in memory: about three seconds for 153,000 expressions."""

    def __init__(self, keyed: Sequence[Keyed]) -> None:
        by_literal: dict[bytes, list[Key]] = defaultdict(list)
        self._written: list[Keyed] = []
        for one in keyed:
            if one.expression.simple:
                longest = max((piece for text in one.expression.literals for piece in text.split("\n")), key=len)
                by_literal[longest.encode("utf-8", "surrogatepass")].append(one.key)
            else:
                self._written.append(one)
        self._keys = list(by_literal.values())
        # The contiguous automaton: its DFA would take gigabytes at this size.
        self._automaton = ahocorasick_rs.BytesAhoCorasick(
            list(by_literal), implementation=ahocorasick_rs.Implementation.ContiguousNFA
        )

    def candidates(self, lines: Sequence[str]) -> Iterator[tuple[Key, int]]:
        found: set[tuple[Key, int]] = set()
        for block in blocks(lines):
            seen: set[tuple[int, int]] = set()
            for number, _start, end in self._automaton.find_matches_as_indexes(block.data, overlapping=True):
                seen.add((number, block.line_at(end)))
            found.update((key, line) for number, line in seen for key in self._keys[number])
        found.update(self._written_candidates(lines))
        return iter(found)

    def _written_candidates(self, lines: Sequence[str]) -> Iterator[tuple[Key, int]]:
        for one in self._written:
            regex = compiled(one.expression.regex)
            if regex is None:
                continue
            for number in range(len(lines)):
                text = "\n".join(lines[number : number + _WINDOW_LINES]) if one.expression.multiline else lines[number]
                if regex.search(text):
                    yield one.key, number
