"""Cards within Discord's limits, whatever they are made of."""

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import discord
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.answers.answer import Candidate, CodeFile
from bot.answers.cleaning import clean_line
from bot.answers.compose import compose, compose_candidate, compose_lookup
from bot.answers.details import compose_details
from bot.cogs.card import card, link_line, notice, others_view
from bot.cogs.card_details import details_view
from bot.cogs.card_ids import TEMPLATE, Action, CardId
from bot.cogs.given_back import GivenBack
from bot.cogs.posting import returned_view
from bot.locales.words import Words, languages
from bot.matching.verdict import Tier, Verdict
from bot.pastes.paste import Skipped, SkippedPart
from bot.records.article import Article, Cause
from bot.records.entry import Entry
from bot.records.record import Severity
from tests.cogs.card_checks import broken_limits, components, live, texts, visible_length, walk
from tests.discord_standin.spec import Spec
from tests.sample_entries import CAPTURED, CHANNEL_CLOSED, EXACT, GRADIENT_SYNC, GUESS, SERVER_DISCONNECTED
from tests.strategies import answered_entries, articles, entries, nasty_texts

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "cards"
WORDS = st.sampled_from([Words.for_language(language) for language in languages()])
ENGLISH, GERMAN = Words.for_language("en"), Words.for_language("de")
MESSAGE_ID = 1_312_345_678_901_234_567
unhurried = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def send(view: discord.ui.LayoutView, files: list[discord.File] | None = None) -> dict[str, Any]:
    """The body of the message that carries a view, as discord.py makes it."""
    body: dict[str, Any] = {"components": components(view), "flags": 1 << 15}
    if files:
        body["attachments"] = [{"id": index, "filename": file.filename} for index, file in enumerate(files)]
    return body


@unhurried
@given(answered_entries(), WORDS)
def test_any_answer_is_a_message_discord_takes(spec: Spec, answered: tuple[Verdict, Entry], words: Words) -> None:
    """D1, C5: any record and verdict render within all limits, and nothing in them is live."""
    verdict, entry = answered

    view = card(compose(verdict, entry, words), words, MESSAGE_ID)

    assert broken_limits(components(view)) == []
    assert live(components(view)) == []
    assert spec.request("POST", "/channels/1/messages", send(view)) == []


@unhurried
@given(answered_entries(), WORDS)
def test_a_card_is_short(answered: tuple[Verdict, Entry], words: Words) -> None:
    """D3: at most about 900 characters are visible in the channel, also where most of a paste was not read."""
    verdict, entry = answered

    for skipped in ((), (SkippedPart("x" * 90, Skipped.BOMB),) * 40):
        tree = components(card(compose(verdict, entry, words, skipped), words))

        assert visible_length(tree) <= 900


@unhurried
@given(entries(), st.none() | articles(), WORDS)
def test_any_details_are_a_message_discord_takes(
    spec: Spec, entry: Entry, article: Article | None, words: Words
) -> None:
    """D1, D2: 20 solutions, 10 kB of code and any article are within the limits, in files where they have to be."""
    view, files = details_view(compose_details(entry, words, article=article), words)

    tree = components(view)
    assert broken_limits(tree) == []
    assert live(tree) == []
    shown_files = {component["file"]["url"] for component in walk(tree) if component["type"] == 13}
    assert shown_files == {f"attachment://{file.filename}" for file in files}
    assert len(files) <= 10
    assert all(text.count("```") % 2 == 0 for text in texts(tree))
    assert spec.request("POST", "/channels/1/messages", send(view, files)) == []


@unhurried
@given(st.lists(entries(), min_size=1, max_size=8), WORDS)
def test_any_list_of_further_errors_is_a_message_discord_takes(spec: Spec, found: list[Entry], words: Words) -> None:
    """C1: what else a log holds fits into one message, too."""
    answers = [compose_candidate(Candidate(entry.id, Tier.PATTERN, 90), entry, words) for entry in found]

    view = others_view(answers, words, MESSAGE_ID)

    assert broken_limits(components(view)) == []
    assert live(components(view)) == []
    assert spec.request("POST", "/channels/1/messages", send(view)) == []


