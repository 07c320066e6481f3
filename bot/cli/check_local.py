"""What can be checked without a network: the data folder, the store, what is built from it, the model's weights."""

import asyncio
import hashlib
import importlib.util
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from bot.assembly import opened_store
from bot.cli.checking import Check, fail, ok, warn
from bot.cli.output import progress_bars
from bot.indexing import INDEX_FOLDER, indexed_version, patterns
from bot.settings import Settings
from bot.store.errors import StoreError
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from embeddings.errors import EmbeddingsError
from embeddings.index_files import open_index
from embeddings.sentence_encoder import PACKAGE, WEIGHTS_SHA256, SentenceEncoder


async def local_checks(settings: Settings) -> AsyncIterator[Check]:
    """Each check when it is done; those that need the store are left out where it cannot be opened."""
    yield ok("settings", "valid")
    folder = _data_folder(settings.data_dir)
    yield folder
    if folder.to_do:
        return
    try:
        async with opened_store(settings) as database:
            async for check in _stored(settings, database):
                yield check
    except StoreError as error:
        yield fail("store", str(error), "see the sentence before")
    yield await asyncio.to_thread(_weights)


def _data_folder(folder: Path) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return fail(
            "data folder",
            f"{folder} cannot be written ({error.strerror})",
            "give the user of the bot the right to write there, or set ERRATA_DATA_DIR to another folder",
        )
    return ok("data folder", f"{folder} can be written")


async def _stored(settings: Settings, database: Database) -> AsyncIterator[Check]:
    records = RecordStore(database)
    version, count = await records.version(), await records.count()
    yield ok("store", f"{count} records, catalogue {version}")
    with progress_bars() as progress:
        compiled = await patterns(database, settings.data_dir, progress)
    if compiled.refused:
        some = ", ".join(sorted({refused.record_id for refused in compiled.refused})[:3])
        yield warn(
            "patterns",
            f"{compiled.expressions} fit, {len(compiled.refused)} are refused by every engine ({some} …)",
            "these records are found as guesses only; `errata catalogue check` on their files says why",
        )
    else:
        yield ok("patterns", f"{compiled.expressions} fit the catalogue")
    yield await asyncio.to_thread(_index, settings, version)


def _index(settings: Settings, version: str) -> Check:
    if indexed_version(settings.data_dir) != version:
        return warn("index", "it is not built for this catalogue", "run `errata index`")
    try:
        index = open_index(settings.data_dir / INDEX_FOLDER, SentenceEncoder())
    except EmbeddingsError as error:
        return warn("index", str(error), "run `errata index`; until then guesses compare words")
    if not index.is_complete:
        return warn("index", f"{index.manifest.unencoded} texts have no vector yet", "run `errata index`")
    return ok("index", f"{index.manifest.records} records, {index.manifest.vectors} vectors")


def _weights() -> Check:
    to_do = f"reinstall the package {PACKAGE}; exact answers work without it"
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return warn("model", f"the package {PACKAGE} is not installed", to_do)
    path = Path(found.submodule_search_locations[0]) / "model" / "model.safetensors"
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return warn("model", f"its weights cannot be read ({error.strerror})", to_do)
    if digest != WEIGHTS_SHA256:
        return fail("model", f"{path} has the sha256 {digest}, expected {WEIGHTS_SHA256}", to_do)
    return ok("model", f"weights {digest[:12]} as pinned")
