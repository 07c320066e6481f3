"""Links of a chain of errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching.chains import depths

JAVA = "org.a.A: wrapper\n\tat org.a.A.a(A.java:1)\nCaused by: org.b.B: middle\n\tat org.b.B.b(B.java:2)\n\t... 1 more\nCaused by: org.c.C: root\n\t... 2 more"
RUST = "Error: wrapper\n\nCaused by:\n    0: middle\n    1: root"
CARGO = "error: wrapper\n\nCaused by:\n  root"
DOTNET = "Unhandled exception. A.A: wrapper\n ---> B.B: middle\n ---> C.C: root\n   at C.C.Run() in /c.cs:line 3\n   --- End of inner exception stack trace ---"
NODE = "Error: wrapper\n    at a (/a.js:1:1) {\n  [cause]: Error: root\n      at b (/b.js:2:2)\n}"
COMPOSE = "app-1  | org.a.A: wrapper\napp-1  | \tat org.a.A.a(A.java:1)\napp-1  | Caused by: org.b.B: root"
PYTHON = (
    'Traceback (most recent call last):\n  File "a.py", line 1\nCError: root\n\n'
    "The above exception was the direct cause of the following exception:\n\n"
    'Traceback (most recent call last):\n  File "a.py", line 2\nBError: middle\n\n'
    "The above exception was the direct cause of the following exception:\n\n"
    'Traceback (most recent call last):\n  File "a.py", line 3\nAError: wrapper'
)
GROUP = "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: wrapper (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | B: root\n    +---------------- 2 ----------------\n    | C: other"


@pytest.mark.parametrize("text", [JAVA, RUST, CARGO, DOTNET, NODE, COMPOSE, PYTHON, GROUP])
@pytest.mark.parametrize("around", ["{}", "2026-01-01 INFO quiet\n{}\n2026-01-01 INFO quiet"])
def test_each_link_is_deeper_than_what_wraps_it(text: str, around: str) -> None:
    """Wrapper, middle and root are one chain, in whichever order the runtime prints them (B11)."""
    lines = around.format(text).splitlines()
    links = depths(lines)

    def link(word: str) -> tuple[int, int] | None:
        return next((links[number] for number, line in enumerate(lines) if word in line), None)

    wrapper, middle, root = link("wrapper"), link("middle"), link("root")
    assert wrapper is not None
    assert root is not None
    assert wrapper[0] == root[0]
    assert wrapper[1] < root[1]
    if middle is not None:
        assert middle[0] == root[0]
        assert wrapper[1] < middle[1] < root[1]


@pytest.mark.parametrize(
    "text",
    [
        "A: one\nB: root",
        "A: one\n\tat x(A.java:1)\nB: root\n\tat x(B.java:1)",
        f"{JAVA.split('Caused', maxsplit=1)[0]}2026-01-01 INFO quiet\nB: root",
        "Traceback (most recent call last):\nAError: one\n\nTraceback (most recent call last):\nBError: root",
    ],
)
def test_errors_that_follow_each_other_are_no_chain(text: str) -> None:
    """Two errors of a log have nothing to do with each other."""
    lines = text.splitlines()
    links = depths(lines)

    assert links[0][0] != links[next(number for number, line in enumerate(lines) if "root" in line)][0]


@given(st.lists(st.text(max_size=60), max_size=60))
def test_every_line_has_a_place(lines: list[str]) -> None:
    """Whatever the text."""
    assert len(depths(lines)) == len(lines)
