"""Two engines, the same hits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matching.expressions import compiled
from bot.matching.facts import Facts
from bot.matching.hyperscan_scanner import HyperscanScanner, compile_database, load_database
from bot.matching.line_blocks import BLOCK_BYTES, LineText, blocks
from bot.matching.literal_scanner import LiteralScanner
from bot.matching.pattern_files import keyed_expressions
from bot.matching.scanner import Key, Keyed, Scanner, Sought
from tests.fakes import invented_facts

WORDS = st.sampled_from(
    ["cannot", "open", "file", "{}", "%s", "timeout", "é", "(x)", "日本", "a.b", "is", "required", "\n"]
)
MESSAGES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
LINES = st.lists(
    st.lists(
        st.sampled_from(["cannot", "open", "file", "x", "timeout", "é", "(x)", "日本", "a.b", "is", "required"]),
        max_size=8,
    ).map(" ".join),
    max_size=12,
)


def keyed(*facts: Facts) -> list[Keyed]:
    return [one for each in facts for one in keyed_expressions(each)]


def hyperscan_of(expressions: list[Keyed]) -> Scanner:
    keys: dict[Sought, list[Key]] = {}
    for one in expressions:
        keys.setdefault(Sought(one.expression.scan_regex, one.expression.simple), []).append(one.key)
    serialised, taken, refused = compile_database(list(keys))
    assert not refused
    return HyperscanScanner([(load_database(serialised), [keys[one] for one in taken])] if taken else [])


def told(scanner: Scanner, lines: list[str]) -> list[tuple[Key, int]]:
    """The keys with the lines they were seen on."""
    return [(key, spot.line) for spot in scanner.spots(LineText(lines)) for key in scanner.keys(spot.number)]


def confirmed(scanner: Scanner, expressions: list[Keyed], lines: list[str]) -> set[Key]:
    """The keys whose regex does match around the line the scanner named."""
    by_key = {one.key: one.expression for one in expressions}
    found = set()
    for key, number in told(scanner, lines):
        window = "\n".join(lines[max(0, number - 8) : number + 9]) if by_key[key].multiline else lines[number]
        regex = compiled(by_key[key].regex)
        assert regex is not None
        if regex.search(window):
            found.add(key)
    return found


@settings(max_examples=60)
@given(st.lists(MESSAGES, min_size=1, max_size=6), LINES)
def test_both_engines_find_what_a_plain_search_finds(messages: list[str], lines: list[str]) -> None:
    """Hyperscan, and literals by Aho–Corasick, give the hits of trying every pattern on every line (A11)."""
    expressions = keyed(*(invented_facts(f"{number:016x}", message) for number, message in enumerate(messages)))
    filled = [line for line in lines if line]

    truth = {
        one.key
        for one in expressions
        for number in range(len(filled))
        if (regex := compiled(one.expression.regex))
        and regex.search("\n".join(filled[number : number + 9]) if one.expression.multiline else filled[number])
    }

    assert confirmed(hyperscan_of(expressions), expressions, filled) == truth
    assert confirmed(LiteralScanner(expressions), expressions, filled) == truth


@pytest.mark.parametrize("make", [hyperscan_of, LiteralScanner])
def test_a_message_is_found_wherever_it_stands_in_a_long_text(make: type[LiteralScanner]) -> None:
    """Head, middle and tail of a text of many blocks, and again in each of them (B1)."""
    expressions = keyed(invented_facts("0" * 16, "server hung up: {why}"))
    filler = [f"line {number} of a quiet log" for number in range(400)]
    lines = ["server hung up: a", *filler, "server hung up: b", *filler, "server hung up: c"]

    found = sorted(number for _, number in told(make(expressions), lines))

    assert found == [0, 401, 802]


@pytest.mark.parametrize("make", [hyperscan_of, LiteralScanner])
def test_a_message_over_two_blocks_is_found(make: type[LiteralScanner]) -> None:
    """A message of several lines may begin in one block and end in the next."""
    expressions = keyed(invented_facts("0" * 16, "first half\nsecond half"))
    filler = ["x" * 99] * (BLOCK_BYTES // 100)
    lines = [*filler, "first half", "second half", *filler]

    assert confirmed(make(expressions), expressions, lines) == {Key("0" * 16, 0)}


def test_one_bad_expression_does_not_fail_the_others() -> None:
    """Hyperscan fails a whole compilation without saying which expression is to blame (E3)."""
    good, bad, too = Sought("good one", simple=True), Sought(r"(\w+) \1", simple=False), Sought("good two", simple=True)

    _, taken, refused = compile_database([good, bad, too])

    assert taken == [good, too]
    assert [(one, bool(why)) for one, why in refused] == [(bad, True)]


LISTS = st.lists(st.text(alphabet="abc é日", max_size=300), max_size=80)


@given(LISTS)
def test_blocks_hold_every_line_and_number_it_right(lines: list[str]) -> None:
    """Every line stands whole in some block, under its own number, and a block tells where it ends."""
    seen = {}
    for block in blocks(LineText(lines)):
        inside = block.data.split(b"\n")
        assert block.first + len(inside) == block.end
        for offset, line in enumerate(inside):
            seen[block.first + offset] = line.decode()

    assert [seen.get(number) for number in range(len(lines))] == lines


@given(LISTS, st.text("ab é", min_size=1, max_size=2), st.integers(0, 80), st.integers(0, 80))
def test_the_next_line_with_a_literal_is_found(lines: list[str], literal: str, first: int, end: int) -> None:
    """From a line on, before another; line feeds and letters of several bytes make no difference."""
    first, end = sorted((min(first, len(lines)), min(end, len(lines))))

    found = LineText(lines).next_with(literal, first, end)

    assert found == next((number for number in range(first, end) if literal in lines[number]), None)


def test_the_keys_of_several_databases_are_told_apart() -> None:
    """An expression's number counts over all databases, and copies of a record are told together."""
    databases = []
    for word in ("alder", "birch"):
        serialised, taken, _ = compile_database([Sought(f"{word} {number}", simple=True) for number in range(3)])
        databases.append((load_database(serialised), [[Key(one.regex, 0), Key(one.regex, 1)] for one in taken]))

    found = told(HyperscanScanner(databases), ["birch 1 beside alder 2"])

    assert sorted(found) == [(Key(text, number), 0) for text in ("alder 2", "birch 1") for number in (0, 1)]


def test_half_a_surrogate_pair_is_passed_over() -> None:
    """It is no UTF-8, on which the engine relies; the lines around it are numbered all the same."""
    expressions = keyed(invented_facts("0" * 16, "server hung up"))

    assert told(hyperscan_of(expressions), ["\ud83d x", "server hung up"]) == [(Key("0" * 16, 0), 1)]
