"""The files of the dataset into a folder, each once: what is there already and right is not asked for again."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.records.article import Article
from bot.records.outline import Outline
from bot.records.record import Record
from bot.sources.dataset_articles import decode_article, decode_article_list
from bot.sources.dataset_errors import DatasetRefused, InvalidDataset
from bot.sources.dataset_folder import SyncFolder
from bot.sources.dataset_manifest import (
    LARGEST_ARTICLE,
    LARGEST_MANIFEST,
    LARGEST_REPOSITORIES,
    LARGEST_REPOSITORY,
    Manifest,
    Promised,
    decode_manifest,
)
from bot.sources.dataset_records import read_index, read_repository
from bot.sources.dataset_repositories import RepositoryRow, decode_repositories
from bot.sources.downloading import Downloader, Validators, Wanted

log = logging.getLogger(__name__)

_MANIFEST: Final = "manifest.json"
_REPOSITORIES: Final = "repos.json"
_ARTICLES: Final = "info/index.json"


@dataclass(frozen=True, slots=True)
class Articles:
    """The articles that are new or changed, each with the digest of its line in the list; the slugs of all there are.

    bad: the slugs of those that are invalid and were left out: no answer depends on them.
    """

    changed: tuple[tuple[Article, str], ...] = ()
    slugs: frozenset[str] = frozenset()
    bad: tuple[str, ...] = ()


class DatasetFetching:
    """One dataset, by its base address, on its way into one folder. All raise what `Downloader.fetch` raises."""

    def __init__(self, folder: SyncFolder, downloader: Downloader, base: str) -> None:
        self._folder, self._downloader, self._base = folder, downloader, base

    @property
    def bytes(self) -> int:
        """How many came over the network so far."""
        return self._downloader.bytes

    @property
    def requests(self) -> int:
        """How many were made so far."""
        return self._downloader.requests

    async def manifest(self, known: Validators) -> tuple[Manifest, Validators] | None:
        """What is published now; None where the server says that it is what it was when it gave us `known`."""
        path = self._folder.place(_MANIFEST)
        fetched = await self._downloader.fetch(
            Wanted(url=f"{self._base}/data/{_MANIFEST}", path=path, most_bytes=LARGEST_MANIFEST, validators=known)
        )
        if fetched is None:
            return None
        return decode_manifest(await asyncio.to_thread(path.read_bytes), _MANIFEST), fetched.validators

    async def lists(self, manifest: Manifest) -> None:
        """The compact index and the list of repositories are in the folder, as the manifest promises them."""
        await self._promised(manifest.index, _index_name(manifest), is_packed=manifest.index.raw_bytes is not None)
        await self._promised(manifest.repository_list, _REPOSITORIES, is_packed=False)

    async def rows(self, manifest: Manifest) -> dict[str, RepositoryRow]:
        """The list of repositories, by name. Raises InvalidDataset."""
        data = await asyncio.to_thread(self._folder.place(_REPOSITORIES).read_bytes)
        return await asyncio.to_thread(decode_repositories, data, manifest.repository_list.path)

    def outlines(self, manifest: Manifest, note: Callable[[int], None]) -> Iterator[Outline]:
        """The compact index, as `read_index` reads it."""
        return read_index(self._folder.place(_index_name(manifest)), manifest, note=note)

    async def repository(self, repo: str, manifest: Manifest, served: Validators) -> Validators | None:
        """The file of a repository is in the folder; None where it is the one that is served already.

        served: what the server said of the file whose records are served; nothing, if none is.
        """
        return await self._unpromised(_file_of(repo), LARGEST_REPOSITORY, manifest, served)

    def records(self, repo: str) -> Iterator[Record]:
        """The records in a repository's file; one that is refused is removed, and so fetched again the next time.

        Raises what `read_repository` raises.
        """
        name = _file_of(repo)
        try:
            yield from read_repository(self._folder.place(name), repo, name)
        except DatasetRefused:
            self._folder.forget(name)
            raise

    async def articles(self, manifest: Manifest, known: Mapping[str, str]) -> Articles:
        """The articles, if there are any. known: the digests of those that are served, by slug.

        Raises InvalidDataset where the list of them is invalid.
        """
        if not manifest.articles:
            return Articles()
        await self._unpromised(_ARTICLES, LARGEST_REPOSITORIES, manifest, Validators())
        data = await asyncio.to_thread(self._folder.place(_ARTICLES).read_bytes)
        try:
            digests = decode_article_list(data, _ARTICLES)
        except DatasetRefused:
            await asyncio.to_thread(self._folder.forget, _ARTICLES)
            raise
        changed = [slug for slug, digest in digests.items() if known.get(slug) != digest]
        articles = dict[str, Article | None]()

        async def fetch(slug: str) -> None:
            articles[slug] = await self._article(slug, manifest)

        await all_of(fetch(slug) for slug in changed)
        return Articles(
            changed=tuple((article, digests[slug]) for slug, article in sorted(articles.items()) if article),
            slugs=frozenset(digests),
            bad=tuple(sorted(slug for slug, article in articles.items() if article is None)),
        )

    async def _article(self, slug: str, manifest: Manifest) -> Article | None:
        name = f"info/{slug}.json"
        await self._unpromised(name, LARGEST_ARTICLE, manifest, Validators())
        data = await asyncio.to_thread(self._folder.place(name).read_bytes)
        try:
            return decode_article(data, slug, name)
        except InvalidDataset as invalid:
            log.warning("an article is left out: %s", invalid)
            await asyncio.to_thread(self._folder.forget, name)
            return None

    async def _promised(self, promised: Promised, name: str, *, is_packed: bool) -> None:
        if await asyncio.to_thread(self._folder.is_right, name, promised.bytes, promised.sha256):
            return
        await self._downloader.fetch(
            Wanted(
                url=f"{self._base}/{promised.path.lstrip('/')}",
                path=self._folder.place(name),
                most_bytes=promised.bytes,
                bytes=promised.bytes,
                sha256=promised.sha256,
                is_packed=is_packed,
            )
        )

    async def _unpromised(
        self, name: str, most_bytes: int, manifest: Manifest, served: Validators
    ) -> Validators | None:
        """A file of which the manifest promises nothing is in the folder; None as `repository` says."""
        generation = manifest.digest
        kept = await asyncio.to_thread(self._folder.kept, name, generation)
        if kept and kept.is_current:
            return kept.validators
        fetched = await self._downloader.fetch(
            Wanted(
                url=f"{self._base}/data/{name}",
                path=self._folder.place(name),
                most_bytes=most_bytes,
                validators=kept.validators if kept else served,
            )
        )
        if fetched is not None:
            await asyncio.to_thread(self._folder.note, name, fetched, generation)
            return fetched.validators
        if kept is None:
            return None
        await asyncio.to_thread(self._folder.confirm, name, generation)
        return kept.validators


async def all_of(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """All of these are done; when one fails the others are stopped, and its error is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


def _file_of(repo: str) -> str:
    return f"repos/{repo}.json"


def _index_name(manifest: Manifest) -> str:
    return "index.json" if manifest.index.raw_bytes is None else "index.json.gz"


def sync_folder(data_dir: Path) -> SyncFolder:
    """The folder below the data folder in which the dataset gathers."""
    return SyncFolder(data_dir / "sync")
