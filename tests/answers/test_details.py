"""Everything about a record is somewhere."""

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings

from bot.answers.cleaning import clean_code, clean_line
from bot.answers.cutting import length
from bot.answers.details import FILE_BYTES, compose_details
from bot.answers.plain_text import as_text, details_blocks
from bot.answers.provenance import URL_LENGTH, language_of, safe_url
from bot.locales.words import Words
from bot.records.article import Article
from bot.records.entry import Entry
from tests.sample_entries import CHANNEL_CLOSED, GRADIENT_SYNC, SERVER_DISCONNECTED
from tests.strategies import articles, entries, nasty_texts

ENGLISH = Words.for_language("en")


def test_a_record_shows_all_its_sections() -> None:
    """Solutions first after the meaning, then the fix, when it happens, how to prevent it, and where it is raised."""
    details = compose_details(GRADIENT_SYNC, ENGLISH)

    assert [section.heading for section in details.sections] == [
        "What it means", "Solutions", "Example fix", "What triggers it", "Common situations", "Prevention",
        "Defensive code", "Where it is raised",
    ]  # fmt: skip
    assert details.sections[1].items == GRADIENT_SYNC.solutions
    assert details.page_url == "https://errors.standardbeagle.com/tracel-ai/burn/gradient-sync-server-disconnected/"


def test_a_page_shows_its_related_errors_and_no_page_address() -> None:
    """A page text has no slug, so there is no address to offer."""
    details = compose_details(SERVER_DISCONNECTED, ENGLISH)

    assert details.sections[-1].items == SERVER_DISCONNECTED.related_errors
    assert details.page_url is None


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(entries())
def test_nothing_is_lost(entry: Entry) -> None:
    """D2, D6: every solution, tip and line of code is in the text of the details, whole and in order."""
    text = as_text(details_blocks(compose_details(entry, ENGLISH), ENGLISH))

    position = 0
    for step in filter(None, map(clean_line, entry.solutions)):
        position = text.index(step, position)
    for code in (entry.example_fix, entry.source_code, *entry.snippets):
        lines = clean_code(code or "").split("\n")
        assert all(line in text for line in lines)


def test_an_article_ends_the_details() -> None:
    """Its title, its summary and its first three causes and fixes come after all that is known of the error itself."""
    own = compose_details(GRADIENT_SYNC, ENGLISH).sections

    sections = compose_details(GRADIENT_SYNC, ENGLISH, article=CHANNEL_CLOSED).sections

    assert sections[: len(own)] == own
    assert [section.heading for section in sections[len(own) :]] == [
        "About this kind of error", "Common causes of this kind", "What helps with this kind",
    ]  # fmt: skip
    about, causes, fixes = sections[len(own) :]
    assert about.text == f"{CHANNEL_CLOSED.title}\n{CHANNEL_CLOSED.summary}"
    assert causes.items == (
        "The other thread panicked: Its half is dropped while its stack unwinds.",
        "Teardown in the wrong order",
        "The runtime shut down: `Runtime::drop` cancels tasks.",
    )
    assert fixes.items == CHANNEL_CLOSED.fixes


@given(articles())
def test_an_article_is_bounded_and_its_texts_are_no_headings(article: Article) -> None:
    """D1: however long it is; headings are ours, since they are shown as they are."""
    details = compose_details(SERVER_DISCONNECTED, ENGLISH, article=article)
    own = compose_details(SERVER_DISCONNECTED, ENGLISH).sections

    added = details.sections[len(own) :]
    assert {section.heading for section in added} <= {
        "About this kind of error", "Common causes of this kind", "What helps with this kind",
    }  # fmt: skip
    texts = [text for section in added for text in (*section.text.split("\n"), *section.items) if text]
    assert sum(map(length, texts)) <= 120 + 500 + 6 * 200
    assert all(text == clean_line(text) for text in texts)


def test_endless_code_is_cut_at_a_line() -> None:
    """A file stays far below what Discord takes, and ends with a whole line."""
    record = dataclasses.replace(GRADIENT_SYNC, example_fix="let x = 'ä';\n" * 200_000)

    (file,) = compose_details(record, ENGLISH).files

    assert len(file.data) <= FILE_BYTES + 10
    assert file.data.decode().endswith("let x = 'ä';\n…\n")


@pytest.mark.parametrize(
    ("path", "language"),
    [("src/lib.rs", "rs"), ("a/b.test.TS", "ts"), ("Makefile", ""), ("x.`rs", ""), ("a.b/c", ""), (None, "")],
)
def test_the_language_is_the_files_ending(path: str | None, language: str) -> None:
    """A code fence is named by a known, harmless ending or not at all."""
    assert language_of(dataclasses.replace(GRADIENT_SYNC, file_path=path)) == language


@pytest.mark.parametrize(
    "url",
    [
        "http://github.com/x", "https://u:p@github.com/", "https://u@github.com/", "javascript:alert(1)", "https://", "",
        "https://localhost/", "https://github.com:99999/", "https://github.com/\u202egnp", "https://[::1/", None,
        "https://github.com/" + "x" * 600, "https://github.com/a\nb",
    ],
)  # fmt: skip
def test_doubtful_addresses_get_no_button(url: str | None) -> None:
    """Only plain https with a host stands behind a button."""
    assert safe_url(url) is None


@given(nasty_texts(6))
def test_addresses_are_ascii_and_short(path: str) -> None:
    """What is left of any address is something Discord accepts."""
    url = safe_url(f"https://github.com/{path}")

    assert url is None or (url.isascii() and len(url) <= URL_LENGTH and not set(url) & set(' <>"`\\'))
