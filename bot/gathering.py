"""One generation of the dataset on its way from its server into the store."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.sources.dataset_fetching import DatasetFetching, all_of
from bot.sources.dataset_manifest import Manifest
from bot.sources.dataset_repositories import RepositoryRow
from bot.sources.downloading import Validators
from bot.store.dataset import Choice, KnownRepository
from bot.store.takeover import Fit, Takeover


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a sync is. `step` is "checking", "fetching" or "storing"; `bytes` came so far, over all steps."""

    step: str
    records: int
    of_records: int
    repositories: int = 0
    of_repositories: int = 0
    bytes: int = 0


Watcher = Callable[[SyncProgress], None]


class Gathering:
    """Decides what of a generation must be fetched, and hands it to a takeover.

    The methods are called once each, in their order. `listed` counts the records of each repository; `fetched` and
    `unmodified` are repositories whose file came, or was said to be the one whose records are served; `fits` says how
    the files agree with the compact index.
    """

    def __init__(
        self,
        dataset: DatasetFetching,
        taking: Takeover,
        manifest: Manifest,
        known: Mapping[str, KnownRepository],
        watch: Watcher,
    ) -> None:
        self._dataset, self._taking, self._manifest, self._known = dataset, taking, manifest, known
        self._watch = watch
        self._rows: Mapping[str, RepositoryRow] = {}
        self._changed: frozenset[str] = frozenset()
        self.listed: Mapping[str, int] = {}
        self.fetched: dict[str, Validators] = {}
        self.unmodified: list[str] = []
        self.fits: dict[str, Fit] = {}

    async def list_records(self) -> None:
        """All records of the generation are noted, and it is known which repositories have changed in outline."""
        self._rows = await self._dataset.rows(self._manifest)

        def note(done: int) -> None:
            self._watch(SyncProgress("checking", done, self._manifest.records, bytes=self._dataset.bytes))

        await self._taking.list(self._dataset.outlines(self._manifest, note))
        self.listed = await self._taking.listed_repositories()
        self._changed = await self._taking.changed_repositories()

    async def fetch(self, wish: Choice) -> None:
        """The files of all repositories that are wanted and may have changed are here."""
        wanted = [repo for repo in self.listed if wish.covers(repo) and self._may_have_changed(repo)]
        total = sum(self.listed[repo] for repo in wanted)
        done_records = done = 0

        async def fetch(repo: str) -> None:
            nonlocal done_records, done
            validators = await self._dataset.repository(repo, self._manifest, self._served_validators(repo))
            if validators is None:
                self.unmodified.append(repo)
            else:
                self.fetched[repo] = validators
            done_records, done = done_records + self.listed[repo], done + 1
            self._watch(SyncProgress("fetching", done_records, total, done, len(wanted), self._dataset.bytes))

        await all_of(fetch(repo) for repo in wanted)

    async def complete(self) -> None:
        """The whole records of what was fetched are put aside."""
        total = sum(self.listed[repo] for repo in self.fetched)
        done = 0
        # In the order of names, so that what is refused first does not depend on the network.
        for number, repo in enumerate(sorted(self.fetched), start=1):
            self.fits[repo] = await self._taking.complete(repo, self._dataset.records(repo))
            done += self.listed[repo]
            self._watch(SyncProgress("storing", done, total, number, len(self.fetched), self._dataset.bytes))

    def remembered(self, repo: str) -> KnownRepository:
        """What is to be remembered of a repository."""
        row = self._rows.get(repo)
        text = row.text if row else json.dumps({"repo": repo, "errorCount": self.listed[repo]})
        if repo in self.fetched:
            validators = self.fetched[repo]
            settled = self.fits[repo].is_perfect
            return KnownRepository(repo, text, True, settled, validators.etag, validators.last_modified)
        known = self._known.get(repo)
        if known is None or repo in self._changed:
            # Some of its records were replaced by their outlines, or never were more.
            return KnownRepository(repo, text)
        return KnownRepository(repo, text, known.fetched, known.settled, known.etag, known.last_modified)

    def _may_have_changed(self, repo: str) -> bool:
        known, row = self._known.get(repo), self._rows.get(repo)
        if known is None or not (known.fetched and known.settled) or repo in self._changed:
            return True
        return row is None or row.text != known.row_json

    def _served_validators(self, repo: str) -> Validators:
        """What to ask with: nothing where the compact index says that the file must be another one."""
        known = self._known.get(repo)
        if known is None or not known.fetched or repo in self._changed:
            return Validators()
        return Validators(known.etag, known.last_modified)
