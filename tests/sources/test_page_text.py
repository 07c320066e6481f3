"""Error pages, read back into their fields."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.errors import InvalidRecord
from bot.records.record import Severity
from bot.sources.page_text import is_page, parse_page
from tests.shared_data import REPOSITORY

SEEDS = REPOSITORY / "seeds"

FOOTER = (
    "AI-assisted analysis of o/n@d16f7ba2ed (2026-09-05). Data as JSON: /api/errors/4df974a0eb9a8beb. "
    "Report an issue: GitHub."
)
FULL_PAGE = f"""o/n · error · SyncError

Could not open {{path}} because the server went away while r…

Error message

Could not open {{path}} because the server went away while reading {{err:?}}

What it means

First paragraph.

Second paragraph, about Solutions.

Source

Thrown at src/a b.rs:17

    let text = "
Error message

Solutions

1. not a solution
    ";

View on GitHub (pinned to d16f7ba2ed)

Solutions

1. Try this.
   It has a second line.
2. Try that:

   indented continuation
3. Give up.

Example fix

// before
f(

    1,
);

g();

Validate before calling

if ok(path) {{

    open(path)
}}

Type guard

isPath(x)

Try / catch

try {{ open() }} catch (e) {{}}

Prevention

• Check first.
• Check twice.

When it happens

Trigger: The server stops.

It may also never start.

Common situations: Deployments.

Related errors

• Could not close {{path}}
• Other: • with a bullet

