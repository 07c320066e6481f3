"""Lines of JSON and logfmt."""

import pytest

from bot.pastes.readers.structured import Entry, unpacked


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ('{"level":50,"msg":"no"}', Entry(("no",), "ERROR")),
        ('{"severity":"critical","message":"a\\nb"}', Entry(("a", "b"), "CRITICAL")),
        ('{"@l":"Error","@m":"no","@x":"X: no\\n   at F()"}', Entry(("X: no", "   at F()"), "ERROR")),
        ('{"err":{"type":"Lost","message":"gone"}}', Entry(("Lost: gone",), None)),
        ('{"msg":"off: gone","error":"gone"}', Entry(("off: gone",), None)),
        ('level=error msg="a \\"b\\"" err=c', Entry(('a "b": c',), "ERROR")),
    ],
)
def test_message_stack_and_level_are_unpacked(line: str, entry: Entry) -> None:
    """What common loggers name differently is one entry; what is said twice is told once."""
    assert unpacked(line) == entry


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "{not json}",
        '{"port": 80}',
        "[1]",
        "{" * 5000 + "}",
        "key=value",
        "if (level=error) {",
        "msg=",
        "msg=a",
    ],
)
def test_anything_else_is_left_as_it_is(line: str) -> None:
    """A line that carries no entry is read as a line."""
    assert unpacked(line) is None
