"""What answers at this moment, and its exchange for what the catalogue has become."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.answering import CatalogueStatus
from bot.indexing import Progress, no_progress, patterns
from bot.matching.calibration import Calibration, shipped_calibration
from bot.matching.matcher import Matcher, Tiers
from bot.matching.nearest_tier import NearestTier
from bot.matching.pattern_files import CompiledPatterns
from bot.store.fact_source import Names, StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from bot.stored_index import StoredIndex, encoder_key
from embeddings.encoder import Encoder
from embeddings.errors import IndexBusy

log = logging.getLogger(__name__)

_BUILDING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Generation:
    """The catalogue as it was at one moment, compiled and open."""

    compiled: CompiledPatterns
    facts: StoredFacts
    tiers: Tiers


@dataclass(frozen=True, slots=True)
class _Source:
    """What generations are made from. guesses: without them the pattern tier answers alone."""

    database: Database
    data_dir: Path
    index: StoredIndex
    calibration: Calibration
    guesses: bool

    async def newest(self, progress: Progress = no_progress) -> _Generation:
        """Compile what is not compiled yet, and open it."""
        compiled = await patterns(self.database, self.data_dir, progress)
        for refused in compiled.refused:
            log.warning("record %s is left out of the pattern tier: %s", refused.record_id, refused.why)
        facts = StoredFacts(self.database)
        nearest = NearestTier(self.index, facts, self.calibration) if self.guesses else None
        return _Generation(compiled, facts, Tiers(compiled.scanners, facts, nearest))


class Serving:
    """One generation of the catalogue and the matcher that asks it. Pastes in flight keep theirs when it is exchanged.

    What is reported as the version is what is served (G1): that of the compiled patterns in use.
    """

    def __init__(self, source: _Source, generation: _Generation, encoder: Encoder, places: int) -> None:
        self._source, self._generation, self._encoder = source, generation, encoder
        self._renewing = asyncio.Lock()
        self.index = source.index
        self.matcher = Matcher(generation.tiers, source.calibration, places)

    @classmethod
    async def opened(
        cls,
        database: Database,
        data_dir: Path,
        encoder: Encoder,
        index: StoredIndex,
        *,
        progress: Progress = no_progress,
        places: int,
        guesses: bool = True,
    ) -> "Serving":
        """Answer from the store as it is now; patterns that are not compiled yet are compiled first.

        places: how many pastes are matched at a time. guesses: without them the pattern tier answers alone.
        """
        source = _Source(database, data_dir, index, shipped_calibration(), guesses)
        return cls(source, await source.newest(progress), encoder, places)

    async def renew(self) -> bool:
        """The catalogue as it is in the store answers from now on; whether it is another than before.

        Nothing waits for it: questions are answered from the old patterns until the new ones are compiled and open.
        Raises what compiling raises; the old generation then keeps answering.
        """
        async with self._renewing:
            if await RecordStore(self._source.database).version() == self.version:
                return False
            before = self.version
            self._generation = await self._source.newest()
            self.matcher.tiers = self._generation.tiers
            log.info("the catalogue %s answers in place of %s", self.version, before)
            return True

    @property
    def version(self) -> str:
        """That of the catalogue that answers."""
        return self._generation.compiled.catalogue_version

    @asynccontextmanager
    async def unmoved(self) -> AsyncIterator[None]:
        """Inside, answers come from the catalogue as it is now, also while the store is changed, until `renew`."""
        async with self._generation.facts.as_they_are():
            yield

    def names(self) -> Iterator[Names]:
        """The names of every record of the store, ordered by id. It blocks, so it is for a thread."""
        return StoredFacts(self._source.database).names()

    async def status(self) -> CatalogueStatus:
        """Counts of what answers questions now."""
        repos = await RecordStore(self._source.database).repos()
        index = self.index.index
        return CatalogueStatus(
            version=self.version,
            records=sum(repos.values()),
            repositories=len(repos),
            patterns=self._generation.compiled.expressions,
            refused=len(self._generation.compiled.refused),
            indexed=0 if index is None else index.manifest.records,
            encoder=self.index.compared_by or (encoder_key(self._encoder) if index is None else None),
            degraded=self.index.behind,
        )

    async def warm(self) -> None:
        """Open the index, once there is one, and load the model by asking for something.

        Raises EmbeddingsError where that cannot be; the pattern tier answers all the same.
        """
        while True:
            try:
                await self.index.nearest(["warm up"], 1)
            except IndexBusy:
                # The first build of a large catalogue; its words are there within a minute.
                await asyncio.sleep(_BUILDING_SECONDS)
            else:
                return
