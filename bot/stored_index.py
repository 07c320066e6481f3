"""The nearest records of the store: which index on disk answers, and whether by meaning or by words."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from weakref import WeakKeyDictionary

from bot.indexing import INDEX_FOLDER, build, indexed_version
from bot.matching.scope import EVERYTHING, Scope
from bot.store.records import RecordStore
from bot.store.scopes import ScopeStore
from bot.store.sqlite import Database
from embeddings.encoder import Encoder
from embeddings.errors import EmbeddingsError, EncoderUnavailable
from embeddings.generations import current_generation
from embeddings.graph_index import graphs_in
from embeddings.index_files import OpenIndex, current_manifest, open_index
from embeddings.manifest import TOKENISER, EncoderIdentity
from embeddings.nearest import NearestRecords, NearRecord
from embeddings.passage import FACETS
from embeddings.selected import Selection

log = logging.getLogger(__name__)

# So many texts are encoded while somebody waits for an answer, in about five seconds; more need `errata index`.
MOST_ENCODED_UNASKED = 300
# The share of messages that may lack a vector while meaning is compared. With messages encoded and nothing else the
# right record is named about as often as by words alone, and no more answers are wrong: embeddings/README.md.
MOST_WITHOUT_VECTOR = 0.1
# A model that failed may have been killed for its memory, which may be free again; trying costs seconds.
MODEL_RETRY_SECONDS = 600.0
# One for each server that has chosen; 153,000 records are 150 KB each.
MOST_SELECTIONS = 100


@dataclass(frozen=True, slots=True)
class _Serving:
    """One open index and what asks it. Questions in flight keep theirs when another takes its place.

    `model_failed_at`: a moment of the monotonic clock, where words are compared because the model failed.
    """

    index: OpenIndex
    nearest: NearestRecords
    behind: str | None
    model_failed_at: float | None = None


class StoredIndex:
    """The nearest records of the store; opened at the first question, brought up to date where that takes seconds."""

    def __init__(
        self,
        database: Database,
        data_dir: Path,
        encoder: Encoder | None,
        *,
        built_elsewhere: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Remember the parts.

        built_elsewhere: somebody keeps building (`bot.index_keeping`), so an index of an older catalogue serves until
        that is done, rather than that a question waits for a build. Without it such an index is brought up to date.
        clock: seconds from any moment on.
        """
        self._clock = clock
        self._database, self._data_dir, self._encoder = database, data_dir, encoder
        self._built_elsewhere = built_elsewhere
        self._serving: _Serving | None = None
        self._folder = data_dir / INDEX_FOLDER
        self._opening = asyncio.Lock()
        self._scopes = ScopeStore(database)
        # They go with the index they were made for.
        self._selections: WeakKeyDictionary[NearestRecords, dict[Scope, Selection]] = WeakKeyDictionary()

    @property
    def behind(self) -> str | None:
        """What the index lacks, as a sentence; None where it lacks nothing, and before the first question."""
        return self._serving.behind if self._serving else None

    @property
    def compared_by(self) -> str | None:
        """The encoder whose vectors are compared, name and revision; None before the first question, and for words."""
        if self._serving is None or not self._serving.nearest.compares_meaning or self._encoder is None:
            return None
        return encoder_key(self._encoder)

    @property
    def index(self) -> OpenIndex | None:
        """The open index, for those who report about it."""
        return self._serving.index if self._serving else None

    async def nearest(self, texts: Sequence[str], k: int, scope: Scope = EVERYTHING) -> list[NearRecord]:
        """The k nearest records of the scope to these texts, by their words alone where the model cannot be loaded.

        Raises EmbeddingsError where the index cannot be used at all.
        """
        opened = await self.opened()
        try:
            return await opened.nearest(texts, k, await self._selection(opened, scope))
        except EncoderUnavailable as why:
            opened = await self._by_words(opened, str(why))
            return await opened.nearest(texts, k, await self._selection(opened, scope))

    async def opened(self) -> NearestRecords:
        """Open what there is, after adding what is missing when that is little."""
        if self._serving is None:
            async with self._opening:
                if self._serving is None:
                    self._serving = await self._fitting()
        return self._serving.nearest

    async def refresh(self) -> bool:
        """The newest index on disk serves from now on, by meaning again where a model that failed is back.

        Returns whether what serves is another than before. Nothing waits for this: questions in flight end with the
        index they began with, whose files stay readable, and new ones are asked of the old index until the new one is
        open. One that does not fit leaves the old one serving.
        """
        async with self._opening:
            before = self._serving
            if before is None:
                return False
            try:
                newest = await asyncio.to_thread(current_generation, self._folder)
                is_same = newest == before.index.folder and graphs_in(self._folder) == before.index.graphs
                if is_same and not await self._is_model_back(before):
                    return False
                self._serving = await self._as_it_is()
            except EmbeddingsError as why:
                log.warning("the new index is not taken: %s", why)
                return False
            return True

    async def is_built(self) -> bool:
        """Whether the index on disk is the whole of the catalogue as it is now, vectors included."""
        version = await RecordStore(self._database).version()
        try:
            manifest = await asyncio.to_thread(current_manifest, self._folder)
        except EmbeddingsError:
            return False
        fits = self._encoder is None or manifest.encoder == EncoderIdentity.of(self._encoder)
        is_whole = self._encoder is None or manifest.unencoded == 0
        return fits and is_whole and (manifest.source, manifest.tokeniser) == (version, TOKENISER)

    async def build_if_small(self) -> bool:
        """A catalogue that takes but seconds is indexed as it is now, and serves so; whether it was so small.

        Raises EmbeddingsError where another process is building.
        """
        if not await self._is_soon_built():
            return False
        async with self._opening:
            try:
                await build(self._database, self._data_dir, self._encoder)
            except EncoderUnavailable as why:
                log.info("words alone are indexed: %s", why)
                await build(self._database, self._data_dir, None)
        await self.refresh()
        return True

    async def _by_words(self, failed: NearestRecords, why: str) -> NearestRecords:
        """What asks the index of words in place of the one whose model failed; many questions may notice at once."""
        async with self._opening:
            if self._serving is None or self._serving.nearest is failed:
                index = await self._words_index()
                self._serving = _Serving(index, NearestRecords(index, None), why, model_failed_at=self._clock())
            return self._serving.nearest

    async def _is_model_back(self, serving: _Serving) -> bool:
        """Whether a model that failed a while ago works; a failure now counts from now."""
        failed_at = serving.model_failed_at
        if self._encoder is None or failed_at is None or self._clock() - failed_at < MODEL_RETRY_SECONDS:
            return False
        try:
            await asyncio.to_thread(self._encoder.encode, ["a text"])
        except EncoderUnavailable as why:
            log.info("the model is still missing: %s", why)
            self._serving = replace(serving, behind=str(why), model_failed_at=self._clock())
            return False
        log.info("the model is back")
        return True

    async def _selection(self, opened: NearestRecords, scope: Scope) -> Selection | None:
        """Which records of an open index are in the scope; None for all of them."""
        if scope.is_everything:
            return None
        kept = self._selections.setdefault(opened, {})
        chosen = kept.get(scope)
        if chosen is None:
            record_ids = await self._scopes.record_ids(scope)
            chosen = await asyncio.to_thread(opened.selection, record_ids)
            if len(kept) >= MOST_SELECTIONS:
                kept.clear()
            kept[scope] = chosen
        return chosen

    async def _fitting(self) -> _Serving:
        """What can serve now. Builds what takes seconds, and words where there would be nothing."""
        is_current = indexed_version(self._data_dir) == await RecordStore(self._database).version()
        why: str | None = None
        if is_current or self._built_elsewhere:
            try:
                serving = await self._as_it_is()
            except EmbeddingsError as problem:
                log.info("the index is built anew: %s", problem)
                why = str(problem)
            else:
                if serving.behind is None or self._built_elsewhere or not await self._is_soon_built():
                    return serving
        if self._encoder is not None and await self._is_soon_built():
            try:
                await build(self._database, self._data_dir, self._encoder)
                return await self._as_it_is()
            except EncoderUnavailable as problem:
                why = str(problem)
        index = await self._words_index()
        missing = index.manifest.passages if self._encoder else 0
        return _Serving(index, NearestRecords(index, None), why or (_behind(missing) if missing else None))

    async def _is_soon_built(self) -> bool:
        """Whether the whole catalogue is so small that building its index takes but seconds."""
        return await RecordStore(self._database).count() * len(FACETS) <= MOST_ENCODED_UNASKED

    async def _as_it_is(self) -> _Serving:
        """The index on disk, by meaning where enough of it has vectors. Raises EmbeddingsError."""
        version = await RecordStore(self._database).version()
        index = await asyncio.to_thread(open_index, self._folder, self._encoder)
        manifest = index.manifest
        by_meaning = self._encoder is not None and manifest.messages_unencoded <= MOST_WITHOUT_VECTOR * manifest.records
        behind = None
        if self._encoder is not None and manifest.unencoded:
            behind = _partly(manifest.unencoded) if by_meaning else _behind(manifest.unencoded)
        elif manifest.source != version:
            behind = "the index is that of an older catalogue; `errata index` brings it up to date"
        return _Serving(index, NearestRecords(index, self._encoder if by_meaning else None), behind)

    async def _words_index(self) -> OpenIndex:
        """The index for words alone, built where it is not that of this catalogue and nobody else will."""
        if self._built_elsewhere or indexed_version(self._data_dir) == await RecordStore(self._database).version():
            try:
                return await asyncio.to_thread(open_index, self._folder, None)
            except EmbeddingsError as why:
                log.info("building the index of words: %s", why)
        await build(self._database, self._data_dir, None)
        return await asyncio.to_thread(open_index, self._folder, None)


def _behind(missing: int) -> str:
    return f"the index lacks {missing} texts of the catalogue, words are compared instead; `errata index` adds them"


def _partly(missing: int) -> str:
    return f"{missing} texts of the catalogue are found by their words alone; `errata index` adds their vectors"


def encoder_key(encoder: Encoder) -> str:
    """How calibration names what compares: the encoder, its revision and the tokeniser of the words beside it."""
    return f"{encoder.name} {encoder.revision}, {TOKENISER}"
