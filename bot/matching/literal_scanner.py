"""The fallback where there is no Hyperscan: literals by Aho–Corasick.

Each expression is found by its longest literal; what is exact then decides on the line. Expressions without literals,
regexes written by hand, are tried one by one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import ahocorasick_rs

from bot.matching.expressions import Expression, compiled
from bot.matching.line_blocks import LineText, blocks
from bot.matching.scanner import Key, Keyed, Spot

_WINDOW_LINES = 8


class LiteralScanner:
    """The same hits as Hyperscan's, built in memory: about three seconds for 153,000 expressions."""

    def __init__(self, keyed: Sequence[Keyed]) -> None:
        by_literal: dict[bytes, list[Key]] = defaultdict(list)
        written: dict[Expression, list[Key]] = defaultdict(list)
        for one in keyed:
            if one.expression.simple:
                longest = max((piece for text in one.expression.literals for piece in text.split("\n")), key=len)
                by_literal[longest.encode("utf-8", "surrogatepass")].append(one.key)
            else:
                written[one.expression].append(one.key)
        self._keys = [*by_literal.values(), *written.values()]
        self._written = list(enumerate(written, start=len(by_literal)))
        # The contiguous automaton: its DFA would take gigabytes at this size.
        self._automaton = ahocorasick_rs.BytesAhoCorasick(
            list(by_literal), implementation=ahocorasick_rs.Implementation.ContiguousNFA
        )

    def spots(self, text: LineText) -> Iterable[Spot]:
        found: set[Spot] = set()
        for block in blocks(text):
            for number, _start, end in self._automaton.find_matches_as_indexes(block.data, overlapping=True):
                line = block.first + block.data.count(b"\n", 0, end - 1)
                found.add(Spot(number, line, line + 1))
        found.update(self._written_spots(text.lines))
        return found

    def keys(self, number: int) -> Sequence[Key]:
        return self._keys[number]

    def _written_spots(self, lines: Sequence[str]) -> Iterator[Spot]:
        for number, expression in self._written:
            regex = compiled(expression.regex)
            if regex is None:
                continue
            for line in range(len(lines)):
                text = "\n".join(lines[line : line + _WINDOW_LINES]) if expression.multiline else lines[line]
                if regex.search(text):
                    yield Spot(number, line, line + 1)
