"""A catalogue made of some files alone, kept between runs under the fingerprint of what is in them."""

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import Settings
from bot.sources.files import iter_entries
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database

CACHE_FOLDER = "cache"
# The largest catalogue there is takes about a gigabyte with its vectors.
_MOST_KEPT = 3


async def settings_for(paths: Sequence[Path], settings: Settings) -> Settings:
    """Settings whose data folder holds a store of exactly these files, imported now if they have not been before.

    Memory does not grow with the files. Folders of other catalogues are removed when there are more than a few.

    Raises InvalidSource when a file holds what is no record.
    """
    cache = settings.data_dir / CACHE_FOLDER
    folder = cache / fingerprint(paths)
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()  # the folders used last are kept
    _remove_oldest(cache)
    async with Database.open(folder / FILE_NAME) as database:
        records = RecordStore(database)
        if await records.count() == 0:  # an import is whole or not there at all
            await records.put(iter_entries(paths), ", ".join(map(str, paths)), datetime.now(UTC))
    return settings.model_copy(update={"data_dir": folder})


def fingerprint(paths: Iterable[Path]) -> str:
    """16 hex digits that say what is in these files and folders, in the order given."""
    whole = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if not file.is_file():
                continue
            with file.open("rb") as opened:
                content = hashlib.file_digest(opened, "sha256").hexdigest()
            whole.update(f"{content} {file.stat().st_size}\n".encode())
    return whole.hexdigest()[:16]


def _remove_oldest(cache: Path) -> None:
    folders = sorted(cache.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[_MOST_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
