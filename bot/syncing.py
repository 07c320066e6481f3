"""The static dataset into the store: what changed is fetched, checked, and taken over in one step."""

import difflib
import json
import logging
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.errors import BotError
from bot.gathering import Gathering, Watcher
from bot.sources.dataset_articles import encode_article
from bot.sources.dataset_errors import LyingSize, OlderVersion, Truncated, VersionReused, WrongChecksum
from bot.sources.dataset_fetching import Articles, DatasetFetching, sync_folder
from bot.sources.dataset_manifest import Manifest, decode_manifest
from bot.sources.downloading import Downloader, Validators, open_downloader
from bot.store.articles import ArticleStore, StoredArticle
from bot.store.dataset import Choice, DatasetStore, Difference, Generation, Synced
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from bot.store.takeover import Fit, Published, takeover

log = logging.getLogger(__name__)

# Upstream may publish while we fetch; that it does so twice within seconds is something else.
_ATTEMPTS: Final = 2


class UnknownRepository(BotError):
    """Somebody asked for a repository that the dataset does not have."""

    def __init__(self, repo: str, alike: Sequence[str]) -> None:
        hint = f"; did you mean {alike[0]}?" if alike else ""
        super().__init__(f"the dataset has no repository {repo}{hint}")
        self.repo, self.alike = repo, tuple(alike)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync did.

    version: upstream's, of the dataset that is served now. catalogue: the version of all that is served.
    fetched, unmodified: how many repositories' files came, or were said to be the ones we have. misfits: repositories
    whose file and compact index disagree. lost: chosen once and no longer there. bad_articles: slugs of those left out.
    """

    base: str
    version: str
    catalogue: str
    unchanged: bool = False
    difference: Difference = field(default_factory=Difference)
    fetched: int = 0
    unmodified: int = 0
    misfits: Mapping[str, Fit] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    articles: int = 0
    bad_articles: tuple[str, ...] = ()
    requests: int = 0
    bytes: int = 0


class Syncing:
    """Keeps the store in step with the dataset at one address. One sync at a time in a data folder."""

    def __init__(
        self,
        database: Database,
        data_dir: Path,
        downloader: Downloader,
        base: str,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database, self._base, self._now = database, base.rstrip("/"), now
        self._store = DatasetStore(database)
        self._folder = sync_folder(data_dir)
        self._dataset = DatasetFetching(self._folder, downloader, self._base)

    async def sync(
        self,
        choice: Choice | None = None,
        *,
        accept_older: bool = False,
        watch: Watcher = lambda _progress: None,
    ) -> SyncReport:
        """The store holds the dataset as it is published now, or, whatever goes wrong, what it held.

        choice: whose records are wanted whole, from now on; None for what was chosen the last time, at first nothing.
        accept_older: take a dataset of an earlier version than the one that is served.

        An unchanged dataset costs one request. A sync that is killed goes on where it was when it is called again:
        whole files are not fetched twice. What is not the dataset's is left alone (see bot/store/takeover.py).

        Raises a DatasetRefused, DatasetUnreachable, SyncBusy, UnknownRepository for a name in `choice`, StoreError.
        """
        with self._folder.held():
            before = await self._store.synced()
            served = before if before and before.generation.base == self._base else None
            manifest, generation = await self._published(served)
            for attempt in range(1, _ATTEMPTS + 1):
                _check_version(manifest, served, accept_older=accept_older)
                if served and await self._is_done(manifest, served, choice):
                    return await self._unchanged(served, choice)
                try:
                    await self._dataset.lists(manifest)
                    break
                except (WrongChecksum, Truncated, LyingSize):
                    latest, generation = await self._published(served)
                    if attempt == _ATTEMPTS or latest.text == manifest.text:
                        raise
                    log.info("the dataset was published anew while it was fetched")
                    manifest = latest
            return await self._take(manifest, generation, served, choice, watch)

    async def _published(self, served: Synced | None) -> tuple[Manifest, Generation]:
        """What is published now, and what will be remembered of it once it is served."""
        known = served.generation if served else None
        found = await self._dataset.manifest(Validators(known.etag, known.last_modified) if known else Validators())
        if found is None:
            assert known is not None  # only who asks with validators can be told that nothing changed
            return _known_manifest(known), known
        manifest, validators = found
        return manifest, Generation(
            self._base, manifest.version, manifest.text, validators.etag, validators.last_modified
        )

    async def _is_done(self, manifest: Manifest, served: Synced, choice: Choice | None) -> bool:
        """Whether all of this generation that is wanted is served already."""
        if served.generation.manifest_json != manifest.text:
            return False
        known = await self._store.repositories()
        _check_names(choice, known)
        wish = choice or await self._store.choice() or Choice()
        return all(one.fetched for one in known.values() if wish.covers(one.repo))

    async def _unchanged(self, served: Synced, choice: Choice | None) -> SyncReport:
        if choice is not None:
            await self._store.choose(choice)
        await to_thread(self._folder.clear_taken)
        return SyncReport(
            base=self._base,
            version=served.generation.version,
            catalogue=await RecordStore(self._database).version(),
            unchanged=True,
            requests=self._dataset.requests,
            bytes=self._dataset.bytes,
        )

    async def _take(
        self,
        manifest: Manifest,
        generation: Generation,
        served: Synced | None,
        choice: Choice | None,
        watch: Watcher,
    ) -> SyncReport:
        known = await self._store.repositories() if served else {}
        async with takeover(self._database, self._base) as taking:
            gathering = Gathering(self._dataset, taking, manifest, known, watch)
            await gathering.list_records()
            _check_names(choice, gathering.listed)
            wish = choice or await self._store.choice() or Choice()
            if choice is not None:
                # A wish, not a fact about the dataset: it holds for the next attempt too, should this one be killed.
                await self._store.choose(choice)
            await gathering.fetch(wish)
            articles = await self._dataset.articles(manifest, await ArticleStore(self._database).digests())
            await gathering.complete()
            published = Published(
                generation=generation,
                repositories=[gathering.remembered(repo) for repo in sorted(gathering.listed)],
                articles=_stored(articles),
                article_slugs=articles.slugs,
            )
            taken = await taking.commit(published, self._now())
        await to_thread(self._folder.clear_taken)
        report = SyncReport(
            base=self._base,
            version=generation.version,
            catalogue=taken.version,
            difference=taken.difference,
            fetched=len(gathering.fetched),
            unmodified=len(gathering.unmodified),
            misfits={repo: fit for repo, fit in sorted(gathering.fits.items()) if not fit.is_perfect},
            lost=tuple(sorted(wish.repositories - gathering.listed.keys())),
            articles=len(articles.changed),
            bad_articles=articles.bad,
            requests=self._dataset.requests,
            bytes=self._dataset.bytes,
        )
        _log(report)
        return report


@asynccontextmanager
async def open_syncing(database: Database, data_dir: Path, base: str) -> AsyncIterator[Syncing]:
    """A syncing with connections of its own to the network."""
    async with open_downloader() as downloader:
        yield Syncing(database, data_dir, downloader, base)


def _known_manifest(known: Generation) -> Manifest:
    return decode_manifest(known.manifest_json.encode(), "the manifest that is served")


def _check_version(manifest: Manifest, served: Synced | None, *, accept_older: bool) -> None:
    if served is None or accept_older:
        return
    known = _known_manifest(served.generation)
    if manifest.moment < known.moment:
        raise OlderVersion(manifest.version, known.version)
    if manifest.moment == known.moment and manifest.index_digest != known.index_digest:
        raise VersionReused(manifest.version)


def _check_names(choice: Choice | None, known: Iterable[str]) -> None:
    names = set(known)
    for repo in sorted(choice.repositories - names) if choice else ():
        raise UnknownRepository(repo, difflib.get_close_matches(repo, sorted(names), n=1))


def _stored(articles: Articles) -> tuple[StoredArticle, ...]:
    return tuple(
        StoredArticle(
            article.slug,
            article.cluster_key,
            digest,
            json.dumps(encode_article(article), sort_keys=True, separators=(",", ":")),
        )
        for article, digest in articles.changed
    )


def _log(report: SyncReport) -> None:
    difference = report.difference
    log.info(
        "the dataset of %s is served as catalogue %s: %d records added, %d changed, %d gone, %d completed",
        report.version,
        report.catalogue,
        difference.added,
        difference.changed,
        difference.gone,
        difference.completed,
    )
    for repo, fit in report.misfits.items():
        log.warning("the file of %s does not fit the compact index: %s", repo, fit)
    if report.lost:
        log.warning("chosen once, and no longer in the dataset: %s", ", ".join(report.lost))
