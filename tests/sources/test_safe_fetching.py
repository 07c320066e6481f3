"""Texts are fetched from the hosts of a list, over HTTPS, from the public internet, within limits; or not at all."""

import asyncio
import contextlib
import gzip
import socket
import ssl
import threading

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.paste import Skipped
from bot.sources.safe_fetching import (
    PrivateAddress,
    PublicResolver,
    SafeFetcher,
    SystemResolver,
    allowed_url,
    is_public_address,
    opened_fetcher,
)
from tests.sources.paste_sites import HERE, Handler, PasteSites, leads_to, text

HOSTS = frozenset({"pastebin.com", "hst.sh", "paste.example.org"})
RAW = "https://pastebin.com/raw/a"
LIMIT = 10_000


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


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_a_known_host_is_followed(sites: PasteSites, fetcher: SafeFetcher, status: int) -> None:
    """E6: to another site of the list, and to another path of the same one."""
    sites.answers["pastebin.com/raw/a"] = leads_to("https://hst.sh/b", status)
    sites.answers["hst.sh/b"] = leads_to("/c?d", status)
    sites.answers["hst.sh/c?d"] = text("found")

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == b"found"


@pytest.mark.parametrize(
    "address",
    [
        "https://other.example.org/a",  # resolves, answers, and is not on the list
        "http://hst.sh/a",
        "https://hst.sh:8443/a",
        "https://hst.sh:443/a",
        "https://user@hst.sh/a",
        "https://:secret@hst.sh/a",
        "https://hst.sh.other.example.org/a",
        "https://other.example.org\\@hst.sh/a",
        "https://hst.sh./a",
        "https://127.0.0.1/a",
        "https://2130706433/a",
        "https://0x7f000001/a",
        "https://127.1/a",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/a",
        "//other.example.org/a",
        "///other.example.org/a",
        "\\\\other.example.org/a",
        "file:///etc/passwd",
        "ftp://hst.sh/a",
        "data:text/plain,x",
        "javascript:1",
        "https://",
        "https:///a",
        "https://[",
        "https://hst.sh%2eother.example.org/",
        "https://hst.sh\u3002/a",
        "",
    ],
)
async def test_a_redirect_anywhere_else_is_not_followed(sites: PasteSites, fetcher: SafeFetcher, address: str) -> None:
    """E6: an answer may lead to no other host, scheme or port, and to no user, however it is written."""
    sites.answers["pastebin.com/raw/a"] = leads_to(address.encode().decode("latin-1"))
    for host in ("other.example.org", "hst.sh", "localhost"):
        sites.answers[f"{host}/a"] = text("from inside")

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.requests == ["pastebin.com/raw/a"]
    assert sites.lookups == ["pastebin.com"]