@given(nasty_texts().filter(clean_line), WORDS)
def test_notices_and_links_are_inert(text: str, words: Words) -> None:
    """C5: names of files in a sentence, and titles in a link, mean nothing to Discord."""
    pointer = link_line("x" + text, "https://discord.com/channels/1/2/3", words)

    assert broken_limits(components(notice(text))) == []
    assert live(components(notice(text))) == []
    assert broken_limits(components(pointer)) == []
    assert "\n" not in texts(components(pointer))[0]


@pytest.mark.parametrize("words", [ENGLISH, GERMAN])
@pytest.mark.parametrize("verdict", [GUESS, dataclasses.replace(GUESS, matches=(CAPTURED.matches[0],))])
def test_the_fullest_card_is_short_too(verdict: Verdict, words: Words) -> None:
    """D3: with a text for every place and more steps than fit, in the wordier language as well."""
    lengths = set[int]()
    for size in range(20, 300, 7):
        record = dataclasses.replace(
            GRADIENT_SYNC, severity=Severity.CRITICAL, documentation="a" * 50 + ".", solutions=("b" * size,) * 40
        )
        lengths.add(visible_length(components(card(compose(verdict, record, words), words))))

    assert 850 <= max(lengths) <= 900


def test_a_guess_looks_different_from_an_exact_answer() -> None:
    """D4: colour, sign and words all differ, so that no one of them has to be seen."""
    exact = components(card(compose(EXACT, SERVER_DISCONNECTED, ENGLISH), ENGLISH))
    guess = components(card(compose(GUESS, GRADIENT_SYNC, ENGLISH), ENGLISH))

    assert exact[0]["accent_color"] != guess[0]["accent_color"]
    assert texts(exact)[0].startswith("✅ **Exact match**")
    assert texts(guess)[0].startswith("❔ **Best guess · about 63 % likely**")


def test_a_card_says_how_it_knows() -> None:
    """D4: the matched line, the permalink with commit and date, and the machine's part in it."""
    view = card(compose(EXACT, SERVER_DISCONNECTED, ENGLISH), ENGLISH)

    shown = "\n".join(texts(components(view)))
    links = [component["url"] for component in walk(components(view)) if component.get("url")]
    assert "panicked at crates/burn-remote/src/client/service.rs:179:18" in shown
    assert "service.rs:179 @ d16f7ba2ed, 2026-09-05 · AI-assisted analysis" in shown
    assert links == [SERVER_DISCONNECTED.github_url]


def test_buttons_carry_what_they_need() -> None:
    """D9, E9: each button names the record and the question; "Not my error" knows what comes next."""
    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    tree = components(card(answer, ENGLISH, MESSAGE_ID))

    ids = [CardId.parse(component["custom_id"]) for component in walk(tree) if "custom_id" in component]
    assert [card_id.action for card_id in ids] == [
        Action.MORE, Action.HELPFUL, Action.WRONG, Action.DISMISS, Action.OTHERS,
    ]  # fmt: skip
    assert {(card_id.record_id, card_id.ref) for card_id in ids} == {(SERVER_DISCONNECTED.id, MESSAGE_ID)}
    assert ids[2].candidates == (Candidate(GRADIENT_SYNC.id, Tier.NEAREST, 41),)
    assert [candidate.record_id for candidate in ids[4].candidates] == ["c680d5d5ffa880ce", "a120b3c55ead9138"]


def test_captures_are_shown_escaped_and_bounded() -> None:
    """D5: a value from a log is inside a span of code, redacted and short."""
    shown = "\n".join(texts(components(card(compose(CAPTURED, GRADIENT_SYNC, ENGLISH), ENGLISH))))

    assert "`{address}` = `[ip]:9000`" in shown
    assert "@everyone" not in shown


