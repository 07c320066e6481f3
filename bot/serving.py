"""What answers at this moment, and its exchange for what the catalogue has become."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.answering import CatalogueStatus
from bot.indexing import Progress, StoredIndex, encoder_key, no_progress, patterns
from bot.matching.calibration import shipped_calibration
from bot.matching.matcher import Matcher, Tiers
from bot.matching.nearest_tier import NearestTier
from bot.matching.pattern_files import CompiledPatterns
from bot.store.fact_source import Names, StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from embeddings.encoder import Encoder
from embeddings.errors import IndexBusy

log = logging.getLogger(__name__)

_BUILDING_SECONDS = 5.0


class Serving:
    """One generation of the catalogue and the matcher that asks it. Pastes in flight keep theirs when it is exchanged.

    What is reported as the version is what is served (G1): that of the compiled patterns in use.
    """

    def __init__(self, database: Database, data_dir: Path, encoder: Encoder, index: StoredIndex) -> None:
        self._database, self._data_dir, self._encoder = database, data_dir, encoder
        self.index = index
        self._calibration = shipped_calibration()
        self._renewing = asyncio.Lock()
        self._guesses = True
        self._compiled: CompiledPatterns
        self._facts: StoredFacts
        self.matcher: Matcher

    async def open(self, progress: Progress = no_progress, *, places: int, guesses: bool = True) -> None:
        """Compile what is not compiled yet, and answer from it.

        places: how many pastes are matched at a time. guesses: without them the pattern tier answers alone.
        """
        self._guesses = guesses
        self.matcher = Matcher(await self._newest(progress), self._calibration, places)

    async def renew(self) -> bool:
        """The catalogue as it is in the store answers from now on; whether it is another than before.

        Nothing waits for it: questions are answered from the old patterns until the new ones are compiled and open.
        Raises what compiling raises; the old generation then keeps answering.
        """
        async with self._renewing:
            if await RecordStore(self._database).version() == self.version:
                return False
            before = self.version
            self.matcher.tiers = await self._newest(no_progress)
            log.info("the catalogue %s answers in place of %s", self.version, before)
            return True

    @property
    def version(self) -> str:
        """That of the catalogue that answers."""
        return self._compiled.catalogue_version

    @asynccontextmanager
    async def unmoved(self) -> AsyncIterator[None]:
        """Inside, answers come from the catalogue as it is now, also while the store is changed, until `renew`."""
        async with self._facts.as_they_are():
            yield

    def names(self) -> Iterator[Names]:
        """The names of every record of the store, ordered by id. It blocks, so it is for a thread."""
        return StoredFacts(self._database).names()

    async def status(self) -> CatalogueStatus:
        """Counts of what answers questions now."""
        repos = await RecordStore(self._database).repos()
        index = self.index.index
        return CatalogueStatus(
            version=self.version,
            records=sum(repos.values()),
            repositories=len(repos),
            patterns=self._compiled.expressions,
            refused=len(self._compiled.refused),
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

    async def _newest(self, progress: Progress) -> Tiers:
        compiled = await patterns(self._database, self._data_dir, progress)
        for refused in compiled.refused:
            log.warning("record %s is left out of the pattern tier: %s", refused.record_id, refused.why)
        facts = StoredFacts(self._database)
        nearest = NearestTier(self.index, facts, self._calibration) if self._guesses else None
        self._compiled, self._facts = compiled, facts
        return Tiers(compiled.scanners, facts, nearest)
