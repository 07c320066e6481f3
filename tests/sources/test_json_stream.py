"""Long JSON lists item by item."""

import contextlib
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.errors import InvalidSource
from bot.sources.json_stream import LARGEST_ITEM, fields_of_object, items_of_list

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc\u00e9", max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def in_pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


@given(st.lists(VALUES, max_size=6), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_a_list_in_pieces_is_the_list(items: list[object], size: int, ascii_only: bool, indent: int | None) -> None:
    """However it is written and cut, also in the middle of a character, a number or an escape."""
    data = json.dumps(items, ensure_ascii=ascii_only, indent=indent).encode()

    assert list(items_of_list(in_pieces(data, size), "x")) == items


@given(
    st.dictionaries(st.text("abc", max_size=3), VALUES, max_size=4), st.lists(VALUES, max_size=4), st.integers(1, 40)
)
def test_an_object_in_pieces_is_the_object(fields: dict[str, object], items: list[object], size: int) -> None:
    """The long field comes item by item, wherever it stands, the others whole."""
    for document in ({**fields, "long": items}, {"long": items, **fields}):
        found = list(fields_of_object(in_pieces(json.dumps(document).encode(), size), "x", long="long"))

        assert [value for name, value in found if name == "long"] == items
        assert {name: value for name, value in found if name != "long"} == fields


@given(st.binary(max_size=60), st.integers(1, 10))
def test_whatever_comes_is_a_list_or_refused(data: bytes, size: int) -> None:
    """No other exception, and no list that `json` would not read."""
    items: list[object] | None = None
    with contextlib.suppress(InvalidSource):
        items = list(items_of_list(in_pieces(data, size), "x"))

    assert items is None or json.loads(data.decode("utf-8-sig")) == items


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it ends where [ should stand"),
        (b"<html>", 'it has "<" where [ should stand'),
        (b"[1", "it ends where , should stand"),
        (b"[1,]", "is not JSON: Expecting value"),
        (b"[1 2]", 'it has "2" where , should stand'),
        (b'["\xff"]', "is not UTF-8 text"),
        (b"[1] [2]", "goes on behind its end"),
        (b"[" * 9_000, "nested more than 64 levels deep"),
        (b"[" + b"[" * 70 + b"]" * 70 + b"]", "nested more than 64 levels deep"),
        (b"[NaN]", "holds NaN"),
        (b'["\\ud800"]', "half of a surrogate pair"),
        (b'[{"a": 1, "a": 2}]', 'holds the field "a" twice'),
        (b"[" + b"9" * 400 + b"]", "an integer of 400 digits"),
        (b'["' + b"x" * (LARGEST_ITEM + 2**20), "holds an item of more than 4 MiB"),
    ],
)
def test_what_is_no_list_is_refused(data: bytes, said: str) -> None:
    """With the reason, as `parse_json` gives it for a whole document."""
    with pytest.raises(InvalidSource) as refused:
        list(items_of_list(in_pieces(data, 2**16), "x"))
    assert said in refused.value.problems[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}", 'has no field "long"'),
        (b"[]", "where { should stand"),
        (b'{"long": [], "long": []}', 'holds the field "long" twice'),
        (b'{"long" []}', "where : should stand"),
        (b"{1: 2}", "whose name is not a string"),
    ],
)
def test_what_is_no_such_object_is_refused(data: bytes, said: str) -> None:
    """A missing list is one of the reasons."""
    with pytest.raises(InvalidSource) as refused:
        list(fields_of_object([data], "x", long="long"))
    assert said in refused.value.problems[0]


def test_memory_holds_an_item_and_not_the_list() -> None:
    """Pieces are asked for when the items before them were taken."""
    taken = 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        for piece in [b"[", *[b'"' + b"x" * 100 + b'",'] * 1000, b"1]"]:
            taken += 1
            yield piece

    items = items_of_list(pieces(), "x")
    next(items)

    assert taken < 5