def test_long_code_is_in_a_file_whole() -> None:
    """D2: code is never cut in the middle."""
    code = "\n".join(f"let line_{number} = {number};" for number in range(400))
    record = dataclasses.replace(GRADIENT_SYNC, example_fix=code)

    view, files = details_view(compose_details(record, ENGLISH), ENGLISH)

    by_name = {file.filename: file.fp.read().decode() for file in files}
    assert by_name["example_fix.rs"] == code + "\n"
    assert "Whole in the attached file example_fix.rs." in "\n".join(texts(components(view)))


def test_cards_can_be_made_without_a_bot() -> None:
    """No event loop and no client is needed, so the terminal and the tests can draw them."""
    assert components(card(compose_lookup(GRADIENT_SYNC, ENGLISH), ENGLISH))


UNREAD = (
    SkippedPart("report.zip/README", Skipped.NOT_A_LOG),
    SkippedPart("core.1234", Skipped.DUMP),
    SkippedPart("old.zip", Skipped.ENCRYPTED),
)
HOSTILE = dataclasses.replace(
    CHANNEL_CLOSED,
    title="# Channels @everyone",
    common_causes=(Cause("[click](https://evil.example)", "\n> <@&1> ```"), *CHANNEL_CLOSED.common_causes),
    fixes=(*CHANNEL_CLOSED.fixes, "**\u202ebold** </error explain:1>"),
)
BACK = GivenBack("using [github token]", (CodeFile("run.log", b"[ip]"),), 0, "You can post it again.")
CARDS = {
    "exact": lambda: card(compose(EXACT, SERVER_DISCONNECTED, ENGLISH), ENGLISH, MESSAGE_ID),
    "exact_german": lambda: card(compose(EXACT, SERVER_DISCONNECTED, GERMAN), GERMAN, MESSAGE_ID),
    "not_all_read": lambda: card(compose(EXACT, SERVER_DISCONNECTED, ENGLISH, UNREAD), ENGLISH, MESSAGE_ID),
    "given_back": lambda: returned_view("Your message shows a credential.", BACK)[0],
    "guess": lambda: card(compose(GUESS, GRADIENT_SYNC, ENGLISH), ENGLISH, MESSAGE_ID),
    "hostile_captures": lambda: card(compose(CAPTURED, GRADIENT_SYNC, ENGLISH), ENGLISH, MESSAGE_ID),
    "looked_up": lambda: card(compose_lookup(GRADIENT_SYNC, ENGLISH), ENGLISH, MESSAGE_ID),
    "details": lambda: details_view(compose_details(GRADIENT_SYNC, ENGLISH), ENGLISH)[0],
    "details_article": lambda: details_view(compose_details(GRADIENT_SYNC, ENGLISH, article=HOSTILE), ENGLISH)[0],
    "link_line": lambda: link_line("Gradient sync [server]", "https://discord.com/channels/1/2/3", ENGLISH),
}


@pytest.mark.parametrize("name", CARDS)
def test_cards_are_what_they_were(name: str) -> None:
    """The components are those of the golden file; ERRATA_ACCEPT_GOLDEN=1 writes new ones, to be looked at and committed."""
    made = json.dumps(components(CARDS[name]()), indent=2, ensure_ascii=False) + "\n"
    golden = GOLDEN / f"{name}.json"

    if os.environ.get("ERRATA_ACCEPT_GOLDEN") == "1":
        golden.write_text(made, "utf-8")

    assert made == golden.read_text("utf-8")


class AnyButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=TEMPLATE):
    """A stateless button, as the cogs make them."""


def test_buttons_can_be_dynamic_items() -> None:
    """E9: a maker of DynamicItems gives the same card, with nothing that the client has to remember."""

    def dynamic(card_id: CardId, label: str, style: discord.ButtonStyle) -> AnyButton:
        return AnyButton(discord.ui.Button(custom_id=str(card_id), label=label, style=style))

    answer = compose(EXACT, SERVER_DISCONNECTED, ENGLISH)

    assert components(card(answer, ENGLISH, 1, dynamic)) == components(card(answer, ENGLISH, 1))
    assert components(others_view([answer], ENGLISH, 1, dynamic)) == components(others_view([answer], ENGLISH, 1))
