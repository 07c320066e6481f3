"""Which of the records that matched is the one."""

from itertools import permutations

import pytest

from bot.matching.facts import Facts
from bot.matching.pattern_ranking import Ranked, rank, reasons
from bot.matching.verdict import Because, Reason
from tests.fakes import invented_facts
from tests.matching.by_hand import PATTERN_WEIGHTS, hits_in, reading_of

TENSION = "Mooring line tension exceeds breaking strength"
PYTHON = invented_facts(
    "1" * 16, TENSION, repo="twin/hawser", file_path="hawser/lines.py", line_number=16, error_class="TensionError"
)
JAVA = invented_facts(
    "2" * 16,
    TENSION,
    repo="twin/hawser-jvm",
    file_path="src/org/twin/Lines.java",
    line_number=17,
    error_class="TensionException",
)
WINCH = invented_facts(
    "3" * 16,
    TENSION,
    repo="twin/hawser-jvm",
    file_path="src/org/twin/winch/Winch.java",
    line_number=18,
    error_class="WinchException",
)
CODED = invented_facts("4" * 16, TENSION, repo="twin/hawser-c", file_path="src/lines.c", error_code="HAWSER_E17")
TWINS = (PYTHON, JAVA, WINCH, CODED)
WEAK = invented_facts("5" * 16, "not found", file_path="src/io.py", line_number=9, error_code="IO_MISSING")
SLUICE = invented_facts("6" * 16, "the sluice gate is jammed", related=("The weir {n} overflowed its banks",))


def ranked(text: str, *facts: Facts) -> list[Ranked]:
    return rank(hits_in(text, *facts), reading_of(text), PATTERN_WEIGHTS)


def ids(text: str, *facts: Facts) -> list[str]:
    return [one.hit.facts.id for one in ranked(text, *facts)]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            f'Traceback (most recent call last):\n  File "hawser/lines.py", line 16, in pull\nhawser.TensionError: {TENSION}',
            PYTHON,
        ),
        (f"org.twin.TensionException: {TENSION}\n\tat org.twin.Lines.pull(Lines.java:17)", JAVA),
        (f"org.twin.winch.WinchException: {TENSION}\n\tat org.twin.winch.Winch.pull(Winch.java:18)", WINCH),
        (f"error HAWSER_E17: {TENSION}", CODED),
        (f"src/lines.c:19:3: error: {TENSION}", CODED),
        (f"{TENSION}\n\tat org.twin.winch.Winch.pull(Winch.java:18)", WINCH),
        (f"TensionError: {TENSION}", PYTHON),
    ],
)
def test_evidence_decides_between_records_of_one_message(text: str, right: Facts) -> None:
    """Path, line, class, code and ecosystem, in every order of the catalogue (A7, A11, B12)."""
    for order in permutations(TWINS):
        assert ids(text, *order)[0] == right.id


def test_a_tie_is_broken_by_id() -> None:
    """Where nothing in the paste decides, the order is still always the same (A11)."""
    a, b = invented_facts("a" * 16, TENSION), invented_facts("b" * 16, TENSION)

    assert ids(TENSION, b, a) == ids(TENSION, a, b) == ["a" * 16, "b" * 16]


def test_each_record_is_named_once() -> None:
    """However many of its patterns and places match."""
    facts = invented_facts("1" * 16, "module %R is missing", pattern="module %R is missing")

    assert ids("module %R is missing\nmodule 'six' is missing", facts) == ["1" * 16]


def test_the_longer_explanation_of_a_line_goes_first() -> None:
    """A pattern that explains more of the line is likelier the one."""
    short = invented_facts("1" * 16, "hopper {} starved of barley")
    long = invented_facts("2" * 16, "hopper {} starved of barley while draining silo {}")

    assert ids("Error: hopper 7 starved of barley while draining silo 3", short, long)[0] == long.id


def test_another_ecosystem_weighs_against() -> None:
    """A Python traceback is not answered with a Java record before a Python one (A10)."""
    java = invented_facts("1" * 16, TENSION, file_path="src/A.java")
    python = invented_facts("2" * 16, TENSION, file_path="src/a.py")
    traceback = f'Traceback (most recent call last):\n  File "x.py", line 1\nRuntimeError: {TENSION}'

    assert ids(traceback, java, python)[0] == python.id


