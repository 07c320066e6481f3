"""The one door to the bot's knowledge."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from bot.answering import MOST_WAITING, Answering, Busy, CatalogueStatus
from bot.matching.facts import Facts
from bot.matching.scope import EVERYTHING, Scope, scope_of
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from bot.records.entry import Entry
from tests.fakes import invented_facts
from tests.sample_entries import EXACT, GRADIENT_SYNC, SERVER_DISCONNECTED

STATUS = CatalogueStatus("v1", 2, 1, 7, 0, 2, "model 1", None)


class HeldMatcher:
    """Answers when it is let."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def match(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
        await self.go.wait()
        return EXACT


class ListedEntries:
    """Entries in a dictionary."""

    def __init__(self, *entries: Entry) -> None:
        self.by_id = {entry.id: entry for entry in entries}

    async def get(self, record_id: str) -> Entry | None:
        return self.by_id.get(record_id)

    async def get_by_slug(self, repo: str, slug: str) -> Entry | None:
        return next((one for one in self.by_id.values() if (one.repo, one.slug) == (repo, slug)), None)

    async def get_many(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        return {record_id: self.by_id[record_id] for record_id in record_ids if record_id in self.by_id}


class CountingServed:
    """Counts how often it was warmed up."""

    warmed = 0

    async def status(self) -> CatalogueStatus:
        return STATUS

    async def warm(self) -> None:
        self.warmed += 1


class CountedNames:
    """Counts how often the whole catalogue was read."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        self.facts, self.reads = facts, 0

    def __call__(self) -> Iterator[Facts]:
        self.reads += 1
        yield from self.facts


FACTS = [
    invented_facts(GRADIENT_SYNC.id, GRADIENT_SYNC.error_message, repo="tracel-ai/burn", slug=GRADIENT_SYNC.slug),
    invented_facts(SERVER_DISCONNECTED.id, SERVER_DISCONNECTED.error_message, repo="tracel-ai/burn"),
]


def answering(matcher: HeldMatcher | None = None) -> tuple[Answering, CountedNames, CountingServed]:
    names, served = CountedNames(FACTS), CountingServed()
    entries = ListedEntries(GRADIENT_SYNC, SERVER_DISCONNECTED)
    return Answering(matcher or HeldMatcher(), entries, names, served), names, served  # type: ignore[arg-type]


async def test_what_waits_is_bounded_and_the_next_one_is_told() -> None:
    """A flood is turned away with a sentence, not queued without a bound (C6, E13)."""
    matcher = HeldMatcher()
    one, _, _ = answering(matcher)
    waiting = [asyncio.create_task(one.explain(Paste.of_text("x"))) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)

    with pytest.raises(Busy, match="try again"):
        await one.explain(Paste.of_text("x"))

    matcher.go.set()
    assert await asyncio.gather(*waiting) == [EXACT] * MOST_WAITING
    assert await one.explain(Paste.of_text("x")) is EXACT


async def test_who_gives_up_makes_room() -> None:
    """A cancelled question no longer counts as waiting."""
    one, _, _ = answering()
    waiting = [asyncio.create_task(one.explain(Paste.of_text("x"))) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)

    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(one.explain(Paste.of_text("x")), 0.01)


@pytest.mark.parametrize(
    "reference",
    [
        GRADIENT_SYNC.id,
        GRADIENT_SYNC.id.upper(),
        f"  {GRADIENT_SYNC.id}\n",
        "tracel-ai/burn/gradient-sync-server-disconnected",
        "https://errors.standardbeagle.com/tracel-ai/burn/gradient-sync-server-disconnected/",
        "http://errors.example.org/tracel-ai/burn/gradient-sync-server-disconnected",
    ],
)
async def test_an_entry_is_found_by_id_slug_or_address(reference: str) -> None:
    """However a person names it."""
    assert await answering()[0].find(reference) == GRADIENT_SYNC


@pytest.mark.parametrize(
    "reference",
    ["", "nonsense", "0" * 16, "tracel-ai/burn", "tracel-ai/burn/none", "https://example.org", "a" * 5000, "\0"],
)
async def test_what_nobody_knows_is_found_nowhere(reference: str) -> None:
    """No exception for any text."""
    assert await answering()[0].find(reference) is None


async def test_entries_come_by_id() -> None:
    """One, or many in the order asked for, unknown ones left out."""
    one, _, _ = answering()

    assert await one.entry(SERVER_DISCONNECTED.id) == SERVER_DISCONNECTED
    assert await one.entry("0" * 16) is None
    assert list(await one.entries([SERVER_DISCONNECTED.id, "0" * 16, GRADIENT_SYNC.id])) == [
        SERVER_DISCONNECTED.id,
        GRADIENT_SYNC.id,
    ]


async def test_searching_reads_the_catalogue_once() -> None:
    """It is remembered from then on."""
    one, names, _ = answering()

    first = await one.search("gradient")
    second = await one.search("server", repo="tracel-ai/burn", limit=1)

    assert [found.record_id for found in first] == [GRADIENT_SYNC.id]
    assert len(second) == 1
    assert names.reads == 1


async def test_suggestions_never_wait_and_are_there_once_warm() -> None:
    """Autocomplete answers from memory, with nothing before that (E8)."""
    one, _, served = answering()
    before = one.suggestions("grad")

    await one.warm()

    assert before == []
    assert [found.record_id for found in one.suggestions("grad")] == [GRADIENT_SYNC.id]
    assert one.repositories("burn") == ["tracel-ai/burn"]
    assert served.warmed == 1


async def test_status_is_that_of_what_is_served() -> None:
    """The version reported is the version served (G1)."""
    assert await answering()[0].status() == STATUS


async def test_what_the_process_is_held_to_narrows_every_scope() -> None:
    """Whoever asks and whatever was chosen: outside nothing is matched, found, searched or suggested; a card stays."""
    asked: list[Scope] = []

    class Matcher:
        async def match(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
            asked.append(scope)
            return EXACT

    other = replace(GRADIENT_SYNC, id="1" * 16, repo="pallets/flask", slug="a")
    names = CountedNames([*FACTS, invented_facts(other.id, other.error_message, repo=other.repo, family="lost")])
    entries = ListedEntries(GRADIENT_SYNC, other)
    held = Answering(Matcher(), entries, names, CountingServed(), ["Tracel-AI/burn"])  # type: ignore[arg-type]
    await held.warm()

    await held.explain(Paste.of_text("x"))
    await held.explain(Paste.of_text("x"), scope_of(["pallets/flask"]))

    assert asked == [EVERYTHING.held_to(["tracel-ai/burn"]), scope_of(["pallets/flask"]).held_to(["tracel-ai/burn"])]
    assert await held.find(other.id) is None
    assert await held.find("pallets/flask/a", scope_of(["pallets/flask"])) is None
    assert await held.find(GRADIENT_SYNC.id) == GRADIENT_SYNC
    assert await held.find(GRADIENT_SYNC.id, scope_of(["pallets/flask"])) is None
    assert [one.record_id for one in await held.search("gradient")] == [GRADIENT_SYNC.id]
    assert [one.record_id for one in held.suggestions("gradient")] == [GRADIENT_SYNC.id]
    assert (held.repositories(""), held.families("")) == (["tracel-ai/burn"], [])
    assert await held.entry(other.id) == other
