"""Links of a chain of errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matching.chains import chains, depth_at
from bot.pastes.readers.found import FoundError, Role, Span
from bot.pastes.readers.reading import read_errors

JAVA = "org.a.AException: wrapper\n\tat org.a.A.a(A.java:1)\nCaused by: org.b.BException: middle\n\tat org.b.B.b(B.java:2)\n\t... 1 more\nCaused by: org.c.CException: root\n\t... 2 more"
RUST = "Error: wrapper\n\nCaused by:\n    0: middle\n    1: root"
CARGO = "error: wrapper\n\nCaused by:\n  root"
DOTNET = "Unhandled exception. A.AException: wrapper\n ---> B.BException: middle\n ---> C.CException: root\n   at C.C.Run() in /c.cs:line 3\n   --- End of inner exception stack trace ---"
NODE = "Error: wrapper\n    at a (/a.js:1:1) {\n  [cause]: Error: root\n      at b (/b.js:2:2)\n}"
COMPOSE = (
    "app-1  | org.a.AException: wrapper\napp-1  | \tat org.a.A.a(A.java:1)\napp-1  | Caused by: org.b.BException: root"
)
PYTHON = (
    'Traceback (most recent call last):\n  File "a.py", line 1\nCError: root\n\n'
    "The above exception was the direct cause of the following exception:\n\n"
    'Traceback (most recent call last):\n  File "a.py", line 2\nBError: middle\n\n'
    "The above exception was the direct cause of the following exception:\n\n"
    'Traceback (most recent call last):\n  File "a.py", line 3\nAError: wrapper'
)
GROUP = "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: wrapper (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | BError: root\n    +---------------- 2 ----------------\n    | CError: other\n    +------------------------------------"


@pytest.mark.parametrize("text", [JAVA, RUST, CARGO, DOTNET, NODE, COMPOSE, PYTHON, GROUP])
@pytest.mark.parametrize("around", ["{}", "2026-01-01 INFO quiet\n{}\n2026-01-01 INFO quiet", "{0}\n\n{0}"])
def test_each_link_is_deeper_than_what_wraps_it(text: str, around: str) -> None:
    """Wrapper, middle and root are one chain, in whichever order the runtime prints them (B11)."""
    found = chains(read_errors(around.format(text)))

    chain = next(links for links in found if len(links) > 1)
    said = [next(word for word in ("wrapper", "middle", "root") if word in link.message) for link in chain]
    assert said == (["wrapper", "middle", "root"] if "middle" in text else ["wrapper", "root"])


@pytest.mark.parametrize(
    "text",
    [
        "AError: one\nBError: root",
        "org.a.AError: one\n\tat x(A.java:1)\norg.b.BError: root\n\tat x(B.java:1)",
        f"{JAVA.split('Caused', maxsplit=1)[0]}2026-01-01 INFO quiet\norg.b.BError: root",
        "Traceback (most recent call last):\nAError: one\n\nTraceback (most recent call last):\nBError: root",
    ],
)
def test_errors_that_follow_each_other_are_no_chain(text: str) -> None:
    """Two errors of a log have nothing to do with each other."""
    errors = read_errors(text)

    assert len(errors) > 1
    assert all(len(links) == 1 for links in chains(errors))


def test_the_innermost_link_on_a_line_counts() -> None:
    """.NET prints its inner exceptions inside the span of the outer one."""
    errors = read_errors(DOTNET)
    chain = chains(errors)[0]

    assert [depth_at(chain, line) for line in (0, 1, 2)] == [0, 1, 2]
    assert depth_at(chain, 99) is None


@given(
    st.lists(st.tuples(st.sampled_from(["java", "python", "go"]), st.sampled_from(Role)), max_size=30),
)
def test_every_error_is_a_link_of_one_chain(told: list[tuple[str, Role]]) -> None:
    """None is lost and none doubled, whatever roles stand beside each other."""
    errors = [FoundError(reader, role, str(line), Span(line, line)) for line, (reader, role) in enumerate(told)]

    found = chains(errors)

    assert sorted(int(link.message) for links in found for link in links) == list(range(len(told)))
    assert all(
        links[-1].role is Role.ROOT_CAUSE or Role.ROOT_CAUSE not in {one.role for one in links} for links in found
    )
