"""Which addresses are asked: those of a list of hosts over HTTPS, at first and after every redirect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pastes.paste import Skipped
from bot.sources.safe_fetching import (
    SafeFetcher,
    allowed_url,
)
from tests.sources.paste_sites import HOSTS, LIMIT, RAW, PasteSites, leads_to, text


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
