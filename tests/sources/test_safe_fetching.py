"""Texts come as they were sent, within limits of size and time, from who can prove its name; or not at all."""

import asyncio
import contextlib
import gzip
import ssl

import pytest
from aiohttp import web

from bot.pastes.paste import Skipped
from bot.sources.safe_fetching import (
    SafeFetcher,
    opened_fetcher,
)
from tests.sources.paste_sites import HOSTS, LIMIT, RAW, Handler, PasteSites, text


async def test_a_text_comes_as_it_was_sent(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E5: nothing packed is asked for, and no cookie, name or address of anybody is sent along."""
    sites.answers["pastebin.com/raw/a"] = text("Grüße", headers={"Set-Cookie": "id=1"})

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == "Grüße".encode()
    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == "Grüße".encode()

    for headers in sites.headers:
        assert headers["Accept-Encoding"] == "identity"
        assert not {"Cookie", "Referer", "Authorization"} & {*headers}


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        (text("", status=404), Skipped.UNREACHABLE),
        (text("", status=403), Skipped.UNREACHABLE),
        (text("", status=429), Skipped.UNREACHABLE),
        (text("", status=500), Skipped.UNREACHABLE),
        (text("", status=206), Skipped.UNREACHABLE),
        (text("", status=302), Skipped.UNREACHABLE),
        (text("x" * (LIMIT + 1)), Skipped.TOO_BIG),
        (text("<html>", kind="text/html; charset=utf-8"), Skipped.UNSUPPORTED),
        (text("<html>", kind="TEXT/HTML"), Skipped.UNSUPPORTED),
        (text("<a/>", kind="application/xhtml+xml"), Skipped.UNSUPPORTED),
        (text("<a/>", kind="text/xml"), Skipped.UNSUPPORTED),
        (text("x", kind="image/png"), Skipped.UNSUPPORTED),
        (text("x", kind="application/pdf"), Skipped.UNSUPPORTED),
        (text("x", kind="application/octet-stream-not"), Skipped.UNSUPPORTED),
        (text("x", kind="gibberish"), Skipped.UNSUPPORTED),
    ],
)
async def test_every_failure_has_its_reason(
    sites: PasteSites, fetcher: SafeFetcher, handler: Handler, why: Skipped
) -> None:
    """E5, E13: what is gone, refused, too big, or a web page is told as what it is."""
    sites.answers["pastebin.com/raw/a"] = handler

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is why
    assert len(sites.requests) == 1


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "text/x-log; charset=x", "application/octet-stream", "application/json", "application/gzip", ""],
)
async def test_kinds_of_text_are_taken(sites: PasteSites, fetcher: SafeFetcher, kind: str) -> None:
    """E5: a site may call a text many things, or nothing."""
    sites.answers["pastebin.com/raw/a"] = text("x", kind=kind)

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == b"x"


async def test_the_limit_itself_is_welcome(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E1: a text of just the size that is allowed."""
    sites.answers["pastebin.com/raw/a"] = text("x" * LIMIT)

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == b"x" * LIMIT


async def test_what_says_that_it_is_huge_is_not_read(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E1, E5: a length of 100 GB costs nothing, and no text is waited for."""

    async def huge(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain", "Content-Length": str(10**11)})
        await response.prepare(request)
        await asyncio.sleep(30)
        return response

    sites.answers["pastebin.com/raw/a"] = huge

    async with asyncio.timeout(2):
        assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.TOO_BIG


async def test_an_endless_text_is_left_at_the_limit(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E1, E5: without a length the bytes are counted; the connection is closed, and with it the flood."""
    ended = asyncio.Event()

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        try:
            with contextlib.suppress(ConnectionError):
                while True:
                    await response.write(b"x" * 4096)
        finally:
            ended.set()
        return response

    sites.answers["pastebin.com/raw/a"] = endless

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.TOO_BIG
    async with asyncio.timeout(3):
        await ended.wait()


async def test_a_text_shorter_than_it_says_is_none(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E1: what was cut off on the way is not taken for the whole."""

    async def cut(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain", "Content-Length": "5000"})
        await response.prepare(request)
        await response.write(b"only this")
        assert request.transport is not None
        request.transport.close()
        return response

    sites.answers["pastebin.com/raw/a"] = cut

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE


@pytest.mark.parametrize("first_byte", [True, False])
async def test_what_comes_too_slowly_is_given_up(sites: PasteSites, first_byte: bool) -> None:
    """E5: the time is for all of it, so a drip that never pauses long ends as silence does."""

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        if first_byte:
            await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                await asyncio.sleep(0.05)
                if first_byte:
                    await response.write(b"x")
        return response

    sites.answers["pastebin.com/raw/a"] = drip
    async with sites.fetcher(timeout_seconds=0.4) as fetcher, asyncio.timeout(2):
        assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE


async def test_a_packed_answer_stays_packed(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E2, E5: a site that packs all the same gives bytes, not what they unpack to, which may be a bomb."""
    bomb = gzip.compress(bytes(5_000_000))
    sites.answers["pastebin.com/raw/a"] = text(bomb, headers={"Content-Encoding": "gzip"})

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == bomb


async def test_a_server_that_cannot_prove_its_name_is_not_read(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E6: https means what it says; a certificate for another host is none."""
    sites.answers["unproved.example.org/a"] = text("x")

    found = await fetcher.fetch("https://unproved.example.org/a", frozenset({"unproved.example.org"}), LIMIT)

    assert found is Skipped.UNREACHABLE
    assert sites.requests == []
    async with opened_fetcher(
        dns=sites.dns(), is_public=lambda _: True, trust=ssl.create_default_context()
    ) as distrustful:
        assert await distrustful.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.requests == []


async def test_nothing_of_an_address_reaches_the_log(
    sites: PasteSites, fetcher: SafeFetcher, caplog: pytest.LogCaptureFixture
) -> None:
    """F1, F5: a link is as good as its text, so the log says that it failed and no more."""
    caplog.set_level("DEBUG", logger="bot")
    sites.addresses["pastebin.com"] = [["10.0.0.1"]]

    await fetcher.fetch("https://pastebin.com/raw/secret-key", HOSTS, LIMIT)

    assert "could not be read" in caplog.text
    assert "secret" not in caplog.text
    assert "pastebin" not in caplog.text
