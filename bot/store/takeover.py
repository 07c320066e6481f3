"""A new generation of the dataset, gathered beside the catalogue and taken over in one transaction.

Whose record is whose:

- What the dataset brought is the dataset's (`dataset_records`): it is changed, removed when it is gone upstream, and an
  outline becomes a whole record as soon as that is fetched. A whole record becomes an outline again only where the
  compact index says that the record has changed and the new one was not fetched.
- The shipped seeds stay for ever, but a whole record of the same id that was analysed no earlier takes a seed's place.
- What was imported or made in a guild is never touched, whatever the dataset says of its id.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime

import aiosqlite

from bot.records.outline import Outline, outline_of
from bot.records.record import Record
from bot.store.articles import StoredArticle
from bot.store.catalogue import fingerprint_of
from bot.store.completed import FORGET_SUPERSEDED
from bot.store.dataset import Difference, Generation, KnownRepository
from bot.store.moments import to_text
from bot.store.sqlite import Database, immediately
from bot.store.staging import (
    PUT_ASIDE,
    StagedRow,
    encoded,
    in_batches,
    make_stage,
    restate_version,
    staged_row,
    write_staged,
)

SEEDS = "seeds"
_OWN = "SELECT id FROM record_facts EXCEPT SELECT id FROM dataset_records"


@dataclass(frozen=True, slots=True)
class Fit:
    """How a repository's file and the compact index agree, in records.

    extra: in the file alone, and left out; missing: in the index alone, and known in outline; differing: in both, with
    another message, pattern or the like. All three come about while upstream publishes.
    """

    extra: int = 0
    missing: int = 0
    differing: int = 0

    @property
    def is_perfect(self) -> bool:
        return not (self.extra or self.missing or self.differing)


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of it: the difference, and the version of the catalogue that is served from now on."""

    difference: Difference
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What a generation consists of beside its records. `articles` are the new and changed ones of `article_slugs`."""

    generation: Generation
    repositories: Sequence[KnownRepository]
    articles: Sequence[StoredArticle] = ()
    article_slugs: frozenset[str] = frozenset()


class Takeover:
    """A generation that is being gathered. Until `commit` nobody else sees anything of it, and others may write."""

    def __init__(self, connection: aiosqlite.Connection, base: str) -> None:
        self._connection, self._base = connection, base

    async def list(self, outlines: Iterable[Outline]) -> None:
        """Note every record of the generation, and put aside what is new or changed in outline.

        outlines: all of the compact index, each id once; taken piece by piece in another thread, what it raises is
        raised here. Time: about 6 s of one core for 153,000 where all are new.
        """
        known = {
            str(row[0]): str(row[1])
            for row in await self._connection.execute_fetchall("SELECT id, outline FROM dataset_records")
        }
        own = {str(row[0]) for row in await self._connection.execute_fetchall(_OWN)}
        pieces = in_batches(_outline_rows(outlines, self._base))
        await self._connection.execute("BEGIN")  # of temporary tables alone: it locks nobody
        while batch := await asyncio.to_thread(next, pieces, None):
            listed = [(row[0], row[2], row[1]) for row in batch]
            await self._connection.executemany("INSERT INTO temp.listed VALUES (?, ?, ?)", listed)
            new = [row for row in batch if row[0] not in own and known.get(str(row[0])) != row[1]]
            await self._connection.executemany(PUT_ASIDE, new)
        await self._connection.execute("COMMIT")

    async def changed_repositories(self) -> frozenset[str]:
        """Repositories with records that are new or changed in outline."""
        rows = await self._connection.execute_fetchall("SELECT DISTINCT repo FROM temp.staged")
        return frozenset(str(row[0]) for row in rows)

    async def listed_repositories(self) -> dict[str, int]:
        """How many records each repository of the generation has, by name."""
        rows = await self._connection.execute_fetchall("SELECT repo, count(*) FROM temp.listed GROUP BY repo")
        return {str(row[0]): int(row[1]) for row in rows}

    async def complete(self, repo: str, records: Iterable[Record]) -> Fit:
        """Put aside the whole records of a repository. The compact index says which there are.

        records: all of `repo`, each id once; taken piece by piece in another thread, what it raises is raised here.
        """
        rows = await self._connection.execute_fetchall("SELECT id, outline FROM temp.listed WHERE repo = ?", (repo,))
        listed = {str(row[0]): str(row[1]) for row in rows}
        completion = _Completion(self._base, listed, await self._own_moments(listed))
        pieces = in_batches(completion.rows(records), 500)
        await self._connection.execute("BEGIN")
        while batch := await asyncio.to_thread(next, pieces, None):
            await self._connection.executemany(PUT_ASIDE, batch)
        await self._connection.execute("COMMIT")
        return completion.fit()

    async def _own_moments(self, ids: Iterable[str]) -> dict[str, datetime | None]:
        """Which of these are not the dataset's; for a seed, when it was analysed."""
        rows = await self._connection.execute_fetchall(
            "SELECT id, source, body_json ->> 'analyzedAt', body_json ->> 'analyzedOn' FROM record_bodies"
            " WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT id FROM dataset_records)",
            (json.dumps(list(ids)),),
        )
        return {
            str(row[0]): datetime.fromisoformat(row[2] or f"{row[3]}T00:00:00Z") if row[1] == SEEDS else None
            for row in rows
        }

    async def commit(self, published: Published, at: datetime) -> Taken:
        """The catalogue is this generation, and what is not the dataset's; or, whatever goes wrong, what it was.

        at: UTC. A whole catalogue of 153,000 records holds the write lock for some seconds.
        """
        connection = self._connection
        async with immediately(connection):
            await _leave_alone_what_is_not_ours(connection)
            completed = await _count_completed(connection)
            gone = await _remove_gone(connection)
            await connection.execute(
                "INSERT OR REPLACE INTO dataset_records SELECT id, repo, outline, whole FROM temp.staged WHERE own = 0"
            )
            await connection.execute(FORGET_SUPERSEDED)
            written = await write_staged(connection, at)
            difference = Difference(written.added, written.changed - completed, gone, completed)
            await _write_repositories(connection, published.repositories)
            await _write_articles(connection, published)
            await _write_generation(connection, published.generation, difference, at)
            return Taken(difference, await restate_version(connection, at))