@pytest.mark.parametrize(
    "text",
    [
        f"RuntimeError: {TENSION}",
        f"thread 'main' panicked at src/a.rs:1:1:\n{TENSION}",
        f"2026-01-01 12:00:00 ERROR {TENSION}",
        TENSION,
        f"> {TENSION}\n> at Winch.pull(Winch.java:18)\nwhat is this? since the update",
        f"Hi, since today:\n```\n{TENSION}\n```\nplease help",
    ],
)
def test_what_a_program_printed_was_pasted(text: str) -> None:
    """Labelled, in a log, or a line of its own."""
    assert ranked(text, PYTHON)[0].pasted


@pytest.mark.parametrize(
    "text",
    [
        f"if it says that {TENSION.lower()} you have to slack the line first and then try it again",
        f'raise TensionError("{TENSION}")',
        f"you probably saw `{TENSION}` because the line was too short for that ship",
        f'    throw new TensionException("{TENSION}");',
        f"I fixed the bug where {TENSION} was logged for every mooring, thanks for all your help",
    ],
)
def test_what_people_say_and_code_was_not_pasted(text: str) -> None:
    """A sentence, inline code in one, and source code cause no answer nobody asked for (A4)."""
    found = ranked(text, PYTHON)

    assert found
    assert not found[0].pasted


def test_a_weak_pattern_alone_causes_nothing() -> None:
    """It is found, and may be shown on request, never unasked (A3)."""
    assert not ranked("Error: not found", WEAK)[0].pasted


@pytest.mark.parametrize("more", ["  at x (src/io.py:9)", "code: 'IO_MISSING'"])
def test_a_weak_pattern_with_more_behind_it_may_speak(more: str) -> None:
    """Its place in the source or its code beside it is no accident (A3)."""
    assert ranked(f"Error: not found\n{more}", WEAK)[0].pasted


def test_a_related_error_is_less_likely_and_never_unasked() -> None:
    """It is the page of something else; below the record whose own message it is."""
    own = invented_facts("7" * 16, "The weir {n} overflowed its banks")

    best, second = ranked("Error: the weir 3 overflowed its banks", SLUICE, own)

    assert best.hit.facts.id == own.id
    assert second.hit.related
    assert not second.pasted
    assert second.probability < 0.5


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        (
            f"TensionError: {TENSION}",
            PYTHON,
            [Reason(Because.WHOLE_LINE), Reason(Because.CLASS_BEFORE, "TensionError")],
        ),
        (f"{TENSION}\n  at x (hawser/lines.py:16)", PYTHON, [Reason(Because.LINE_NAMED, "hawser/lines.py:16")]),
        (f"{TENSION}\n  at x (hawser/lines.py:99)", PYTHON, [Reason(Because.FILE_NAMED, "lines.py")]),
        (f"HAWSER_E17 {TENSION}", CODED, [Reason(Because.CODE_SEEN, "HAWSER_E17")]),
        ("the weir 3 overflowed its banks", SLUICE, [Reason(Because.RELATED)]),
        ("Mooring line tension\nexceeds breaking strength", PYTHON, [Reason(Because.JOINED)]),
        (f"my hawser says: {TENSION}", PYTHON, [Reason(Because.PACKAGE, "hawser")]),
    ],
)
def test_the_reasons_are_things_a_person_can_check(text: str, facts: Facts, expected: list[Reason]) -> None:
    """Which file, which class, which code made the choice (D4)."""
    found = ranked(text, facts)

    said = reasons(found[0], found)

    assert set(expected) <= set(said)


def test_a_draw_is_admitted() -> None:
    """Records that say the same on the same line are counted."""
    found = ranked(TENSION, invented_facts("a" * 16, TENSION), invented_facts("b" * 16, TENSION))

    assert Reason(Because.SAME_MESSAGE, number=1) in reasons(found[0], found)
