"""Records, pages and verdicts as the worst of upstream could send them, for property tests of whoever shows or keeps them.

Texts are ordinary words, everything Unicode has, and what means something to Discord, to terminals and to Markdown.
"""

from datetime import UTC, date, datetime
from typing import Any

from hypothesis import strategies as st

from bot.matching.verdict import Because, Capture, Match, Quote, Reason, Tier, Verdict
from bot.records.article import Article, Cause
from bot.records.entry import Entry
from bot.records.page import Page
from bot.records.record import ErrorType, HandlingStrategy, Record, Severity

NASTY = (
    "@everyone", "@here", "<@123456789012345678>", "<@!1>", "<@&123456789012345678>", "<#123456789012345678>",
    "</error explain:123456789012345678>", "<t:1700000000:R>", "<:emoji:123>", "<a:dance:123>", "<id:customize>",
    "`", "``", "```", "```\n", "\n```\n", "`a`b`", "**bold**", "*i*", "__u__", "_i_", "~~s~~", "||spoiler||", "\\", "\\\\",
    "[click](https://evil.example)", "[a](<https://evil.example>)", "](https://evil.example)", "[", "]", "(", ")",
    "https://evil.example/a_b_c?d=**e**", "<https://evil.example>", "<mailto:a@b.example>", "<+4912345>",
    "# heading", "\n# heading", "\n-# small", "\n> quote", "\n>>> quote", "\n- item", "\n* item", "\n1. item", "\n+ item",
    "\u202e", "\u2066", "\u200b", "\u200d", "\u2060", "\ufeff", "\x00", "\x1b[31m", "\x1b]0;title\x07", "\r", "\r\n", "\u2028",
    "\ud800", "\udfff", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "é", "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "नमस्ते", "שלום", "مرحبا", "한국어", "\U000e0041",
    "snake_case_name", "C:\\Users\\x", "__init__", "Vec<String>", "a::b::<C>()", "%s {} ${x} {err:?}", "foo@1.2.3", "…",
)  # fmt: skip
WORDS = (
    "server",
    "panic",
    "`code()`",
    "closed.",
    "It",
    "failed:",
    "because",
    "e.g.",
    "the",
    "channel",
    "Why?",
    "Ok(None)",
)


def nasty_texts(max_pieces: int = 30) -> st.SearchStrategy[str]:
    """Texts of up to `max_pieces` pieces, each a word, something with a meaning, or any characters at all."""
    piece = st.one_of(
        st.sampled_from(NASTY), st.sampled_from(WORDS), st.text(st.characters(exclude_categories=()), max_size=8)
    )
    glue = st.sampled_from(("", " ", " ", "\n"))
    return st.lists(st.tuples(piece, glue), max_size=max_pieces).map(lambda pieces: "".join(map("".join, pieces)))


