"""A page as a record."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.decode import decode_record, encode_record
from bot.records.derived import (
    DERIVED_FIELD,
    pattern_as_upstream,
    record_of_page,
    records_of_pages,
    slug_of,
    unused_slug,
)
from bot.records.record import ErrorType
from tests.sample_entries import COMMIT, GRADIENT_SYNC, SERVER_DISCONNECTED


@pytest.mark.parametrize(
    ("message", "slug"),
    [
        # Addresses that upstream gave, and such as fit the messages of its catalogue.
        ("Gradient sync server disconnected.", "gradient-sync-server-disconnected"),
        ("Failed to fetch archive: ${response.status}", "failed-to-fetch-archive"),
        (
            "--appendPort=false not supported when in multihost mode",
            "appendport-false-not-supported-when-in-multihost-mode",
        ),
        ("provider %s does not have an action channel for %s", "provider-does-not-have-an-action-channel-for"),
        (
            "Reordering of (A, B) failed because the transformed matrix pair (A, B) would be too far from",
            "reordering-of-a-b-failed-because-the-transformed-matrix-pair",
        ),
        ("Превышено время ожидания", "e042"),
        ("{}", "e042"),
    ],
)
def test_slugs_are_the_words_of_the_message(message: str, slug: str) -> None:
    """Lowercase, without placeholders, at most 60 characters; a message without a Latin word gets what stands for it."""
    assert slug_of(message, "E042") == slug


@given(st.text(), st.from_regex(r"[0-9a-f]{16}", fullmatch=True))
def test_a_slug_is_kebab_whatever_the_message(message: str, record_id: str) -> None:
    """The rule of the schema holds for every message."""
    slug = slug_of(message, record_id)

    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
    assert len(slug) <= 60


def test_a_slug_without_any_words_is_refused() -> None:
    """There is nothing to make an address of."""
    with pytest.raises(ValueError, match="letter or digit"):
        slug_of("{}", "…")


def test_a_taken_slug_gets_the_first_free_number() -> None:
    """As upstream numbers them, from 2 on."""
    assert unused_slug("a-b", {"c"}) == "a-b"
    assert unused_slug("a-b", {"a-b", "a-b-2"}) == "a-b-3"


def test_patterns_are_upstreams() -> None:
    """Literal parts escaped, a placeholder (.+?), also at the end."""
    assert pattern_as_upstream(" Failed (id {id}): {err:?}") == r"Failed \(id (.+?)\): (.+?)"


def test_a_page_becomes_a_valid_record_that_says_what_was_derived() -> None:
    """G5: our own decoder reads it back equal; what the page tells is in it, and nothing it does not tell is made up."""
    page = replace(SERVER_DISCONNECTED, snippets=("probe()", "retry()"), related_errors=("Failed to send",))

    record = record_of_page(page, "server-disconnected")

    assert decode_record(encode_record(record), "a test") == record
    assert (record.id, record.repo, record.error_message) == (page.id, page.repo, page.error_message)
    assert (record.documentation, record.solutions) == (page.documentation, page.solutions)
    assert record.analyzed_sha == page.analyzed_sha + "0" * (40 - len(page.analyzed_sha))
    assert page.analyzed_sha + "/" in record.github_url
    assert record.error_type is ErrorType.EXCEPTION
    assert (record.validation_code, record.type_guard, record.try_catch_pattern) == (None, None, None)
    assert record.unknown["snippets"] == list(page.snippets)
    assert record.unknown["relatedErrors"] == list(page.related_errors)
    derived = record.unknown[DERIVED_FIELD]
    assert isinstance(derived, list)
    assert {"slug", "messagePattern", "errorType", "analyzedSha"} <= set(derived) <= encode_record(record).keys()


def test_a_code_makes_the_type_and_a_known_commit_the_digits() -> None:
    """A commit that begins with the page's digits is the page's; a page without a file points at the commit's tree."""
    page = replace(SERVER_DISCONNECTED, title="E0425", file_path=None)

    record = record_of_page(page, "e0425", ["0" * 40, COMMIT])

    assert (record.error_type, record.error_code) == (ErrorType.ERROR_CODE, "E0425")
    assert record.analyzed_sha == COMMIT
    assert record.github_url == f"https://github.com/{page.repo}/tree/{page.analyzed_sha}"


def test_pages_of_one_repository_share_no_slug() -> None:
    """Neither with each other nor with the records beside them, in whatever order they come."""
    pages = [replace(SERVER_DISCONNECTED, id=str(n) * 16, error_message=GRADIENT_SYNC.error_message) for n in (2, 1)]

    records = records_of_pages(pages, [GRADIENT_SYNC])

    assert [record.id for record in records] == ["1" * 16, "2" * 16]
    assert [record.slug for record in records] == [f"{GRADIENT_SYNC.slug}-2", f"{GRADIENT_SYNC.slug}-3"]
    assert records == records_of_pages(reversed(pages), [GRADIENT_SYNC])
    assert {record.analyzed_sha for record in records} == {COMMIT}
