"""A stand-in for the bot's knowledge that one can check by eye."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.answering import Busy, CatalogueStatus
from bot.answers.compose import title
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.verdict import Because, Match, Quote, Reason, Tier, Verdict
from bot.pastes.paste import Paste
from bot.records.article import Article
from bot.records.entry import Entry
from bot.suggesting import Found
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

BIND_FAILED = replace(
    SERVER_DISCONNECTED, id="c986a91a3cf9e535", title="Bind", error_message="Can bind the iroh endpoint"
)
KNOWN: dict[str, Entry] = {entry.id: entry for entry in (SERVER_DISCONNECTED, GRADIENT_SYNC, BIND_FAILED)}
PANIC = (
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n" + SERVER_DISCONNECTED.error_message
)
OTHER_PANIC = "thread 'w' panicked at client.rs:34:\n" + GRADIENT_SYNC.error_message
GUESS = "panicked: something like the gradient"
UNKNOWN = "thread 'main' panicked at src/main.rs:1:1:\nthe flux compensator is out of flux"


@dataclass
class FakeAnswering:
    """Finds a record exactly where its message stands in the paste, guesses at a gradient, takes "panicked" for an error.

    `texts` are the pastes it was asked about, joined by newlines. `held` lets questions wait until it is set. `busy`
    turns every question away.
    """

    entries_by_id: dict[str, Entry] = field(default_factory=lambda: dict(KNOWN))
    texts: list[str] = field(default_factory=list)
    articles: dict[str, Article] = field(default_factory=dict)
    held: asyncio.Event | None = None
    busy: bool = False
    breaks_with: Exception | None = None

    async def explain(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
        self.texts.append("\n".join(part.text for part in paste.parts))
        if self.held is not None:
            await self.held.wait()
        if self.busy:
            raise Busy
        if self.breaks_with is not None:
            raise self.breaks_with
        exact = [
            Match(entry.id, Tier.PATTERN, 0.97, (Reason(Because.IN_TEXT),), Quote(entry.error_message, number, 1))
            for entry in self.entries_by_id.values()
            for number, part in enumerate(paste.parts)
            if entry.error_message in part.text
        ]
        is_error = any("panicked" in part.text for part in paste.parts)
        if exact:
            rest = (
                [Match(GRADIENT_SYNC.id, Tier.NEAREST, 0.4, (Reason(Because.WORDS_SHARED, number=50),))]
                if exact[0].record_id != GRADIENT_SYNC.id
                else []
            )
            return Verdict((exact[0], *rest), tuple(exact[1:]), is_error, "a panic", shown=True)
        if any("like the gradient" in part.text for part in paste.parts):
            guess = Match(
                GRADIENT_SYNC.id, Tier.NEAREST, 0.8, (Reason(Because.WORDS_SHARED, number=50),), Quote("gradient", 0, 1)
            )
            return Verdict((guess,), (), is_error, "a panic", shown=True)
        return Verdict((), (), is_error, "", shown=False)

    async def entry(self, record_id: str) -> Entry | None:
        return self.entries_by_id.get(record_id)

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        return {record_id: self.entries_by_id[record_id] for record_id in record_ids if record_id in self.entries_by_id}

    async def article(self, entry: Entry) -> Article | None:
        return self.articles.get(entry.background_tag or "")

    async def find(self, reference: str, scope: Scope = EVERYTHING) -> Entry | None:
        return self.entries_by_id.get(reference)

    async def search(
        self, words: str, *, repo: str | None = None, limit: int = 10, scope: Scope = EVERYTHING
    ) -> list[Found]:
        return self.suggestions(words, limit=limit)

    def suggestions(
        self, words: str, *, repo: str | None = None, limit: int = 25, scope: Scope = EVERYTHING
    ) -> list[Found]:
        entries = self.entries_by_id.values()
        found = [entry for entry in entries if words.casefold() in entry.error_message.casefold()]
        return [Found(entry.id, entry.repo, entry.slug, title(entry)) for entry in found][:limit]

    def repositories(self, words: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        return sorted({entry.repo for entry in self.entries_by_id.values() if words in entry.repo})[:limit]

    async def status(self) -> CatalogueStatus:
        return CatalogueStatus("cafe0123cafe0123", len(self.entries_by_id), 1, 3, 0, 3, "hashed-tokens", None)

    async def warm(self) -> None:
        return
