"""The catalogue handed on: from the store into the static dataset form, for another bot or upstream's own readers."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError
from bot.indexing import Progress, no_progress
from bot.records.derived import records_of_pages
from bot.records.entry import Entry
from bot.records.page import Page
from bot.records.record import Record
from bot.sources.export import DatasetWriter, Written, before, replaced, restored
from bot.store.exported import Moment, moment_of
from bot.store.sqlite import Database
from bot.suggesting import spelled_names


class NothingToExport(BotError):
    """No whole record is known of what was asked for."""

    def __init__(self, outlines: int) -> None:
        why = f"{outlines} are known in compact form alone; `errata sync` fetches them whole" if outlines else "none is"
        super().__init__(f"there is no whole record to export: {why}")
        self.outlines = outlines


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and what of the catalogue was not as it stood there.

    pages: records that were made from the text of a page (see `records.derived`). outlines: left out, since only their
    compact form is known. superseded: left out, since a later record of their repository has their slug.
    """

    written: Written
    pages: int
    outlines: int
    superseded: int


async def export(
    database: Database, folder: Path, repositories: Sequence[str] = (), progress: Progress = no_progress
) -> Exported:
    """Write the whole catalogue of this moment, or these repositories of it, as a dataset in a folder.

    The folder appears as a whole, or stays as it was; one that holds a dataset already is replaced by one whose version
    is later, or by the very same bytes where nothing has changed. Memory holds one repository at a time.

    Raises UnknownNames for a repository that is not in the catalogue, NothingToExport, and CannotExport for a folder
    that cannot be written or holds anything else.
    """
    folder = await asyncio.to_thread(restored, folder)
    known = await asyncio.to_thread(before, folder)
    async with moment_of(database) as moment:
        there = await moment.repositories()
        names = sorted(spelled_names(repositories, list(there))) if repositories else list(there)
        with replaced(folder) as new:
            writer = DatasetWriter(new)
            sums = _Sums()
            for done, repo in enumerate(names):
                records = sums.sorted_out(await moment.entries(repo))
                await asyncio.to_thread(writer.add, repo, records, await moment.about(repo))
                progress("export", done + 1, len(names))
            if not sums.records:
                raise NothingToExport(sums.outlines)
            await _add_articles(writer, moment, sums)
            written = await asyncio.to_thread(writer.finish, known)
    return Exported(written, sums.pages, sums.outlines, sums.superseded)


class _Sums:
    """Counts what goes out and what does not."""

    def __init__(self) -> None:
        self.records = self.pages = self.outlines = self.superseded = 0
        self.repos_of_family: dict[str, list[str]] = defaultdict(list)

    def sorted_out(self, entries: Iterable[Entry]) -> list[Record]:
        """The records of one repository that can be exported, in the order of their ids."""
        whole: dict[str, Record] = {}
        pages: list[Page] = []
        for entry in entries:
            if isinstance(entry, Page):
                pages.append(entry)
            elif isinstance(entry, Record):
                earlier = whole.get(entry.slug)
                self.superseded += earlier is not None
                if earlier is None or (earlier.analyzed_at, earlier.id) < (entry.analyzed_at, entry.id):
                    whole[entry.slug] = entry
            else:
                self.outlines += 1
        made = records_of_pages(pages, tuple(whole.values()))
        self.pages += len(made)
        records = sorted((*whole.values(), *made), key=lambda record: record.id)
        self.records += len(records)
        for record in records:
            if record.background_tag is not None:
                self.repos_of_family[record.background_tag].append(record.repo)
        return records


async def _add_articles(writer: DatasetWriter, moment: Moment, sums: _Sums) -> None:
    """Write the articles on families that have records among those exported."""
    for article in await moment.articles():
        # Records name the family by the article's key; some by its slug.
        repos = sums.repos_of_family.get(article["clusterKey"]) or sums.repos_of_family.get(article["slug"])
        if repos:
            await asyncio.to_thread(writer.add_article, article, errors=len(repos), repositories=len(set(repos)))
