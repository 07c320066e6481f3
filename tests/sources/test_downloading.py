"""Files over HTTP, from a server that does not always do as it should (E5)."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.sources.dataset_errors import (
    CannotBeKept,
    DatasetUnreachable,
    LyingSize,
    NotADataset,
    TooLarge,
    Truncated,
    WrongChecksum,
)
from bot.sources.downloading import Downloader, Patience, Validators, Wanted
from tests.dataset_standin import DatasetServer, breaking_off, dripping, failing, sending, serving, sha256

DATA = b'["' + b"x" * 5000 + b'"]'
NOW = datetime(2026, 11, 1, tzinfo=UTC)
JSON = {"Content-Type": "application/json"}

Fetch = Callable[..., Awaitable[object]]


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving({"/a": DATA}) as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """How long was waited between attempts; nobody does."""
    return []


@pytest.fixture
async def downloader(waits: list[float]) -> AsyncIterator[Downloader]:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    patience = Patience(connecting=2, silence=1, grace=1, least_speed=1e9, first_wait=0.001)
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        yield Downloader(session, patience, sleep=sleep, now=lambda: NOW)


@pytest.fixture
def wanted(server: DatasetServer, tmp_path: Path) -> Callable[..., Wanted]:
    def make(**more: object) -> Wanted:
        values: dict[str, object] = {"url": f"{server.base}/a", "path": tmp_path / "f" / "a", "most_bytes": 10_000}
        return Wanted(**{**values, **more})  # type: ignore[arg-type]  # by name

    return make


async def test_a_file_is_there_when_it_is_whole(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """With its size, its checksum, and what the server said of it; nothing else lies beside it."""
    fetched = await downloader.fetch(wanted())

    assert fetched is not None
    assert (fetched.bytes, fetched.sha256) == (len(DATA), sha256(DATA))
    assert fetched.validators.etag == f'"{sha256(DATA)[:16]}"'
    assert wanted().path.read_bytes() == DATA
    assert [path.name for path in wanted().path.parent.iterdir()] == ["a"]
    assert (downloader.requests, downloader.bytes) == (1, len(DATA))


async def test_what_has_not_changed_is_not_sent(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """The server is asked with what it said, and None means that it said the same again."""
    first = await downloader.fetch(wanted())
    assert first is not None

    assert await downloader.fetch(wanted(validators=first.validators)) is None
    assert downloader.bytes == len(DATA)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_what_may_pass_is_tried_again(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted], waits: list[float], status: int
) -> None:
    """Twice refused and then given: the waits in between grow."""
    server.faults["/a"] = failing(2, status)

    assert await downloader.fetch(wanted()) is not None

    assert len(server.asked) == 3
    assert len(waits) == 2


async def test_waits_grow_and_end(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted], waits: list[float]
) -> None:
    """Five attempts, each wait at least twice the backoff before it without its jitter, then a sentence."""
    server.faults["/a"] = failing(1000)

    with pytest.raises(DatasetUnreachable, match="cannot be fetched: the server answers 500"):
        await downloader.fetch(wanted())

    assert len(server.asked) == 5
    assert all(0.001 * 2**n <= wait <= 0.001 * 2**n + 0.001 for n, wait in enumerate(waits))


@pytest.mark.parametrize("asked", ["7", "Sun, 01 Nov 2026 00:00:07 GMT"])
async def test_the_wait_a_server_asks_for_is_kept(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted], waits: list[float], asked: str
) -> None:
    """Retry-After, in seconds or as a date."""
    server.faults["/a"] = failing(1, 429, {"Retry-After": asked})

    assert await downloader.fetch(wanted()) is not None
    assert waits == [7.0]


async def test_a_server_that_asks_for_hours_is_not_waited_for(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted], waits: list[float]
) -> None:
    """The sentence says how long it asked for, at once."""
    server.faults["/a"] = failing(1000, 503, {"Retry-After": "7200"})

    with pytest.raises(DatasetUnreachable, match="come back in 7200 seconds"):
        await downloader.fetch(wanted())
    assert waits == []


async def test_a_broken_connection_is_tried_again(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """Half of it, and then all of it."""
    server.faults["/a"] = breaking_off(1)

    assert await downloader.fetch(wanted()) is not None
    assert wanted().path.read_bytes() == DATA


async def test_a_file_that_never_comes_whole_is_truncated(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """What lay there before is still there."""
    await downloader.fetch(wanted())
    server.faults["/a"] = breaking_off()

    with pytest.raises(Truncated, match=r"is truncated: .* of 5,004"):
        await downloader.fetch(wanted())
    assert wanted().path.read_bytes() == DATA
    assert [path.name for path in wanted().path.parent.iterdir()] == ["a"]


async def test_a_file_that_drips_is_given_up(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """A byte now and then keeps no connection alive for ever: the whole file has a time."""
    server.faults["/a"] = dripping(0.01)

    async with asyncio.timeout(20):
        with pytest.raises(DatasetUnreachable, match="did not come in time"):
            await downloader.fetch(wanted())


async def test_nobody_there_is_a_sentence(downloader: Downloader, wanted: Callable[..., Wanted]) -> None:
    """No traceback: it cannot be fetched, and why."""
    with pytest.raises(DatasetUnreachable, match="no connection"):
        await downloader.fetch(wanted(url="http://127.0.0.1:9/a"))


async def test_what_is_promised_has_to_come(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """Other bytes, fewer, more: each is refused by its own name, and asked for once."""
    with pytest.raises(WrongChecksum, match="the manifest promises 000000000000"):
        await downloader.fetch(wanted(sha256="0" * 64))
    with pytest.raises(Truncated, match="5,004 bytes of 6,000 came"):
        await downloader.fetch(wanted(bytes=6000))
    with pytest.raises(LyingSize, match="longer than the 4,000 bytes"):
        await downloader.fetch(wanted(bytes=4000))

    assert len(server.asked) == 3
    assert not wanted().path.exists()


async def test_what_claims_too_much_is_not_read(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """A gigabyte in the heading is refused before its first byte."""

    async def huge(request: web.Request, _data: bytes, _number: int) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(2**30), **JSON})
        await response.prepare(request)
        await asyncio.sleep(5)
        return response

    server.faults["/a"] = huge

    with pytest.raises(TooLarge, match="claims 1,073,741,824 bytes, more than 10,000"):
        await downloader.fetch(wanted())
    assert downloader.bytes == 0


async def test_what_turns_out_too_much_is_broken_off(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """Without a heading the cap holds just the same."""

    async def endless(request: web.Request, _data: bytes, _number: int) -> web.StreamResponse:
        response = web.StreamResponse(headers=JSON)
        await response.prepare(request)
        for _ in range(1000):
            await response.write(b"x" * 65_536)
        return response

    server.faults["/a"] = endless

    with pytest.raises(TooLarge):
        await downloader.fetch(wanted())
    assert downloader.bytes < 2**20


async def test_what_came_packed_is_kept_unpacked(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """The server may pack what it sends; the promise is about what is in it."""
    server.faults["/a"] = sending(gzip.compress(DATA), {"Content-Encoding": "gzip", **JSON})

    fetched = await downloader.fetch(wanted(bytes=len(DATA), sha256=sha256(DATA)))

    assert fetched is not None
    assert wanted().path.read_bytes() == DATA
    assert downloader.bytes < 200


async def test_a_packed_file_is_kept_packed(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """Some servers call a gzip file an encoding; it is the file all the same."""
    packed = gzip.compress(DATA)
    server.faults["/a"] = sending(packed, {"Content-Encoding": "gzip", **JSON})

    await downloader.fetch(wanted(bytes=len(packed), sha256=sha256(packed), is_packed=True))

    assert wanted().path.read_bytes() == packed


async def test_a_bomb_goes_off_nowhere(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """64 MiB in 64 kB: refused when the cap is reached (E2)."""
    server.faults["/a"] = sending(gzip.compress(b" " * 2**26), {"Content-Encoding": "gzip", **JSON})

    with pytest.raises(TooLarge) as refused:
        await downloader.fetch(wanted())
    assert refused.value.claimed < 2**21


@pytest.mark.parametrize(
    ("body", "headers", "status", "said"),
    [
        (b"<html>", {"Content-Type": "text/html"}, 200, "text/html"),
        (b"", {"Location": "https://elsewhere.example/a"}, 302, "a redirect to https://elsewhere.example/a"),
        (b"x", {"Content-Encoding": "br", **JSON}, 200, "content encoding 'br'"),
        (b"no gzip at all", {"Content-Encoding": "gzip", **JSON}, 200, "a damaged gzip stream"),
    ],
)
async def test_something_else_is_no_dataset(
    *,
    server: DatasetServer,
    downloader: Downloader,
    wanted: Callable[..., Wanted],
    body: bytes,
    headers: dict[str, str],
    status: int,
    said: str,
) -> None:
    """A web page, a redirect, another encoding: said in a sentence that asks about the address, after one request."""
    server.faults["/a"] = sending(body, headers, status)

    with pytest.raises(NotADataset, match=said):
        await downloader.fetch(wanted())
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_plain_no_is_taken_for_one(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted], status: int
) -> None:
    """It is asked once."""
    server.faults["/a"] = failing(1000, status)

    with pytest.raises(DatasetUnreachable, match=str(status)):
        await downloader.fetch(wanted())
    assert len(server.asked) == 1


async def test_at_most_eight_are_fetched_at_once(server: DatasetServer, downloader: Downloader, tmp_path: Path) -> None:
    """Thirty are wanted, and the server never sees more than eight together; waiting for a place costs no time."""
    together = most = 0

    async def slow(_request: web.Request, _data: bytes, _number: int) -> None:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.3)
        together -= 1

    server.faults["/a"] = slow
    wanted = [Wanted(url=f"{server.base}/a", path=tmp_path / str(n), most_bytes=10_000) for n in range(30)]

    fetched = await asyncio.gather(*map(downloader.fetch, wanted))

    assert all(fetched)
    assert most == 8


async def test_a_place_that_cannot_be_written_is_told(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """A full disk, or a folder in the way, is no fault of the server, and asked about once."""
    wanted().path.mkdir(parents=True)

    with pytest.raises(CannotBeKept, match="cannot be written: Is a directory"):
        await downloader.fetch(wanted())
    assert len(server.asked) == 1


async def test_a_304_that_was_not_asked_for_is_no_answer(
    server: DatasetServer, downloader: Downloader, wanted: Callable[..., Wanted]
) -> None:
    """Nothing is here that could have stayed the same."""
    server.faults["/a"] = failing(1000, 304)

    with pytest.raises(NotADataset):
        await downloader.fetch(wanted(validators=Validators()))
