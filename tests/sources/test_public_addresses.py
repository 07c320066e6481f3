"""What a host's name leads to is public, or is not asked; and names are resolved where they hold up nothing."""

import asyncio
import socket
import threading

import pytest

from bot.pastes.paste import Skipped
from bot.sources.safe_fetching import (
    PrivateAddress,
    PublicResolver,
    SafeFetcher,
    SystemResolver,
    is_public_address,
    opened_fetcher,
)
from tests.sources.paste_sites import HERE, HOSTS, LIMIT, RAW, PasteSites, leads_to, text


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
