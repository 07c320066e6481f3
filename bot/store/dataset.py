"""What is remembered of the dataset the catalogue is kept in step with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.store.moments import from_text
from bot.store.sqlite import Database

_EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose records are wanted whole: all of them, or those of some repositories (`owner/name`)."""

    everything: bool = False
    repositories: frozenset[str] = frozenset()

    def covers(self, repo: str) -> bool:
        """Whether the records of this repository are wanted whole."""
        return self.everything or repo in self.repositories


@dataclass(frozen=True, slots=True)
class Difference:
    """What a sync changed, in records. `completed`: known in outline before, whole now, and otherwise the same."""

    added: int = 0
    changed: int = 0
    gone: int = 0
    completed: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.gone or self.completed)


@dataclass(frozen=True, slots=True)
class Generation:
    """A state of the dataset as its server publishes it. `version` is upstream's, and only grows.

    etag, last_modified: what the server said of the manifest, to ask with the next time.
    """

    base: str
    version: str
    manifest_json: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Synced:
    """The generation that is served, since when (UTC), and what it changed."""

    generation: Generation
    at: datetime
    difference: Difference


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """A repository of the dataset. `row_json` is its line in the list of repositories.

    fetched: its whole records are here, and none has changed in outline since. settled: they fitted the compact index.
    etag, last_modified: of their file.
    """

    repo: str
    row_json: str
    fetched: bool = False
    settled: bool = False
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many records of the dataset are here whole, and how many in outline; `own`: those that are not of it."""

    whole: int
    outlines: int
    own: int


class DatasetStore:
    """Reads what the last takeover left behind, and keeps people's choice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def synced(self) -> Synced | None:
        """The generation that is served; None before the first sync."""
        row = await self._database.row(
            "SELECT base, version, manifest_json, etag, last_modified, synced_at,"
            " difference_json ->> 'added', difference_json ->> 'changed', difference_json ->> 'gone',"
            " difference_json ->> 'completed' FROM dataset"
        )
        return Synced(Generation(*row[:5]), from_text(row[5]), Difference(*row[6:])) if row else None

    async def choice(self) -> Choice | None:
        """What was chosen last; None where nobody has chosen yet."""
        repos = frozenset(str(repo) for (repo,) in await self._database.rows("SELECT repo FROM dataset_choice"))
        return Choice(_EVERYTHING in repos, repos - {_EVERYTHING}) if repos else None

    async def choose(self, choice: Choice) -> None:
        """Keep a choice for the syncs to come, in place of the one before."""
        wanted = {_EVERYTHING} if choice.everything else choice.repositories
        async with self._database.transaction() as connection:
            await connection.execute("DELETE FROM dataset_choice")
            await connection.executemany("INSERT INTO dataset_choice VALUES (?)", [(repo,) for repo in sorted(wanted)])

    async def repositories(self) -> dict[str, KnownRepository]:
        """All repositories of the generation that is served, by name."""
        rows = await self._database.rows(
            "SELECT repo, row_json, fetched, settled, etag, last_modified FROM dataset_repositories ORDER BY repo"
        )
        return {row[0]: KnownRepository(row[0], row[1], bool(row[2]), bool(row[3]), row[4], row[5]) for row in rows}

    async def is_whole(self, record_id: str) -> bool:
        """Whether all of a record is here; also for one that is not of the dataset, and one that is not here."""
        row = await self._database.row("SELECT 1 FROM dataset_records WHERE id = ? AND whole = 0", (record_id,))
        return row is None

    async def holdings(self) -> Holdings:
        """What is here, counted."""
        row = await self._database.row(
            "SELECT total(whole), count(*) - total(whole), (SELECT count(*) FROM record_facts) - count(*)"
            " FROM dataset_records"
        )
        return Holdings(*map(int, row)) if row else Holdings(0, 0, 0)


def chosen(repositories: Iterable[str]) -> Choice:
    """The choice in a list of names, in which `all` stands for everything."""
    names = frozenset(repositories)
    return Choice("all" in names, names - {"all"})
