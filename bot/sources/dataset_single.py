"""Single records of the dataset, for a card that waits for one: from the API, or out of their repository's file."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.records.errors import InvalidRecord
from bot.records.record import Record
from bot.sources.api_record import decode_api_record
from bot.sources.dataset_errors import InvalidDataset, InvalidPattern, WrongRecord, WrongRepository
from bot.sources.dataset_patterns import fault_of
from bot.sources.dataset_records import read_repository
from bot.sources.downloading import Downloader, Patience, Wanted, open_downloader
from bot.sources.errors import InvalidSource
from bot.sources.json_text import parse_json

# At the catalogue's real scale a record has 1.5 to 5 KB, half of the repositories' files more than 125 KB.
LARGEST_RECORD: Final = 2**20
# The largest there is has 12 MB.
LARGEST_FILE: Final = 16 * 2**20
# Somebody waits, and who does not gets the next card whole: one attempt, and no server is waited for longer than this.
HURRIED: Final = Patience(connecting=5.0, silence=10.0, grace=20.0, least_speed=262_144.0)


class SingleRecords:
    """Fetches without any state but its connections. All raise what `Downloader.fetch` raises, after one attempt."""

    def __init__(self, downloader: Downloader) -> None:
        self._downloader = downloader

    async def record(self, base: str, record_id: str, repo: str) -> Record:
        """One record, from the API; some kilobytes. Servers of the static files alone have none, which is NotThere.

        It passes the checks of a sync. Raises WrongRecord, WrongRepository, InvalidPattern and InvalidDataset.
        """
        url = f"{base}/api/errors/{record_id}"
        with TemporaryDirectory(prefix="errata-") as folder:
            path = Path(folder) / "record.json"
            await self._downloader.fetch(Wanted(url=url, path=path, most_bytes=LARGEST_RECORD))
            data = await asyncio.to_thread(path.read_bytes)
        return await asyncio.to_thread(_decoded, data, url, record_id, repo)

    async def repository(self, base: str, repo: str) -> list[Record]:
        """All records of a repository, from its file. Raises what `read_repository` raises."""
        name = f"repos/{repo}.json"
        with TemporaryDirectory(prefix="errata-") as folder:
            path = Path(folder) / "repository.json"
            await self._downloader.fetch(Wanted(url=f"{base}/data/{name}", path=path, most_bytes=LARGEST_FILE))
            return await asyncio.to_thread(lambda: list(read_repository(path, repo, name)))


@asynccontextmanager
async def open_single_records(patience: Patience = HURRIED) -> AsyncIterator[SingleRecords]:
    """With connections of its own to the network."""
    async with open_downloader(patience, attempts=1) as downloader:
        yield SingleRecords(downloader)


def _decoded(data: bytes, url: str, record_id: str, repo: str) -> Record:
    try:
        document = parse_json(data, url)
        if not isinstance(document, dict) or "record" not in document:
            raise InvalidDataset((f"{url}: document: is no answer of the API",))
        record = decode_api_record(document, url).record
    except InvalidSource as invalid:
        raise InvalidDataset(invalid.problems) from invalid
    except InvalidRecord as invalid:
        raise InvalidDataset(tuple(f"{invalid.origin}: {problem}" for problem in invalid.problems)) from invalid
    if record.id != record_id:
        raise WrongRecord(url, record.id, record_id)
    if record.repo != repo:
        raise WrongRepository(url, record.id, record.repo, repo)
    if (why := fault_of(record.message_pattern)) is not None:
        raise InvalidPattern(url, record.id, why)
    return record