def _stretched(text: str, length: int) -> str:
    return (text * (length // max(1, len(text)) + 1))[:length] if length else text


def long_texts(longest: int = 10_000) -> st.SearchStrategy[str]:
    """Nasty texts, as they are or repeated until they are up to `longest` characters long."""
    return st.builds(_stretched, nasty_texts(), _lengths(longest))


def _lengths(longest: int) -> st.SearchStrategy[int]:
    """0, which leaves a text as it is, or a length up to `longest`, extremes more often than by chance."""
    return st.just(0) | st.sampled_from([length for length in (1, 60, 300, 1000, 10_000) if length <= longest])


record_ids = st.text("0123456789abcdef", min_size=16, max_size=16)
_severities = st.sampled_from(list(Severity))
_days = st.dates(date(2024, 1, 1), date(2030, 1, 1))
_lines = st.none() | st.integers(1, 10**6)
_urls = st.one_of(
    st.just("https://github.com/owner/name/blob/d16f7ba2ed/src/lib.rs#L1"),
    st.sampled_from(
        ("http://example.com", "https://user:pw@example.com/", "javascript:alert(1)", "https://", "", "https://a b.c")
    ),
    nasty_texts(5).map(lambda text: f"https://example.com/{text}"),
    st.integers(400, 600).map(lambda length: "https://example.com/".ljust(length, "x")),
)


class _Texts:
    """Texts for the fields of one entry, all made of the same few: drawing every one anew would take seconds."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._few = st.sampled_from(draw(st.lists(nasty_texts(20), min_size=1, max_size=4)))

    def __call__(self, longest: int) -> str:
        return _stretched(self._draw(self._few), self._draw(_lengths(longest)))

    def maybe(self, longest: int) -> str | None:
        return self(longest) if self._draw(st.booleans()) else None

    def several(self, most: int, longest: int = 2000) -> tuple[str, ...]:
        count = self._draw(st.sampled_from((0, 1, 3, most)))
        return tuple(self(longest) for _ in range(min(count, 3))) * (count // 3 + 1)


@st.composite
def records(draw: st.DrawFn, /, **fixed: Any) -> Record:
    """Whole records, every text of them nasty; `fixed` are fields with a value of the test's choice."""
    text = _Texts(draw)
    fields: dict[str, Any] = {
        "id": draw(record_ids),
        "repo": text(60),
        "slug": draw(st.from_regex(r"[a-z][a-z0-9-]{0,60}", fullmatch=True)),
        "error_message": text(1000),
        "message_pattern": "x",
        "error_type": draw(st.sampled_from(list(ErrorType))),
        "severity": draw(_severities),
        "github_url": draw(_urls),
        "documentation": text(10_000),
        "trigger_scenarios": text(3000),
        "common_situations": text(3000),
        "solutions": text.several(20),
        "prevention_tips": text.several(10),
        "tags": ("panic",),
        "analyzed_sha": draw(st.text("0123456789abcdef", min_size=40, max_size=40)),
        "analyzed_at": datetime.combine(draw(_days), datetime.min.time(), UTC),
        "error_code": text.maybe(60),
        "file_path": draw(st.none() | st.just("src/lib.rs") | nasty_texts(8)),
        "line_number": draw(_lines),
        "source_code": text.maybe(10_000),
        "example_fix": text.maybe(10_000),
        "handling_strategy": draw(st.none() | st.sampled_from(list(HandlingStrategy))),
        "validation_code": text.maybe(10_000),
        "type_guard": text.maybe(1000),
        "try_catch_pattern": text.maybe(1000),
    }
    return Record(**(fields | fixed))


@st.composite
def pages(draw: st.DrawFn, /, **fixed: Any) -> Page:
    """Pages, every text of them nasty."""
    text = _Texts(draw)
    message = text(1000)
    fields: dict[str, Any] = {
        "id": draw(record_ids),
        "repo": text(60),
        "severity": draw(_severities),
        "title": message[:60] if draw(st.booleans()) else text(60),
        "error_message": message,
        "message_pattern": "x",
        "documentation": text(10_000),
        "file_path": draw(st.none() | st.just("src/main.py") | nasty_texts(8)),
        "line_number": draw(_lines),
        "source_code": text.maybe(10_000),
        "solutions": text.several(20),
        "example_fix": text.maybe(10_000),
        "snippets": text.several(6, 10_000),
        "prevention_tips": text.several(10),
        "trigger_scenarios": text(3000),
        "common_situations": text(3000),
        "related_errors": text.several(10),
        "analyzed_sha": draw(st.text("0123456789abcdef", min_size=10, max_size=10)),
        "analyzed_on": draw(_days),
    }
    return Page(**(fields | fixed))


@st.composite
def articles(draw: st.DrawFn, /) -> Article:
    """Background articles, every text of them nasty."""
    text = _Texts(draw)
    causes = zip(text.several(20), text.several(20), strict=False)
    return Article(
        slug="a-family",
        cluster_key="a-family",
        title=text(1000),
        summary=text(10_000),
        background=text(10_000),
        common_causes=tuple(Cause(cause, detail) for cause, detail in causes),
        fixes=text.several(20),
    )


def entries() -> st.SearchStrategy[Entry]:
    """Records and pages."""
    return records() | pages()


def reasons() -> st.SearchStrategy[Reason]:
    """Reasons about hostile names; those that name a facet name one."""
    facets = st.sampled_from(["message", "meaning", "trigger"])
    about_texts = st.builds(Reason, st.sampled_from([Because.CLOSE, Because.NEAREST]), facets)
    others = st.sampled_from([one for one in Because if one not in {Because.CLOSE, Because.NEAREST}])
    return about_texts | st.builds(Reason, others, nasty_texts(4), st.integers(0, 999))


@st.composite
def matches(draw: st.DrawFn, record_id: str | None = None) -> Match:
    """Matches with hostile quotes and captures."""
    quotes = st.builds(Quote, nasty_texts(20), st.integers(0, 3), st.integers(1, 10**6))
    captures = st.lists(st.builds(Capture, nasty_texts(3), long_texts(500)), max_size=6).map(tuple)
    return Match(
        record_id or draw(record_ids),
        draw(st.sampled_from(list(Tier))),
        draw(st.floats(0, 1)),
        draw(st.lists(reasons(), max_size=5).map(tuple)),
        draw(st.none() | quotes),
        draw(captures),
        draw(st.booleans()),
    )


@st.composite
def verdicts(draw: st.DrawFn, record_id: str | None = None) -> Verdict:
    """Verdicts with up to six matches and six further errors; the first is `record_id`, where one is given."""
    found = draw(st.lists(matches(), max_size=12, unique_by=lambda match: match.record_id))
    found = [match for match in found if match.record_id != record_id]
    first = (draw(matches(record_id)),) if record_id else ()
    return Verdict(
        (*first, *found[:6]),
        tuple(found[6:]),
        is_error=draw(st.booleans()),
        why_error=draw(nasty_texts(5)),
        shown=draw(st.booleans()),
        degraded=draw(st.none() | nasty_texts(5)),
    )


@st.composite
def answered_entries(draw: st.DrawFn) -> tuple[Verdict, Entry]:
    """An entry and a verdict that names it first."""
    entry = draw(entries())
    return draw(verdicts(entry.id)), entry
