"""From the store to what matching opens: compiled patterns, and the index of the nearest records."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bot.matching.pattern_files import CompiledPatterns, PatternsDoNotFit, build_patterns, open_patterns
from bot.records.entry import Entry
from bot.records.template import Literal, parse_template
from bot.store.fact_source import StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from embeddings.build import BuildReport, build_index
from embeddings.encoder import Encoder
from embeddings.errors import EmbeddingsError, EncoderUnavailable
from embeddings.index_files import TOKENISER, OpenIndex, open_index
from embeddings.nearest import NearestRecords, NearRecord
from embeddings.passage import FACETS, Facet, Passage

log = logging.getLogger(__name__)

# Called with what is being done, how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]
PATTERNS_FOLDER = "patterns"
INDEX_FOLDER = "index"
# So many texts are encoded while somebody waits for an answer, in about five seconds; more need `errata index`.
MOST_ENCODED_UNASKED = 300


def no_progress(_what: str, _done: int, _total: int) -> None:
    """For callers that show none."""


def passages_of(entry: Entry) -> Iterator[Passage]:
    """The three texts of an entry under which it can be found.

    The message goes without its placeholders: no paste holds them, and a message that keeps them is never covered.
    """
    words = " ".join(piece.text.strip() for piece in parse_template(entry.error_message) if isinstance(piece, Literal))
    yield Passage(entry.id, Facet.MESSAGE, words.strip() or entry.error_message)
    yield Passage(entry.id, Facet.MEANING, entry.documentation)
    triggers = " ".join(text for text in (entry.trigger_scenarios, entry.common_situations) if text)
    yield Passage(entry.id, Facet.TRIGGER, triggers)


async def patterns(database: Database, data_dir: Path, progress: Progress = no_progress) -> CompiledPatterns:
    """The compiled patterns of the catalogue; they are compiled first where those on disk do not fit."""
    version = await RecordStore(database).version()
    folder = data_dir / PATTERNS_FOLDER
    try:
        return await asyncio.to_thread(open_patterns, folder, version)
    except PatternsDoNotFit as why:
        log.info("compiling patterns: %s", why.why)
    facts = [one async for one in StoredFacts(database).all_facts()]
    await asyncio.to_thread(
        build_patterns, folder, facts, version, progress=lambda done, total: progress("patterns", done, total)
    )
    return await asyncio.to_thread(open_patterns, folder, version)


async def build(
    database: Database,
    data_dir: Path,
    encoder: Encoder | None,
    *,
    facets: Sequence[Facet] = FACETS,
    progress: Progress = no_progress,
) -> BuildReport:
    """Bring the index up to the catalogue; only new and changed texts are encoded, none without an encoder."""
    version = await RecordStore(database).version()
    passages = [passage async for entry in RecordStore(database).iter_all() for passage in passages_of(entry)]
    report = await asyncio.to_thread(
        build_index,
        data_dir / INDEX_FOLDER,
        passages,
        encoder,
        facets=facets,
        progress=lambda done, total: progress("index", done, total),
    )
    await asyncio.to_thread(_write_version, data_dir, version)
    return report


def indexed_version(data_dir: Path) -> str | None:
    """The version of the catalogue the index was built from; None where there is none."""
    try:
        return (data_dir / INDEX_FOLDER / "catalogue-version").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None


class StoredIndex:
    """The nearest records of the store; opened at the first question, brought up to date where that takes seconds."""

    def __init__(self, database: Database, data_dir: Path, encoder: Encoder | None) -> None:
        self._database, self._data_dir, self._encoder = database, data_dir, encoder
        self._opened: NearestRecords | None = None
        self._index: OpenIndex | None = None
        self._folder = data_dir / INDEX_FOLDER
        self._opening = asyncio.Lock()
        self.behind: str | None = None

    @property
    def compared_by(self) -> str | None:
        """The encoder whose vectors are compared, name and revision; None before the first question, and for words."""
        if self._opened is None or not self._opened.compares_meaning or self._encoder is None:
            return None
        return encoder_key(self._encoder)

    @property
    def index(self) -> OpenIndex | None:
        """The open index, for those who report about it."""
        return self._index

    async def nearest(self, texts: Sequence[str], k: int) -> list[NearRecord]:
        """The k nearest records to these texts, by their words alone where the model cannot be loaded.

        Raises EmbeddingsError where the index cannot be used at all.
        """
        opened = await self.opened()
        try:
            return await opened.nearest(texts, k)
        except EncoderUnavailable as why:
            self.behind = str(why)
            self._opened = NearestRecords(await self._words_index(), None)
            return await self._opened.nearest(texts, k)

    async def opened(self) -> NearestRecords:
        """Open what there is, after adding what is missing when that is little."""
        async with self._opening:
            if self._opened is None:
                try:
                    self._index = await self._fitting()
                except EncoderUnavailable as why:
                    self.behind = str(why)
                    self._index = await self._words_index()
                self._opened = NearestRecords(self._index, self._encoder if self._index.vectors else None)
            return self._opened

    async def _fitting(self) -> OpenIndex:
        if self._encoder is None:
            return await self._words_index()
        if await self._is_of_this_catalogue():
            try:
                index = await asyncio.to_thread(open_index, self._folder, self._encoder)
            except EmbeddingsError as why:
                self.behind = str(why)
            else:
                if index.is_complete:
                    self.behind = None
                    return index
                if index.manifest.unencoded > MOST_ENCODED_UNASKED:
                    self.behind = _behind(index.manifest.unencoded)
                    return index
        texts = await RecordStore(self._database).count() * len(FACETS)
        if texts > MOST_ENCODED_UNASKED:
            self.behind = self.behind or _behind(texts)
            return await self._words_index()
        await build(self._database, self._data_dir, self._encoder)
        self.behind = None
        return await asyncio.to_thread(open_index, self._folder, self._encoder)

    async def _words_index(self) -> OpenIndex:
        """The index for words alone, built where it is not that of this catalogue."""
        if await self._is_of_this_catalogue():
            try:
                return await asyncio.to_thread(open_index, self._folder, None)
            except EmbeddingsError as why:
                log.info("building the index of words: %s", why)
        await build(self._database, self._data_dir, None)
        return await asyncio.to_thread(open_index, self._folder, None)

    async def _is_of_this_catalogue(self) -> bool:
        return indexed_version(self._data_dir) == await RecordStore(self._database).version()


def _behind(missing: int) -> str:
    return f"the index lacks {missing} texts of the catalogue, words are compared instead; `errata index` adds them"


def encoder_key(encoder: Encoder) -> str:
    """How calibration names what compares: the encoder, its revision and the tokeniser of the words beside it."""
    return f"{encoder.name} {encoder.revision}, {TOKENISER}"


def _write_version(data_dir: Path, version: str) -> None:
    path = data_dir / INDEX_FOLDER / "catalogue-version"
    temporary = path.with_suffix(".new")
    temporary.write_text(version, encoding="ascii")
    temporary.replace(path)
