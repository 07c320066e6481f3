"""JSON from strangers: one clear sentence, never a crash."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.errors import InvalidSource
from bot.sources.json_text import DEEPEST_NESTING, parse_json


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is not JSON: Expecting value (column 1)"),
        (b'{"a": 1', "is not JSON: Expecting ',' delimiter (column 8)"),
        (b'{\n "a": }', "is not JSON: Expecting value (line 2, column 7)"),
        (b'{"a": 1} x', "is not JSON: Extra data (column 10)"),
        (b"\xff\xfe", "is not UTF-8 text (byte 0)"),
        (b'{"a": NaN}', "holds NaN, which is no JSON number"),
        (b"[-Infinity]", "holds -Infinity, which is no JSON number"),
        (b"[1e999]", "holds a number too large to be kept"),
        (b"[" + b"9" * 5000 + b"]", "holds an integer of 5000 digits"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', 'holds the field "c" twice'),
        (b'["\\ud800"]', "holds half of a surrogate pair, which is no character"),
        (b'{"\\udfff": 1}', "holds half of a surrogate pair, which is no character"),
        (b'[{"a": ["x\\uDC00y"]}]', "holds half of a surrogate pair, which is no character"),
        (b"[" * 100_000, f"is nested more than {DEEPEST_NESTING} levels deep"),
        (b"[" * 70 + b"]" * 70, f"is nested more than {DEEPEST_NESTING} levels deep"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, f"is nested more than {DEEPEST_NESTING} levels deep"),
        (b'"\x01"', "is not JSON: Invalid control character at (column 2)"),
    ],
    ids=range(17),
)
def test_hostile_json_gives_one_sentence(data: bytes, problem: str) -> None:
    """Each kind of bad JSON is named, with the place where there is one."""
    with pytest.raises(InvalidSource, match=re.escape(problem)) as caught:
        parse_json(data, "f.json")

    assert caught.value.problems == (f"f.json: document: {problem}",)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\xef\xbb\xbf[1]", [1]),
        (b'["\\ud83d\\ude00"]', ["😀"]),
        (b'["\\\\ud800"]', ["\\ud800"]),
        (b"[" * 60 + b"]" * 60, None),
        (b'["' + b"[" * 200 + b'"]', ["[" * 200]),
        (b"[1.5, 9223372036854775807]", [1.5, 9223372036854775807]),
    ],
    ids=range(6),
)
def test_what_only_looks_hostile_is_read(data: bytes, value: object) -> None:
    """Whole surrogate pairs, brackets in strings, sixty levels and a byte order mark are fine."""
    document = parse_json(data, "f.json")

    assert value is None or document == value


@given(st.binary(max_size=60) | st.text('[]{}",:0-9.eE\\udD8 truefalsn', max_size=60).map(str.encode))
def test_any_bytes_are_json_or_refused(data: bytes) -> None:
    """Nothing but InvalidSource comes out of what is no JSON; what is read can be written as UTF-8 again."""
    try:
        document = parse_json(data, "fuzz")
    except InvalidSource:
        return

    assert json.loads(json.dumps(document, ensure_ascii=False, allow_nan=False).encode()) == document
