"""A paste in, a verdict out; and records looked up by name. What every edge talks to."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.errors import BotError
from bot.matching.facts import Facts
from bot.matching.matcher import Matcher
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from bot.records.entry import Entry
from bot.suggesting import Found, Suggestions

# Further pastes are turned away with a sentence instead of waiting for ever.
MOST_WAITING = 64
_ID = re.compile(r"[0-9a-f]{16}")
# `owner/repo/slug`, also as the address of a page.
_ADDRESS = re.compile(r"(?:https?://[^/\s]+/)?(?P<repo>[\w.-]+/[\w.-]+)/(?P<slug>[a-z0-9][a-z0-9-]*)/?")


class Busy(BotError):
    """More pastes wait than can be answered soon."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} pastes are waiting already, try again in a moment")


class EntrySource(Protocol):
    """Where whole entries are kept."""

    async def get(self, record_id: str) -> Entry | None: ...

    async def get_by_slug(self, repo: str, slug: str) -> Entry | None: ...

    async def get_many(self, record_ids: Sequence[str]) -> Mapping[str, Entry]: ...


@dataclass(frozen=True, slots=True)
class CatalogueStatus:
    """What is served at this moment. `degraded` is a sentence when something is missing, else None."""

    version: str
    records: int
    repositories: int
    patterns: int
    refused: int
    indexed: int
    encoder: str | None
    degraded: str | None


class StatusSource(Protocol):
    """Who knows what is served."""

    async def status(self) -> CatalogueStatus: ...

    async def warm(self) -> None: ...


class Answering:
    """The bot's knowledge behind one door."""

    def __init__(
        self,
        matcher: Matcher,
        entries: EntrySource,
        all_facts: Callable[[], AsyncIterator[Facts]],
        served: StatusSource,
    ) -> None:
        self._matcher, self._entries, self._all_facts, self._served = matcher, entries, all_facts, served
        self._suggestions = Suggestions(())
        self._waiting = 0

    async def explain(self, paste: Paste) -> Verdict:
        """What is found in a paste. Raises Busy when too many wait."""
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            return await self._matcher.match(paste)
        finally:
            self._waiting -= 1

    async def entry(self, record_id: str) -> Entry | None:
        """The entry of this id."""
        return await self._entries.get(record_id)

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        """The entries of these ids, in their order; unknown ones are left out."""
        return await self._entries.get_many(record_ids)

    async def find(self, reference: str) -> Entry | None:
        """The entry a person means: by id, by owner/repo/slug, or by the address of its page."""
        text = reference.strip()
        if _ID.fullmatch(text.lower()):
            return await self._entries.get(text.lower())
        address = _ADDRESS.fullmatch(text)
        return await self._entries.get_by_slug(address["repo"], address["slug"]) if address else None

    async def search(self, words: str, *, repo: str | None = None, limit: int = 10) -> list[Found]:
        """Records whose message, code or name holds the words, best first."""
        await self._remember()
        return await asyncio.to_thread(self._suggestions.search, words, repo=repo, limit=limit)

    def suggestions(self, words: str, *, repo: str | None = None, limit: int = 25) -> list[Found]:
        """The same from memory within milliseconds, for what is typed so far; nothing before `warm` has run."""
        return self._suggestions.search(words, repo=repo, limit=limit)

    def repositories(self, words: str, *, limit: int = 25) -> list[str]:
        """Names of repositories that hold what is typed so far."""
        return self._suggestions.repositories(words, limit=limit)

    async def status(self) -> CatalogueStatus:
        """What is served at this moment."""
        return await self._served.status()

    async def warm(self) -> None:
        """Load what autocomplete and the first guess need, so that nobody waits for it."""
        await self._remember()
        await self._served.warm()

    async def _remember(self) -> None:
        if not len(self._suggestions):
            facts = [one async for one in self._all_facts()]
            self._suggestions = await asyncio.to_thread(Suggestions, facts)