{FOOTER}
"""


def without(start: str, end: str) -> str:
    return FULL_PAGE[: FULL_PAGE.index(start)] + FULL_PAGE[FULL_PAGE.index(end) :]


def test_the_first_page_seed_has_its_values() -> None:
    """The shipped page is read whole: header, source, lists, bare code, circumstances, related errors, last line."""
    page = parse_page((SEEDS / "000_a120b3c55ead9138.txt").read_text(encoding="utf-8"), "seed")

    assert (page.id, page.repo, page.severity) == ("4df974a0eb9a8beb", "tracel-ai/burn", Severity.CRITICAL)
    assert page.title == page.error_message == page.message_pattern == "Server disconnected during initialization"
    assert page.documentation.startswith("During session init the client sends `RemoteMessage::Init`")
    assert page.documentation.endswith("before answering the handshake.")
    assert (page.file_path, page.line_number) == ("crates/burn-remote/src/client/service.rs", 179)
    assert page.source_code is not None
    assert page.source_code.splitlines()[0] == "        request: &mut SubmitChannel,"
    assert (
        page.source_code.splitlines()[-1] == '                other => panic!("Expected Init response, got {other:?}"),'
    )
    assert len(page.source_code.splitlines()) == 37
    assert len(page.solutions) == 5
    assert page.solutions[4] == "Retry connecting — transient server restarts produce exactly this one-shot failure."
    assert page.example_fix is not None
    assert page.example_fix.splitlines()[-1] == "let device = RemoteDevice::new(&current_endpoint_from_config());"
    assert [snippet.splitlines()[0] for snippet in page.snippets] == [
        "// Probe the server before creating a remote device:",
        "// handshake_async surfaces the failure as a String error then panics; isolate init:",
    ]
    assert page.trigger_scenarios.startswith("The burn-remote server process crashes or exits")
    assert page.common_situations.endswith("a reverse proxy that buffers websockets.")
    assert page.related_errors == (
        "Can deserialize init handshake payload",
        "Failed to open remote 'data' channel to {address}: {err:?}.",
        "Failed to receive message from websocket: {err:?}",
        "Failed to close WebSocket stream",
        "Failed to send download id",
    )
    assert (page.analyzed_sha, page.analyzed_on) == ("d16f7ba2ed", date(2026, 9, 5))
    assert page.prevention_tips == ()
    assert page.error_code is None


def test_the_second_page_seed_has_its_values() -> None:
    """A source excerpt with blank lines and two bare snippets come out whole."""
    page = parse_page((SEEDS / "002_c986a91a3cf9e535.txt").read_text(encoding="utf-8"), "seed")

    assert (page.id, page.severity) == ("c680d5d5ffa880ce", Severity.ERROR)
    assert page.error_message == "Can bind the Burn Remote server endpoint"
    assert (page.file_path, page.line_number) == ("crates/burn-remote/src/transport/iroh/server.rs", 30)
    assert page.source_code is not None
    assert page.source_code.startswith("use std::sync::Arc;\n\n/// Serve Burn Remote")
    assert page.source_code.endswith("        .spawn();")
    assert len(page.solutions) == 4
    assert [snippet.splitlines()[0] for snippet in page.snippets] == [
        "// Check UDP/network availability before binding the iroh endpoint",
        "for attempt in 0..3 {",
    ]
    assert page.trigger_scenarios.startswith("Server startup with the iroh feature")
    assert page.related_errors[-1] == "Server disconnected during initialization"


def test_a_page_with_every_section_is_read() -> None:
    """Each section ends where the next begins, whatever words stand in code and prose."""
    page = parse_page(FULL_PAGE, "page")

    assert page.error_class == "SyncError"
    assert page.title == "Could not open {path} because the server went away while r…"
    assert page.error_message == "Could not open {path} because the server went away while reading {err:?}"
    assert page.message_pattern == r"Could not open (.*?) because the server went away while reading (.*)"
    assert page.error_code is None
    assert page.documentation == "First paragraph.\n\nSecond paragraph, about Solutions."
    assert (page.file_path, page.line_number) == ("src/a b.rs", 17)
    assert page.source_code == '    let text = "\nError message\n\nSolutions\n\n1. not a solution\n    ";'
    assert page.solutions == (
        "Try this.\n   It has a second line.",
        "Try that:\n\n   indented continuation",
        "Give up.",
    )
    assert page.example_fix == "// before\nf(\n\n    1,\n);"
    assert page.snippets == ("g();", "if ok(path) {\n\n    open(path)\n}", "isPath(x)", "try { open() } catch (e) {}")
    assert page.prevention_tips == ("Check first.", "Check twice.")
    assert page.trigger_scenarios == "The server stops.\n\nIt may also never start."
    assert page.common_situations == "Deployments."
    assert page.related_errors == ("Could not close {path}", "Other: • with a bullet")


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(line_end: str) -> None:
    """A page saved on another system, with a byte order mark, is the same page."""
    assert parse_page("\ufeff" + FULL_PAGE.replace("\n", line_end), "page") == parse_page(FULL_PAGE, "page")


@pytest.mark.parametrize(
    ("start", "end", "emptied"),
    [
        ("What it means", "Source", {"documentation"}),
        ("Source\n", "Solutions\n\n1. Try", {"file_path", "line_number", "source_code"}),
        ("Solutions\n\n1. Try", "Example fix", {"solutions"}),
        ("Example fix", "Validate before", {"example_fix", "snippets"}),
        ("Validate before", "Prevention", {"snippets"}),
        ("Prevention", "When it", {"prevention_tips"}),
        ("When it", "Related errors", {"trigger_scenarios", "common_situations"}),
        ("Trigger:", "Common situations:", {"trigger_scenarios"}),
        ("Common situations:", "Related errors", {"common_situations"}),
        ("Related errors", "AI-assisted", {"related_errors"}),
    ],
)
def test_sections_may_be_missing(start: str, end: str, emptied: set[str]) -> None:
    """A page without a section lacks what stood in it, and nothing else."""
    page, whole = parse_page(without(start, end), "page"), parse_page(FULL_PAGE, "page")

    assert {name for name in type(page).__slots__ if getattr(page, name) != getattr(whole, name)} == emptied


def test_title_stands_in_for_a_missing_message() -> None:
    """A page without its message section is found by its title, as far as that goes."""
    page = parse_page(without("Error message", "What it means"), "page")

    assert page.error_message == "Could not open {path} because the server went away while r…"
    assert page.message_pattern == "Could not open (.*?) because the server went away while r"


def test_a_title_may_be_a_code() -> None:
    """A page headed by a code tells the code."""
    page = parse_page(FULL_PAGE.replace("Could not open {path} because the server went away while r…", "E0425"), "page")

    assert page.error_code == "E0425"


def test_an_excerpt_may_quote_a_page() -> None:
    """The excerpt ends at the link that a section follows, not at one it quotes."""
    link = "View on GitHub (pinned to d16f7ba2ed)"
    quoting = FULL_PAGE.replace("Error message\n\nSolutions", f"{link}\n\nSolutions", 1)

    page = parse_page(quoting, "page")

    assert page.source_code == f'    let text = "\n{link}\n\nSolutions\n\n1. not a solution\n    ";'
    assert page.solutions[0].startswith("Try this.")


def test_all_problems_of_a_page_come_at_once() -> None:
    """What cannot be found or is wrong is named by upstream's fields, all together."""
    broken = FULL_PAGE.replace("· error", "· fatal").replace("o/n@", "x/y@").replace("4df974a0eb9a8beb", "4DF9")

    with pytest.raises(InvalidRecord) as caught:
        parse_page(broken, "p.txt")

    assert str(caught.value).splitlines() == [
        'p.txt: id: "4DF9" is not 16 lowercase hex digits',
        'p.txt: severity: "fatal" is none of critical, error, warning, info',
        "p.txt: repo: the first line says o/n, the last x/y",
    ]


