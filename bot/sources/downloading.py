"""Files over HTTP into a folder: bounded in size, time and number, tried again, whole or not at all."""

import asyncio
import hashlib
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

import aiohttp
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from bot.errors import BotError
from bot.sources.dataset_errors import (
    CannotBeKept,
    DatasetUnreachable,
    LyingSize,
    NotADataset,
    NotThere,
    TooLarge,
    Truncated,
    WrongChecksum,
)

AT_ONCE: Final = 8
_ATTEMPTS: Final = 5
_PIECE_BYTES: Final = 2**16
# Hashing and writing this much takes a thread about a millisecond; the event loop waits for neither.
_WRITTEN_BYTES: Final = 2**20
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS
_TRY_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_KINDS: Final = frozenset(
    {"application/json", "application/gzip", "application/x-gzip", "application/octet-stream", "text/plain"}
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a file may take, in seconds; none of it depends on what a server says but for `most_asked`.

    A file has `grace` seconds and one more for each `least_speed` bytes that it may be long, so that one that drips is
    given up. most_asked: a server that asks for a longer wait than this is not waited for.
    """

    connecting: float = 15.0
    silence: float = 30.0
    grace: float = 60.0
    least_speed: float = 16_384.0
    first_wait: float = 1.0
    longest_wait: float = 30.0
    most_asked: float = 120.0


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of a file, by which it tells the next time whether the file has changed."""

    etag: str | None = None
    last_modified: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        named = (("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified))
        return {name: value for name, value in named if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A file to fetch. `bytes` and `sha256` are what is promised of it, None where nothing is.

    is_packed: the file itself is gzip, and is kept as it is; others may come packed and are kept unpacked.
    """

    url: str
    path: Path
    most_bytes: int
    bytes: int | None = None
    sha256: str | None = None
    validators: Validators = Validators()
    is_packed: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is on disk, whole. `bytes` and `sha256` are of what lies there."""

    bytes: int
    sha256: str
    validators: Validators


class _TryAgain(Exception):
    """This attempt failed, the next may not. `final` is what to raise where there is no next one."""

    def __init__(self, final: BotError, wait_seconds: float | None = None) -> None:
        super().__init__(str(final))
        self.final, self.wait_seconds = final, wait_seconds


class Downloader:
    """Fetches at most eight files at a time. `requests` and `bytes` count what was asked and what came."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        patience: Patience = Patience(),
        *,
        attempts: int = _ATTEMPTS,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._session, self._patience, self._sleep, self._now = session, patience, sleep, now
        self._attempts = attempts
        self._places = asyncio.Semaphore(AT_ONCE)
        self._backoff = wait_exponential_jitter(
            multiplier=patience.first_wait, max=patience.longest_wait, jitter=patience.first_wait
        )
        self.requests = 0
        self.bytes = 0

    async def fetch(self, wanted: Wanted) -> Fetched | None:
        """Return what was fetched, which then lies at its path; None where the file has not changed.

        Up to that moment an older file at the path stays as it is. What may pass is tried `attempts` times, with
        growing waits or as long as the server asks.

        Raises TooLarge, Truncated, LyingSize, WrongChecksum, NotADataset, DatasetUnreachable and CannotBeKept.
        """
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._attempts),
            wait=self._wait,
            retry=retry_if_exception_type(_TryAgain),
            sleep=self._sleep,
            reraise=True,
        )
        part = wanted.path.with_name(wanted.path.name + ".part")
        try:
            return await retrying(self._attempt, wanted, part)
        except _TryAgain as last:
            raise last.final from last
        finally:
            part.unlink(missing_ok=True)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.wait_seconds if isinstance(error, _TryAgain) else None
        backoff = self._backoff(state)
        return backoff if asked is None else max(asked, backoff)

    async def _attempt(self, wanted: Wanted, part: Path) -> Fetched | None:
        patience = self._patience
        longest = patience.grace + (wanted.bytes or wanted.most_bytes) / patience.least_speed
        try:
            # Waiting for a place is not the server's fault, so the clock starts behind it.
            async with self._places, asyncio.timeout(longest):
                return await self._ask(wanted, part)
        except (aiohttp.ClientError, OSError) as error:
            # An OSError may also be ours: a full disk does not get better by waiting.
            if not isinstance(error, aiohttp.ClientError | TimeoutError | ConnectionError):
                raise CannotBeKept(wanted.path, error.strerror or type(error).__name__) from error
            why = "it did not come in time" if isinstance(error, TimeoutError) else _said(error)
            raise _TryAgain(DatasetUnreachable(wanted.url, why)) from error

    async def _ask(self, wanted: Wanted, part: Path) -> Fetched | None:
        self.requests += 1
        encoding = "identity" if wanted.is_packed else "gzip"
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=self._patience.connecting, sock_read=self._patience.silence
        )
        async with self._session.get(
            wanted.url,
            headers={"Accept-Encoding": encoding, **wanted.validators.headers},
            allow_redirects=False,
            timeout=timeout,
        ) as response:
            if response.status == 304 and wanted.validators.headers:
                return None
            self._check_status(response, wanted)
            # A file of which less is sent than promised is told from one that lost its connection by its heading.
            whole = not response.headers.get("Content-Encoding") or wanted.is_packed
            if whole and response.content_length is not None:
                _check_size(wanted, response.content_length)
            elif (response.content_length or 0) > wanted.most_bytes:
                raise TooLarge(wanted.url, response.content_length or 0, wanted.most_bytes)
            return await self._keep(response, wanted, part)

    def _check_status(self, response: aiohttp.ClientResponse, wanted: Wanted) -> None:
        status = response.status
        if status in _TRY_AGAIN:
            asked = _retry_after(response.headers.get("Retry-After"), self._now())
            unreachable = DatasetUnreachable(wanted.url, f"the server answers {status}")
            if asked is not None and asked > self._patience.most_asked:
                raise DatasetUnreachable(wanted.url, f"the server asks to come back in {asked:.0f} seconds")
            raise _TryAgain(unreachable, asked)
        if 300 <= status < 400:
            raise NotADataset(wanted.url, f"a redirect to {response.headers.get('Location', 'nowhere')[:200]}")
        if status != 200:
            missing = NotThere if status in {404, 410} else DatasetUnreachable
            raise missing(wanted.url, f"the server answers {status}")
        if response.content_type not in _KINDS:
            raise NotADataset(wanted.url, response.content_type)

    async def _keep(self, response: aiohttp.ClientResponse, wanted: Wanted, part: Path) -> Fetched:
        size, digest = 0, hashlib.sha256()
        wanted.path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            try:
                async for block in _blocks(self._plain(response, wanted)):
                    size += len(block)
                    await asyncio.to_thread(_write, file, digest, block)
            except aiohttp.ClientPayloadError as error:
                raise _TryAgain(_broken_off(wanted, response, size)) from error
        _check_size(wanted, size)
        if wanted.sha256 is not None and digest.hexdigest() != wanted.sha256:
            raise WrongChecksum(wanted.url, wanted.sha256, digest.hexdigest())
        await asyncio.to_thread(part.replace, wanted.path)
        validators = Validators(response.headers.get("ETag"), response.headers.get("Last-Modified"))
        return Fetched(size, digest.hexdigest(), validators)

    async def _plain(self, response: aiohttp.ClientResponse, wanted: Wanted) -> AsyncIterator[bytes]:
        """The file as it is to be kept; pieces are at most 1 MiB long, and all together not longer than they may be."""
        encoding = response.headers.get("Content-Encoding", "identity").lower()
        if encoding not in {"identity", "gzip"}:
            raise NotADataset(wanted.url, f"the content encoding {encoding[:40]!r}, which was not asked for")
        # Some servers call a gzip file "encoded": then what they send is the file.
        unpacker = zlib.decompressobj(_GZIP_WINDOW) if encoding == "gzip" and not wanted.is_packed else None
        size = 0
        async for piece in response.content.iter_chunked(_PIECE_BYTES):
            self.bytes += len(piece)
            for plain in _unpacked(unpacker, piece, wanted) if unpacker else (piece,):
                size += len(plain)
                if wanted.bytes is not None and size > wanted.bytes:
                    raise LyingSize(wanted.url, wanted.bytes)
                if size > wanted.most_bytes:
                    raise TooLarge(wanted.url, size, wanted.most_bytes)
                yield plain
        if unpacker and not unpacker.eof:
            raise _TryAgain(DatasetUnreachable(wanted.url, "what came of it is a gzip stream without an end"))


@asynccontextmanager
async def open_downloader(patience: Patience = Patience(), *, attempts: int = _ATTEMPTS) -> AsyncIterator[Downloader]:
    """A downloader with a session of its own."""
    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    # Unpacking is done here, with a limit on what may come out.
    async with aiohttp.ClientSession(
        connector=connector, auto_decompress=False, headers={"User-Agent": "errata-bot"}
    ) as session:
        yield Downloader(session, patience, attempts=attempts)


def _check_size(wanted: Wanted, size: int) -> None:
    if wanted.bytes is not None and size > wanted.bytes:
        raise LyingSize(wanted.url, wanted.bytes)
    if size > wanted.most_bytes:
        raise TooLarge(wanted.url, size, wanted.most_bytes)
    if wanted.bytes is not None and size < wanted.bytes:
        raise Truncated(wanted.url, wanted.bytes, size)


async def _blocks(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in blocks of about 1 MiB."""
    block = bytearray()
    async for piece in pieces:
        block += piece
        if len(block) >= _WRITTEN_BYTES:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def _write(file: BinaryIO, digest: "hashlib._Hash", block: bytes) -> None:
    digest.update(block)
    file.write(block)


def _unpacked(unpacker: Any, piece: bytes, wanted: Wanted) -> Iterator[bytes]:
    try:
        while piece:
            yield unpacker.decompress(piece, _WRITTEN_BYTES)
            piece = unpacker.unconsumed_tail
    except zlib.error as error:
        raise NotADataset(wanted.url, "a damaged gzip stream") from error


def _broken_off(wanted: Wanted, response: aiohttp.ClientResponse, size: int) -> BotError:
    promised = wanted.bytes or (None if "Content-Encoding" in response.headers else response.content_length)
    if promised is None:
        return DatasetUnreachable(wanted.url, "the connection ended in the middle of it")
    return Truncated(wanted.url, promised, size)


def _retry_after(value: str | None, now: datetime) -> float | None:
    """How many seconds a server asks to wait; None where it does not, or not in a way that is understood."""
    if value is None:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _said(error: BaseException) -> str:
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"no connection ({error.os_error.strerror or type(error.os_error).__name__})"
    return str(error) or type(error).__name__
