"""Paste sites on this machine: every host is one TLS server with its own certificate authority, and a DNS made by hand."""

import contextlib
import functools
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import trustme
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.test_utils import TestServer

from bot.sources.safe_fetching import SafeFetcher, is_public_address, opened_fetcher

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
HERE = "127.0.0.1"
# What a test fetches where any address will do: hosts that are on the list, one address, and the most bytes.
HOSTS = frozenset({"pastebin.com", "hst.sh", "paste.example.org"})
RAW = "https://pastebin.com/raw/a"
LIMIT = 10_000
# What the server can prove to be; others end in a certificate's fault.
NAMES = (
    *("pastebin.com", "hst.sh", "gist.github.com", "api.github.com", "gist.githubusercontent.com", "mclo.gs"),
    *("api.mclo.gs", "api.paste.gg", "bpa.st", "raw.githubusercontent.com", "paste.example.org", "other.example.org"),
)


@dataclass
class PasteSites:
    """Answers by "host/path?query"; whatever is not there is a 404.

    `requests` are what was asked, in order; `lookups` the hosts that were resolved. `addresses` are what the DNS says of
    a host, an answer a lookup, the last one for ever; by default the server here.
    """

    answers: dict[str, Handler] = field(default_factory=dict)
    addresses: dict[str, list[list[str]]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lookups: list[str] = field(default_factory=list)
    port: int = 0
    trust: ssl.SSLContext | None = None

    def fetcher(self, *, timeout_seconds: float = 5.0) -> contextlib.AbstractAsyncContextManager[SafeFetcher]:
        """A fetcher that finds these sites by name, and takes this machine's address alone for a public one."""
        return opened_fetcher(
            dns=self.dns(), is_public=is_public_or_here, trust=self.trust, timeout_seconds=timeout_seconds
        )

    def dns(self) -> AbstractResolver:
        """The DNS that knows these sites."""
        return _Dns(self)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        asked = f"{request.host}{request.path_qs}"
        self.requests.append(asked)
        self.headers.append(dict(request.headers))
        handler = self.answers.get(asked)
        return await handler(request) if handler else web.Response(status=404, text="nothing here")


class _Dns(AbstractResolver):
    def __init__(self, sites: PasteSites) -> None:
        self._sites = sites

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self._sites.lookups.append(host)
        answers = self._sites.addresses.get(host, [[HERE]])
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=self._sites.port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=0,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        return


def is_public_or_here(address: str) -> bool:
    """The server has to be somewhere."""
    return address == HERE or is_public_address(address)


def text(
    body: str | bytes, kind: str | None = "text/plain", status: int = 200, headers: Mapping[str, str] | None = None
) -> Handler:
    """Answers with this."""

    async def handler(_: web.Request) -> web.Response:
        data = body.encode() if isinstance(body, str) else body
        typed = {"Content-Type": kind} if kind else {}
        return web.Response(body=data, status=status, headers={**typed, **(headers or {})})

    return handler


def leads_to(address: str, status: int = 302) -> Handler:
    """Redirects there."""
    return text("elsewhere", status=status, headers={"Location": address})


def answers_json(document: Any) -> Handler:
    """Answers with a document."""

    async def handler(_: web.Request) -> web.Response:
        return web.json_response(document)

    return handler


@functools.cache
def _authority() -> trustme.CA:
    return trustme.CA()


@contextlib.asynccontextmanager
async def paste_sites() -> AsyncIterator[PasteSites]:
    """The sites, served until the end of the block."""
    sites = PasteSites()
    app = web.Application()
    app.router.add_get("/{path:.*}", sites.serve)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _authority().issue_cert(*NAMES).configure_cert(server_side)
    sites.trust = ssl.create_default_context()
    _authority().configure_trust(sites.trust)
    server = TestServer(app, scheme="https", host=HERE)
    await server.start_server(ssl=server_side)
    assert server.port is not None
    sites.port = server.port
    try:
        yield sites
    finally:
        await server.close()