@asynccontextmanager
async def takeover(database: Database, base: str) -> AsyncIterator[Takeover]:
    """A takeover from the dataset at this address; whatever was not committed is gone when the block ends."""
    async with database.apart() as connection:
        await make_stage(connection)
        await connection.execute("CREATE TEMP TABLE listed (id PRIMARY KEY, repo, outline) WITHOUT ROWID")
        await connection.execute("CREATE INDEX temp.listed_by_repo ON listed (repo)")
        yield Takeover(connection, base)


def _outline_rows(outlines: Iterable[Outline], base: str) -> Iterator[StagedRow]:
    for outline in outlines:
        row = staged_row(outline, base, whole=False, own=False)
        # Facts begin with id, fingerprint and repo; an outline's fingerprint is that of its compact form.
        yield (*row[:-3], row[1], *row[-2:])


class _Completion:
    """The rows of one repository's whole records, and how they fit."""

    def __init__(self, base: str, listed: Mapping[str, str], own: Mapping[str, datetime | None]) -> None:
        self._base, self._listed, self._own = base, listed, own
        self._seen = self._extra = self._differing = 0

    def rows(self, records: Iterable[Record]) -> Iterator[StagedRow]:
        for record in records:
            outline = self._listed.get(record.id)
            if outline is None:
                self._extra += 1
                continue
            self._seen += 1
            self._differing += fingerprint_of(encoded(outline_of(record))) != outline
            if record.id not in self._own:
                yield staged_row(record, self._base, outline=outline, own=False)
            elif (analyzed_at := self._own[record.id]) is not None and record.analyzed_at >= analyzed_at:
                yield staged_row(record, SEEDS, outline=outline)

    def fit(self) -> Fit:
        return Fit(self._extra, len(self._listed) - self._seen, self._differing)


async def _leave_alone_what_is_not_ours(connection: aiosqlite.Connection) -> None:
    """Somebody may have imported records while these were gathered."""
    await connection.execute(f"DELETE FROM temp.staged WHERE own = 0 AND id IN ({_OWN})")  # noqa: S608 - own words
    await connection.execute(
        "DELETE FROM temp.staged WHERE own = 1 AND id NOT IN (SELECT id FROM record_bodies WHERE source = ?)", (SEEDS,)
    )


async def _count_completed(connection: aiosqlite.Connection) -> int:
    rows = list(
        await connection.execute_fetchall(
            "SELECT count(*) FROM temp.staged JOIN dataset_records AS kept USING (id)"
            " WHERE staged.whole = 1 AND kept.whole = 0 AND kept.outline = staged.outline"
        )
    )
    return int(rows[0][0])


async def _remove_gone(connection: aiosqlite.Connection) -> int:
    await connection.execute(
        "CREATE TEMP TABLE gone AS SELECT id FROM dataset_records WHERE id NOT IN (SELECT id FROM temp.listed)"
    )
    await connection.execute("DELETE FROM record_bodies WHERE id IN (SELECT id FROM temp.gone)")
    await connection.execute("DELETE FROM record_facts WHERE id IN (SELECT id FROM temp.gone)")
    removed = await connection.execute("DELETE FROM dataset_records WHERE id IN (SELECT id FROM temp.gone)")
    return removed.rowcount


async def _write_repositories(connection: aiosqlite.Connection, repositories: Iterable[KnownRepository]) -> None:
    await connection.execute("DELETE FROM dataset_repositories")
    await connection.executemany(
        "INSERT INTO dataset_repositories VALUES (?, ?, ?, ?, ?, ?)",
        [(one.repo, one.row_json, one.fetched, one.settled, one.etag, one.last_modified) for one in repositories],
    )


async def _write_articles(connection: aiosqlite.Connection, published: Published) -> None:
    await connection.execute(
        "DELETE FROM articles WHERE slug NOT IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(published.article_slugs)),),
    )
    await connection.executemany(
        "INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?)",
        [(one.slug, one.cluster_key, one.row_digest, one.body_json) for one in published.articles],
    )


async def _write_generation(
    connection: aiosqlite.Connection, generation: Generation, difference: Difference, at: datetime
) -> None:
    await connection.execute(
        "INSERT OR REPLACE INTO dataset VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
        (
            generation.base,
            generation.version,
            generation.manifest_json,
            generation.etag,
            generation.last_modified,
            to_text(at),
            json.dumps(asdict(difference)),
        ),
    )
