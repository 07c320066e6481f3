"""A paste in, a verdict out; and records looked up by name. What every edge talks to."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.errors import BotError
from bot.matching.matcher import Matcher
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from bot.records.article import Article
from bot.records.entry import Entry
from bot.suggesting import Found, Named, Suggestions

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


class Completer(Protocol):
    """Who has the whole record where the catalogue holds its outline; within seconds, or the outline stays."""

    async def completed(self, entry: Entry) -> Entry: ...


class ArticleSource(Protocol):
    """Where articles on families of errors are kept."""

    async def article(self, entry: Entry) -> Article | None: ...


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
        names: Callable[[], Iterable[Named]],
        served: StatusSource,
        within: Sequence[str] = (),
        *,
        completer: Completer | None = None,
        articles: ArticleSource | None = None,
    ) -> None:
        """Remember the parts.

        names: gives the names of all records; called and read in another thread.
        within: the repositories the whole process is held to, () for all; it narrows every scope that is given.
        completer: without one, outlines are shown as such. articles: without any, none is shown.
        """
        self._within = tuple(within)
        self._completer, self._articles = completer, articles
        self._matcher, self._entries, self._names, self._served = matcher, entries, names, served
        self._suggestions = Suggestions(())
        self._waiting = 0

    async def explain(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
        """What is found in a paste among the records of a scope. Raises Busy when too many wait."""
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            return await self._matcher.match(paste, scope.held_to(self._within))
        finally:
            self._waiting -= 1

    async def entry(self, record_id: str) -> Entry | None:
        """The entry of this id, in whatever scope it was found; whole, where that is to be had within seconds."""
        return await self._completed(await self._entries.get(record_id))

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        """The entries of these ids, in their order; unknown ones are left out.

        For lists: an outline names an error as well as its whole record does, so nothing is fetched for it.
        """
        return await self._entries.get_many(record_ids)

    async def article(self, entry: Entry) -> Article | None:
        """The background article on the family of an error; None where there is none."""
        return await self._articles.article(entry) if self._articles else None

    async def find(self, reference: str, scope: Scope = EVERYTHING) -> Entry | None:
        """The entry of a scope that a person means: by id, by owner/repo/slug, or by the address of its page.

        It is whole where that is to be had within seconds.
        """
        text = reference.strip()
        if _ID.fullmatch(text.lower()):
            entry = await self._entries.get(text.lower())
        else:
            address = _ADDRESS.fullmatch(text)
            entry = await self._entries.get_by_slug(address["repo"], address["slug"]) if address else None
        seen = entry is not None and scope.held_to(self._within).holds(entry.repo, entry.background_tag)
        return await self._completed(entry) if seen else None

    async def search(
        self, words: str, *, repo: str | None = None, limit: int = 10, scope: Scope = EVERYTHING
    ) -> list[Found]:
        """Records of a scope whose message, code or name holds the words, best first."""
        await self._remember()
        held = scope.held_to(self._within)
        return await asyncio.to_thread(self._suggestions.search, words, repo=repo, limit=limit, scope=held)

    def suggestions(
        self, words: str, *, repo: str | None = None, limit: int = 25, scope: Scope = EVERYTHING
    ) -> list[Found]:
        """The same from memory within milliseconds, for what is typed so far; nothing before `warm` has run."""
        return self._suggestions.search(words, repo=repo, limit=limit, scope=scope.held_to(self._within))

    def repositories(self, words: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        """Names of a scope's repositories that hold what is typed so far."""
        return self._suggestions.repositories(words, limit=limit, scope=scope.held_to(self._within))

    def families(self, words: str, *, limit: int = 25) -> list[str]:
        """Names of families of errors that hold what is typed so far."""
        return self._suggestions.families(words, limit=limit, scope=EVERYTHING.held_to(self._within))

    async def status(self) -> CatalogueStatus:
        """What is served at this moment."""
        return await self._served.status()

    async def warm(self) -> None:
        """Load what autocomplete and the first guess need, so that nobody waits for it."""
        await self._remember()
        await self._served.warm()

    async def remember_anew(self) -> None:
        """What autocomplete offers is of the catalogue as it is now; until it is read, that of the one before."""
        if len(self._suggestions):
            self._suggestions = await self._read_suggestions()

    async def _completed(self, entry: Entry | None) -> Entry | None:
        return entry if entry is None or self._completer is None else await self._completer.completed(entry)

    async def _remember(self) -> None:
        if not len(self._suggestions):
            self._suggestions = await self._read_suggestions()

    async def _read_suggestions(self) -> Suggestions:
        return await asyncio.to_thread(lambda: Suggestions(self._names()))
