"""Rules: one pattern a form, headings, and what follows an error."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.readers.containers import COMPOSE, DOCKER
from bot.pastes.readers.databases import MONGODB, MYSQL, REDIS
from bot.pastes.readers.found import CleanLine, Frame, Reader, Span
from bot.pastes.readers.git_ssh import GIT, SSH
from bot.pastes.readers.kubernetes import HELM, KUBERNETES
from bot.pastes.readers.line_rules import MOST_FOLLOWING, RuleReader, rule
from bot.pastes.readers.postgresql import POSTGRESQL
from bot.pastes.readers.powershell import POWERSHELL
from bot.pastes.readers.shells import SHELL
from bot.pastes.readers.starts import LONGEST_READ
from bot.pastes.readers.system import NGINX, SYSTEMD
from bot.pastes.readers.terraform import TERRAFORM

_TOOLS: tuple[Reader, ...] = (
    *(TERRAFORM, HELM, KUBERNETES, COMPOSE, DOCKER, GIT, SSH, NGINX, SYSTEMD),
    *(POSTGRESQL, MYSQL, REDIS, MONGODB, POWERSHELL, SHELL),
)
_TOY = RuleReader(
    "toy",
    (
        rule(r"^(?P<message>)broken:$", also=r"^- (?P<message>.+)$"),
        rule(r"^(?P<file>\w+\.toy):(?P<line>\d+): (?P<message>.+)$", also=r"^(?:code (?P<code>\d+)|note: .*)$"),
        rule(r"^(?P<code>\w+)! (?P<message>.+)$", code="never used"),
    ),
)


def _lines(text: str) -> list[CleanLine]:
    return [
        CleanLine(line.strip(), number, len(line) - len(line.lstrip())) for number, line in enumerate(text.split("\n"))
    ]


def test_groups_become_the_fields_of_an_error() -> None:
    """File and line make a frame; what follows fills the rest and belongs to the span."""
    [error] = _TOY.read(_lines("all well\na.toy:3: no such toy\nnote: look below the bed\ncode 17\nall well"))

    assert (error.message, error.code, error.frames) == ("no such toy", "17", (Frame("a.toy", 3),))
    assert error.span == Span(1, 3)


def test_a_heading_without_a_message_is_no_error() -> None:
    """`broken:` says nothing by itself; with its list it is one error."""
    assert list(_TOY.read(_lines("broken:\nall well"))) == []

    [error] = _TOY.read(_lines("broken:\n- the wheel\n- the horn"))

    assert error.message == "the wheel\nthe horn"


def test_what_the_line_says_goes_before_what_the_rule_says() -> None:
    """A rule's own code is for forms that do not print one."""
    [error] = _TOY.read(_lines("E7! flat tyre"))

    assert error.code == "E7"


def test_what_follows_is_bounded() -> None:
    """A hundred notes are not one error."""
    [error] = _TOY.read(_lines("a.toy:3: no such toy" + "\nnote: again" * 100))

    assert error.span == Span(0, MOST_FOLLOWING)


def test_a_line_is_read_up_to_its_bound() -> None:
    """The message of a line of a megabyte is cut, and a number of a million digits is none."""
    [long] = _TOY.read(_lines("E7! " + "x" * 1_000_000))
    [wide] = _TOY.read(_lines(f"a.toy:{'9' * 2_000}: no such toy"))

    assert len(long.message) == LONGEST_READ - len("E7! ")
    assert wide.frames == (Frame("a.toy", 999_999_999),)


@pytest.mark.parametrize(
    "text",
    [
        "I keep getting fatal: not a git repository, any idea?",
        "does anybody know what ERROR 1045 (28000) means here",
        "the docs say Error response from daemon: means the engine refused it",
        "Permission denied is what it says when the key is wrong",
        "# Failed to connect? Read this first",
        "expected pizza but got pasta: Missing cheese",
        "we moved to Terraform last year\nError: my sandwich is missing\nsend help",
        "my pod restarts, BackOff or something, 0/1 ready",
        "Failed on Monday, nginx: the usual [error] page",
        "unauthorized: you shall not pass",
        "error: Missing semicolon",
        "division by zero",
        "INFO table sync for orders: 4 rows, nothing already exists",
    ],
)
def test_talk_is_left_alone(text: str) -> None:
    """No reader of a tool takes a sentence about its errors, or words it merely shares with others (A1, A4)."""
    claimed = {tool.name: [error.message for error in tool.read(_lines(text))] for tool in _TOOLS}

    assert not {name: messages for name, messages in claimed.items() if messages}


_PIECES = st.sampled_from(
    [
        *(
            "╷",
            "╵",
            "│ ",
            "│ Error: x",
            "Error: ",
            "on main.tf line 3:",
            "At C:\\a.ps1:",
            "1 char:1",
            " : ",
            "Line |",
            "~~~",
        ),
        *(
            "CategoryInfo : ",
            "ERROR:  ",
            "LINE 1: ",
            "DETAIL: ",
            "fatal: ",
            "error: ",
            "SQLSTATE[42P01]: ",
            "x.service: ",
        ),
        *(
            '{"t":{"$date":1},"s":"E","attr":',
            "[]}",
            '{"error":{"errmsg":3}}}',
            "Dockerfile:3",
            "failed to solve: x",
            "\n",
            "\n\n",
        ),
    ]
)


@given(st.lists(st.one_of(_PIECES, st.text(max_size=20)), max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    """Whatever is pasted: no exception, every error says something and stands inside the text (E1)."""
    lines = _lines(text)

    for tool in _TOOLS:
        for error in tool.read(lines):
            assert error.message
            assert error.reader == tool.name
            assert 0 <= error.span.first <= error.span.last <= lines[-1].number


@pytest.mark.parametrize(
    "piece",
    ["│ Error: x", "At C:\\x.ps1:3 char:1", "ERROR: x\nLINE 1: y", "a: " * 1_300, "fatal: x", "x'" * 2_000, "Error: x"],
)
def test_time_grows_with_the_text_only(piece: str) -> None:
    """Four times as much of the same takes about four times as long in every reader (E3)."""
    few = _lines("\n".join([piece] * 250))
    many = _lines("\n".join([piece] * 1_000))
    short = long = 0.0

    for _ in range(3):
        for tool in _TOOLS:
            started = time.process_time()
            list(tool.read(few))
            between = time.process_time()
            list(tool.read(many))
            short, long = short + between - started, long + time.process_time() - between

    # quadratic work would show a factor of sixteen
    assert long < 9 * short + 0.2
