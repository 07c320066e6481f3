"""Background articles as they are published."""

import json

import pytest

from bot.records.article import Cause
from bot.sources.dataset_articles import decode_article, decode_article_list, encode_article
from bot.sources.dataset_errors import InvalidDataset
from tests.dataset_standin import article, as_json


def test_an_article_is_read_and_written() -> None:
    """What was read is written in upstream's names, and read back the same."""
    read = decode_article(as_json(article("broken-channel", novel=1)), "broken-channel", "x")

    assert (read.title, read.common_causes, read.fixes) == (
        "About broken-channel",
        (Cause("Haste", "Too much of it."),),
        ("Wait.",),
    )
    assert decode_article(as_json(encode_article(read)), "broken-channel", "x") == read


def test_a_fix_may_have_parts() -> None:
    """The contract leaves open whether it is a sentence."""
    read = decode_article(as_json(article("a", fixes=[{"fix": "Wait", "detail": "An hour."}, "Go home."])), "a", "x")

    assert read.fixes == ("Wait: An hour.", "Go home.")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": None}, "title: is null"),
        ({"clusterKey": 7}, "clusterKey: is a number"),
        ({"commonCauses": ["haste"]}, "commonCauses: holds a string"),
        ({"errorIds": ["xyz"]}, "errorIds"),
        ({"slug": "b"}, "slug: is b, not a"),
        ({"generatedAt": "yesterday"}, "generatedAt"),
    ],
)
def test_a_wrong_article_is_refused(changes: dict[str, object], said: str) -> None:
    """With its field."""
    with pytest.raises(InvalidDataset, match=said):
        decode_article(as_json({**article("a"), **changes}), "a", "x")


@pytest.mark.parametrize(
    "document", [[{"slug": "a"}, {"slug": "b"}], {"pages": [{"slug": "a"}, {"slug": "b"}], "n": 2}, ["a", "b"]]
)
def test_the_list_names_them(document: object) -> None:
    """Alone, or as the one list of an object."""
    assert list(decode_article_list(as_json(document), "x")) == ["a", "b"]


def test_a_changed_line_has_another_digest() -> None:
    """The order of its fields does not matter."""
    first, same, other = (
        decode_article_list(json.dumps([line]).encode(), "x")["a"]
        for line in ({"slug": "a", "title": "A"}, {"title": "A", "slug": "a"}, {"slug": "a", "title": "B"})
    )

    assert first == same != other


@pytest.mark.parametrize("document", [{}, 7, [{"slug": "../up"}], [{}], {"a": [], "b": []}])
def test_a_wrong_list_is_refused(document: object) -> None:
    """Also one whose names would lead elsewhere."""
    with pytest.raises(InvalidDataset):
        decode_article_list(as_json(document), "x")
