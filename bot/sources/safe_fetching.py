"""Texts from hosts that strangers chose: nothing is asked that is not on a list, and nothing inside our own network.

An address counts as what the HTTP client makes of it, so that no two parsers can disagree. Names are resolved once for
each connection, and what they resolve to is looked at before the client gets it: between the look and the connection
nothing is resolved again.
"""

import asyncio
import functools
import ipaddress
import logging
import re
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.pastes.paste import Skipped

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0
MOST_REDIRECTS = 3  # a raw address, a store behind it, and one to spare
_AT_ONCE = 8
_RESOLVED_AT_ONCE = 4
_PIECE_BYTES = 65_536
# What comes out of the resolver is an address, for which the system has nothing to look up.
_AS_IT_IS = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# What a text, a JSON answer or a packed log is sent as; a web page is no paste, and a picture no text.
_TEXTS = re.compile(
    r"text/(?!html|css|javascript|xml)|application/(?:octet-stream|json|x-ndjson|x-log|log|(?:x-)?(?:gzip|zip|xz|zstd)"
    r"|vnd\.github[\w.+-]*json)(?:;|\s|\Z)",
    re.IGNORECASE,
)
# Networks without IPv4 write its addresses so (RFC 6052). Other ways of writing IPv4 in IPv6 serve tunnels and tricks.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


class PrivateAddress(OSError):
    """A name resolves to an address that is not on the public internet."""


class SystemResolver(AbstractResolver):
    """Asks the system, in threads of its own: a name whose servers never answer holds up no other work."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_RESOLVED_AT_ONCE, thread_name_prefix="names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host; raises OSError where there are none."""
        ask = functools.partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, family=family)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        return [
            # An IPv6 address with a zone ends in one ("%2"), and is then no public one.
            ResolveResult(hostname=host, host=str(place[0]), port=port, family=kind, proto=proto, flags=_AS_IT_IS)
            for kind, _, proto, _, place in found
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class PublicResolver(AbstractResolver):
    """Resolves names, and refuses those of which any address is not public."""

    def __init__(self, dns: AbstractResolver, is_public: Callable[[str], bool]) -> None:
        self._dns, self._is_public = dns, is_public

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host. Raises PrivateAddress, and OSError where there are none."""
        found = await self._dns.resolve(host, port, family)
        # One private address among public ones is an attempt, not an accident: nobody serves pastes so.
        if not all(self._is_public(one["host"]) for one in found):
            raise PrivateAddress("resolves to an address inside a network")
        return found

    async def close(self) -> None:
        await self._dns.close()


class SafeFetcher:
    """Fetches texts over HTTPS; made by `opened_fetcher`."""

    def __init__(self, session: aiohttp.ClientSession, timeout_seconds: float) -> None:
        self._session, self._timeout_seconds = session, timeout_seconds

    async def fetch(self, address: str, hosts: frozenset[str], most_bytes: int) -> bytes | Skipped:
        """Return what an address gives, as it was sent, or why there is nothing. Never raises for the net.

        hosts: those that may be asked, by this address and by each redirect. At most `most_bytes` are read and kept.
        """
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._follow(address, hosts, most_bytes)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            # The address is as good as the text, so it is not logged.
            logger.info("a link could not be read", extra={"error": type(error).__name__})
            return Skipped.UNREACHABLE

    async def _follow(self, address: str, hosts: frozenset[str], most_bytes: int) -> bytes | Skipped:
        url = allowed_url(address, hosts)
        for _ in range(MOST_REDIRECTS + 1):
            if url is None:
                break
            # Packed answers are left packed: they are unpacked where a bomb is noticed.
            headers = {"Accept-Encoding": "identity"}
            async with self._session.get(url, allow_redirects=False, headers=headers) as response:
                if response.status not in _REDIRECTS:
                    return await _body(response, most_bytes)
                url = allowed_url(response.headers.get("Location", ""), hosts, base=url)
        return Skipped.UNREACHABLE


@asynccontextmanager
async def opened_fetcher(
    *,
    dns: AbstractResolver | None = None,
    is_public: Callable[[str], bool] | None = None,
    trust: ssl.SSLContext | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> AsyncIterator[SafeFetcher]:
    """A fetcher whose connections are closed at the end of the block.

    dns, is_public, trust: by default the system's resolver, `is_public_address`, and the system's authorities.
    """
    resolver = PublicResolver(dns or SystemResolver(), is_public or is_public_address)
    connector = aiohttp.TCPConnector(
        resolver=resolver,
        ssl=trust or True,
        limit=_AT_ONCE,
        # A connection that is kept would outlive the look at its address.
        force_close=True,
        use_dns_cache=False,
    )
    try:
        async with aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"User-Agent": "errata-bot"},  # GitHub's interface wants to know who asks
            trust_env=False,  # a proxy would resolve names by itself
        ) as session:
            yield SafeFetcher(session, timeout_seconds)
    finally:
        await resolver.close()


def allowed_url(address: str, hosts: frozenset[str], base: yarl.URL | None = None) -> yarl.URL | None:
    """The address, if it is https, names one of the hosts exactly, and has neither user nor port; else None.

    base: whose host and scheme a redirect's address has that is a path alone.
    """
    if not address or not address.isascii() or not address.isprintable() or "\\" in address:
        return None
    try:
        # A path alone; whatever else is relative would be read in as many ways as there are parsers.
        is_path = address.startswith("/") and not address.startswith("//")
        url = base.join(yarl.URL(address)) if base is not None and is_path else yarl.URL(address)
    except ValueError:
        return None
    # The authority in whole: a user, a port, even the usual one, or anything else beside the host makes it another.
    return url if url.scheme == "https" and url.raw_host in hosts and url.raw_authority == url.raw_host else None


def is_public_address(text: str) -> bool:
    """Whether an IP address is one of the public internet, and none that leads elsewhere by translation."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is None and address in _NAT64:
            return is_public_address(str(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)))
        if address.scope_id or address not in _GLOBAL_UNICAST or address.sixtofour or address.teredo:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


async def _body(response: aiohttp.ClientResponse, most_bytes: int) -> bytes | Skipped:
    if response.status != 200:
        return Skipped.UNREACHABLE
    kind = response.headers.get("Content-Type")
    if kind and not _TEXTS.match(kind.strip()):
        return Skipped.UNSUPPORTED
    if (response.content_length or 0) > most_bytes:
        return Skipped.TOO_BIG
    data = bytearray()
    async for piece in response.content.iter_chunked(_PIECE_BYTES):
        data += piece
        if len(data) > most_bytes:
            return Skipped.TOO_BIG
    return bytes(data)