def test_a_page_without_its_last_line_says_what_is_missing() -> None:
    """The id, commit and day stand in the last line only."""
    with pytest.raises(InvalidRecord) as caught:
        parse_page(without("AI-assisted", FOOTER[-20:]), "p.txt")

    assert caught.value.problems == ("id: is missing", "analyzedSha: is missing", "analyzedOn: is missing")


def test_pages_are_recognised_by_their_first_line() -> None:
    """A README, a log and JSON are no pages."""
    assert is_page(FULL_PAGE)
    assert is_page("\ufeff\r\n\r\n" + FULL_PAGE)
    assert not is_page("# seeds\n\no/n · error")
    assert not is_page('{"id": 1}')
    assert not is_page("")


WORDS = st.sampled_from(FULL_PAGE.split("\n\n"))


@given(st.lists(WORDS | st.text(max_size=30), max_size=25).map("\n\n".join))
def test_shuffled_pages_never_break_the_parser(text: str) -> None:
    """Any mixture of sections and noise is a page or an InvalidRecord."""
    problems: tuple[str, ...] = ()
    try:
        page = parse_page(f"o/n · error\n\n{text}\n\n{FOOTER}", "fuzz")
    except InvalidRecord as invalid:
        problems = invalid.problems

    assert problems or page.id == "4df974a0eb9a8beb"


@given(st.text())
def test_any_text_is_a_page_or_refused(text: str) -> None:
    """Text that is no page is refused with its problems, whatever it holds."""
    with pytest.raises(InvalidRecord):
        parse_page(text, "fuzz")


SENTENCES = st.text(st.characters(categories=["L", "N"], include_characters=" .,:{}()"), min_size=1, max_size=40).map(
    lambda text: f"x{text}".strip()
)


@given(SENTENCES, SENTENCES, st.lists(SENTENCES, min_size=1, max_size=5), st.lists(SENTENCES, min_size=1, max_size=5))
def test_what_a_page_was_written_from_is_read_back(
    message: str, meaning: str, solutions: list[str], related: list[str]
) -> None:
    """A page put together from fields gives those fields again."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(solutions, start=1))
    bullets = "\n".join(f"• {text}" for text in related)
    text = (
        f"o/n · error\n\n{message[:60]}\n\nError message\n\n{message}\n\nWhat it means\n\n{meaning}\n\n"
        f"Solutions\n\n{numbered}\n\nRelated errors\n\n{bullets}\n\n{FOOTER}\n"
    )

    page = parse_page(text, "written")

    assert (page.error_message, page.documentation) == (message, meaning)
    assert (page.solutions, page.related_errors) == (tuple(solutions), tuple(related))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "unit",
    ["(\n\n", "View on GitHub (pinned to d16f7ba2ed)\n\n", "Source\n\nThrown at x", "Solutions\n\n1. a\n\n", "Related errors\n\n• x\n\n", "o/n", " · x ", "o/n@aaaaaaa "],
)  # fmt: skip
def test_long_hostile_pages_take_no_time(unit: str) -> None:
    """Half a megabyte of anything is read in seconds."""
    page = parse_page(f"o/n · error\n\ntitle\n\n{unit * (500_000 // len(unit))}\n\n{FOOTER}", "hostile")

    assert page.repo == "o/n"
