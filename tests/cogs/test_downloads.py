"""Files come from Discord's CDN, whole or with the reason why not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.cogs.downloads import Downloads
from bot.pastes.archives import Unpacked
from bot.pastes.paste import Part, Skipped, SkippedPart

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LIMIT = 1000


class Cdn:
    """A CDN that answers everything alike, and what it was asked."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.requests: list[web.Request] = []
        self.base = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        return await self._handler(request)


@contextlib.asynccontextmanager
async def cdn(handler: Handler, *, timeout_seconds: float = 5.0) -> AsyncIterator[tuple[Cdn, Downloads]]:
    made = Cdn(handler)
    app = web.Application()
    app.router.add_get("/{path:.*}", made.serve)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        made.base = str(server.make_url("")).rstrip("/")
        yield made, Downloads(session, made.base, LIMIT, timeout_seconds=timeout_seconds)


def text(said: str, name: str | None) -> Unpacked:
    return Unpacked((Part(said, name),))


def skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))


def answer(body: bytes, kind: str = "text/plain", status: int = 200, **headers: str) -> Handler:
    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=body, status=status, headers={"Content-Type": kind, **headers})

    return handler


async def test_a_file_is_a_part_under_its_name() -> None:
    """The text is decoded; what Discord's client made of a long message is the message itself (B3)."""
    async with cdn(answer("Grüße".encode())) as (fake, downloads):
        assert await downloads.read("a.log", f"{fake.base}/a.log", 7) == text("Grüße", "a.log")
        assert await downloads.read("message.txt", f"{fake.base}/m", 7, as_message=True) == text("Grüße", None)

    # A packed answer might grow without bound.
    assert {request.headers["Accept-Encoding"] for request in fake.requests} == {"identity"}


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        (answer(b"", status=404), Skipped.UNREACHABLE),
        (answer(b"x", status=403), Skipped.UNREACHABLE),
        (answer(b"x", status=500), Skipped.UNREACHABLE),
        (answer(b"x", status=206), Skipped.UNREACHABLE),
        (answer(b"x", kind="image/png"), Skipped.UNSUPPORTED),
        (answer(b"x" * (LIMIT + 1)), Skipped.TOO_BIG),
        (answer(b"  \r\n\t"), Skipped.EMPTY),
        (answer(b""), Skipped.EMPTY),
        (answer(bytes(300)), Skipped.BINARY),
        (answer(b"MDMP\x93\xa7" + bytes(300)), Skipped.DUMP),
        (answer(b"\x1f\x8b\x08 cut", kind="application/gzip"), Skipped.DAMAGED),
    ],
)
async def test_every_failure_has_its_reason(handler: Handler, why: Skipped) -> None:
    """E1, E13: a file that is gone, refused, no text, too big, empty or binary is told as what it is."""
    async with cdn(handler) as (fake, downloads):
        assert await downloads.read("a.log", f"{fake.base}/a.log", 1) == skipped("a.log", why)


async def test_what_says_that_it_is_too_big_is_not_fetched() -> None:
    """E1: a declared size of 100 MB costs no request; the limit itself is welcome."""
    async with cdn(answer(b"x" * LIMIT)) as (fake, downloads):
        assert await downloads.read("a", f"{fake.base}/a", LIMIT + 1) == skipped("a", Skipped.TOO_BIG)
        assert fake.requests == []
        assert await downloads.read("a", f"{fake.base}/a", LIMIT) == text("x" * LIMIT, "a")


async def test_an_endless_file_is_left_at_the_limit() -> None:
    """E1, E5: a size that lies is found out while reading; no more than the limit is kept."""

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"x" * 4096)
        return response

    async with cdn(endless) as (fake, downloads):
        assert await downloads.read("a", f"{fake.base}/a", 1) == skipped("a", Skipped.TOO_BIG)


async def test_a_file_that_never_comes_is_given_up() -> None:
    """E5: the wait has an end, and the place is free for the next file."""

    async def stalled(request: web.Request) -> web.Response:
        if "slow" in request.path:
            await asyncio.sleep(60)
        return web.Response(text="here")

    async with cdn(stalled, timeout_seconds=0.1) as (fake, downloads):
        slow = [downloads.read("a", f"{fake.base}/slow", 1) for _ in range(6)]
        assert await asyncio.gather(*slow) == [skipped("a", Skipped.UNREACHABLE)] * 6
        assert await downloads.read("b", f"{fake.base}/b", 1) == text("here", "b")


async def test_redirects_are_not_followed() -> None:
    """E5, E6: an answer that leads elsewhere is no file."""

    async def elsewhere(request: web.Request) -> web.Response:
        there = request.path == "/there"
        return web.Response(text="a file") if there else web.Response(status=302, headers={"Location": "/there"})

    async with cdn(elsewhere) as (fake, downloads):
        assert await downloads.read("a", f"{fake.base}/a", 1) == skipped("a", Skipped.UNREACHABLE)

    assert [request.path for request in fake.requests] == ["/a"]


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/attachments/a.log",
        "https://cdn.discordapp.com.evil.example/a.log",
        "https://cdn.discordapp.com@evil.example/a.log",
        "https://user@cdn.discordapp.com/a.log",
        "http://cdn.discordapp.com/a.log",
        "file:///etc/passwd",
        "",
    ],
)
async def test_no_other_host_is_asked(url: str) -> None:
    """E5, E6: an address anywhere else is not fetched, however much it looks like Discord's."""
    async with cdn(answer(b"x")) as (fake, downloads):
        assert await downloads.read("a", url, 1) == skipped("a", Skipped.UNREACHABLE)
        # Asked here, since a name that leads nowhere would look the same from outside.
        assert downloads._address(url) is None
        assert downloads._address(f"{fake.base}0/a") is None
        assert downloads._address(f"{fake.base}.evil.example/a") is None

    assert fake.requests == []


@pytest.mark.parametrize("host", ["cdn.discordapp.com", "media.discordapp.net"])
async def test_discords_own_addresses_lead_to_the_cdn_that_is_set(host: str) -> None:
    """Behind a proxy the same file is asked for there, with its signature."""
    async with cdn(answer(b"x")) as (fake, downloads):
        assert await downloads.read("a", f"https://{host}/attachments/1/2/a.log?ex=1&hm=2", 1) == text("x", "a")

    assert [request.path_qs for request in fake.requests] == ["/attachments/1/2/a.log?ex=1&hm=2"]


async def test_nothing_of_an_address_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """F5: an address is as good as its file, so the log says that it failed and no more."""
    caplog.set_level("DEBUG", logger="bot")
    nobody = "http://127.0.0.1:9"
    async with aiohttp.ClientSession() as session:
        await Downloads(session, nobody, LIMIT).read("secret-name.log", f"{nobody}/secret-path", 1)

    assert "could not be read" in caplog.text
    assert "secret" not in caplog.text
