"""From the store to what matching opens: compiled patterns and the index are built from it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.matching.pattern_files import CompiledPatterns, PatternsDoNotFit, build_patterns, open_patterns
from bot.passages import StoredPassages
from bot.store.fact_source import StoredFacts
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from embeddings.build import BuildReport, refresh_index
from embeddings.encoder import Encoder
from embeddings.errors import EmbeddingsError
from embeddings.generations import RECORD_KEYS
from embeddings.graph_index import build_graph
from embeddings.index_files import current_manifest, open_index
from embeddings.manifest import Manifest
from embeddings.passage import FACETS, Facet

log = logging.getLogger(__name__)

# Called with what is being done, how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]
PATTERNS_FOLDER = "patterns"
INDEX_FOLDER = "index"


def no_progress(_what: str, _done: int, _total: int) -> None:
    """For callers that show none."""


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
    """Bring the index up to the catalogue; only new and changed texts are encoded, none without an encoder.

    Where the index on disk is whole, and of this catalogue and encoder, nothing is read but its manifest.
    """
    version = await RecordStore(database).version()
    whole = await asyncio.to_thread(_whole, data_dir / INDEX_FOLDER, version, encoder)
    if whole is not None:
        return BuildReport(whole, encoded=0, reused=whole.vectors)
    return await asyncio.to_thread(
        refresh_index,
        data_dir / INDEX_FOLDER,
        lambda: StoredPassages.open(database.path),
        encoder,
        facets=facets,
        progress=lambda done, total: progress("index", done, total),
    )


def _whole(folder: Path, version: str, encoder: Encoder | None) -> Manifest | None:
    """The manifest of the index on disk where a build from this version of the catalogue would change nothing.

    Without an encoder vectors stay as they are, so an index of words is as whole as one that has them all. One without
    the keys of its records is built once more, so that the next change costs what changed.
    """
    try:
        manifest = open_index(folder, encoder).manifest
    except EmbeddingsError:
        return None
    lacks_vectors = encoder is not None and manifest.unencoded > 0
    is_whole = manifest.source == version and not lacks_vectors and RECORD_KEYS in manifest.files
    return manifest if is_whole else None


async def build_graph_if_large(data_dir: Path) -> None:
    """Where there are more vectors than an exact search is quick with, the graph of an approximate one is on disk."""
    await asyncio.to_thread(build_graph, data_dir / INDEX_FOLDER)


def indexed_version(data_dir: Path) -> str | None:
    """The version of the catalogue the index was built from; None where there is none that can be read."""
    try:
        return current_manifest(data_dir / INDEX_FOLDER).source
    except EmbeddingsError:
        return None