async def test_redirects_end(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E5: a circle is left after a few rounds."""
    sites.answers["pastebin.com/raw/a"] = leads_to("https://hst.sh/a")
    sites.answers["hst.sh/a"] = leads_to(RAW)

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert len(sites.requests) == 4


@pytest.mark.parametrize(
    "address",
    [
        "https://other.example.org/a",
        "http://pastebin.com/raw/a",
        "https://pastebin.com:443/raw/a",
        "https://a@pastebin.com/raw/a",
        "https://pastebin.com./raw/a",
        "https://sub.pastebin.com/raw/a",
        "https://127.0.0.1/raw/a",
        "pastebin.com/raw/a",
        "https://pastebin.com\n.other.example.org/",
        "",
    ],
)
async def test_no_other_address_is_asked(sites: PasteSites, fetcher: SafeFetcher, address: str) -> None:
    """E6: the first address is looked at as every redirect is."""
    assert await fetcher.fetch(address, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.requests == sites.lookups == []


@pytest.mark.parametrize(
    "address",
    ["10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "::1", "::ffff:127.0.0.1", "fe80::1", "fd00::1"],
)
@pytest.mark.parametrize("beside", [[], [HERE]])
async def test_a_name_of_a_private_address_is_not_asked(
    sites: PasteSites, fetcher: SafeFetcher, address: str, beside: list[str]
) -> None:
    """E6: a known host's name that leads into our own network is refused after DNS, also beside a public address."""
    sites.answers["pastebin.com/raw/a"] = text("from inside")
    sites.addresses["pastebin.com"] = [[*beside, address]]

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.requests == []


async def test_this_machine_is_no_public_address(sites: PasteSites) -> None:
    """E6: with what counts as public outside of tests, a name that leads here is refused."""
    sites.answers["pastebin.com/raw/a"] = text("from inside")
    async with opened_fetcher(dns=sites.dns(), trust=sites.trust) as fetcher:
        assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE

    assert sites.lookups == ["pastebin.com"]
    assert sites.requests == []


async def test_a_redirect_to_a_name_of_a_private_address_is_not_followed(
    sites: PasteSites, fetcher: SafeFetcher
) -> None:
    """E6: the host is on the list, its address is inside."""
    sites.answers["pastebin.com/raw/a"] = leads_to("https://paste.example.org/a")
    sites.answers["paste.example.org/a"] = text("from inside")
    sites.addresses["paste.example.org"] = [["10.1.2.3"]]

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.requests == ["pastebin.com/raw/a"]


async def test_a_name_is_resolved_once_for_each_connection(sites: PasteSites, fetcher: SafeFetcher) -> None:
    """E6: a DNS that changes its mind between the look and the connection is not asked in between (rebinding)."""
    sites.answers["pastebin.com/raw/a"] = text("public")
    sites.addresses["pastebin.com"] = [[HERE], ["10.0.0.1"]]

    assert await fetcher.fetch(RAW, HOSTS, LIMIT) == b"public"
    assert sites.lookups == ["pastebin.com"]
    assert await fetcher.fetch(RAW, HOSTS, LIMIT) is Skipped.UNREACHABLE
    assert sites.lookups == ["pastebin.com"] * 2
    assert len(sites.requests) == 1


async def test_the_systems_names_are_resolved_in_threads_of_their_own() -> None:
    """E5, E6: the resolver that serves outside of tests gives addresses, and this machine's are refused by the other."""
    system = SystemResolver()
    try:
        found = await system.resolve("localhost", 443)
        assert {one["host"] for one in found} <= {"127.0.0.1", "::1"}
        assert {one["port"] for one in found} == {443}
        with pytest.raises(PrivateAddress):
            await PublicResolver(system, is_public_address).resolve("localhost", 443)
        with pytest.raises(OSError, match=r"."):
            await system.resolve("no-such-host.invalid", 443)
    finally:
        await system.close()


async def test_names_that_never_resolve_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """E3, E5: a DNS that does not answer takes no thread that answers are worked out in."""
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(10))
    try:
        async with opened_fetcher(timeout_seconds=0.2) as fetcher, asyncio.timeout(3):
            asked = [fetcher.fetch(RAW, HOSTS, LIMIT) for _ in range(40)]
            assert {*await asyncio.gather(*asked)} == {Skipped.UNREACHABLE}
            assert await asyncio.to_thread(lambda: "free") == "free"
    finally:
        released.set()


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


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("93.184.216.34", True),
        ("1.1.1.1", True),
        ("2606:4700::1111", True),
        ("64:ff9b::5db8:d822", True),  # a public one behind a network's NAT64
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::5db8:d822", False),
        ("127.0.0.1", False),
        ("127.255.255.254", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("172.31.255.255", False),
        ("192.168.0.1", False),
        ("100.64.0.1", False),  # a provider's own
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("255.255.255.255", False),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("192.0.2.1", False),
        ("198.18.0.1", False),
        ("198.51.100.1", False),
        ("203.0.113.1", False),
        ("::", False),
        ("::1", False),
        ("::127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.216.34", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("2606:4700::1111%eth0", False),
        ("fc00::1", False),
        ("fd12:3456::1", False),
        ("ff02::1", False),
        ("2001:db8::1", False),
        ("2002:7f00:1::", False),
        ("2002:5db8:d822::", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
        ("100::1", False),
        ("localhost", False),
        ("127.1", False),
        ("0x7f.1", False),
        ("", False),
    ],
)
def test_what_counts_as_public(address: str, is_public: bool) -> None:
    """E6: private, shared, link-local, mapped, translated, tunnelled, multicast and reserved addresses are not."""
    assert is_public_address(address) is is_public


_URLISH = st.text(st.sampled_from("https:/\\@?#.%[]0127fxa pastebin.comHST\u3002\n"), max_size=40)


@given(st.one_of(_URLISH, _URLISH.map("https://".__add__), _URLISH.map("https://hst.sh".__add__), st.text()))
def test_whatever_is_allowed_is_https_at_a_known_host(address: str) -> None:
    """E6: no text raises, and none gives a URL that leads anywhere but to a host of the list."""
    url = allowed_url(address, HOSTS)

    if url is not None:
        assert url.scheme == "https"
        assert url.host in HOSTS
        assert url.raw_authority == url.host
        assert url.port == 443
