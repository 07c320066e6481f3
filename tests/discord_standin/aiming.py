"""How an unmodified discord.py is pointed at a stand-in, in the test's own process."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import discord
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.discord_standin.fake_discord import DISCORD_HOSTS, FakeDiscord


@contextlib.contextmanager
def aimed(fake: FakeDiscord) -> Iterator[None]:
    """Every client made and run inside speaks to the stand-in: three class attributes of discord.py are replaced."""
    route, gateway, asset = discord.http.Route, discord.gateway.DiscordWebSocket, discord.asset.Asset
    before = route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE
    route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE = fake.api_base, yarl.URL(fake.gateway_url), fake.cdn_base
    try:
        yield
    finally:
        route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE = before


class _OnlyDiscord(AbstractResolver):
    """Names of Discord lead to the stand-in; any other does not exist."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if host not in DISCORD_HOSTS:
            raise OSError(f"the test network has no host {host}")
        here = ResolveResult(hostname=host, host="127.0.0.1", port=self._port, family=socket.AF_INET, proto=0, flags=0)
        return [here]

    async def close(self) -> None:
        return


def wire_arguments(fake: FakeDiscord) -> dict[str, Any]:
    """Arguments for a Client that really says https://discord.com, and can reach no other host (`start(tls=True)`)."""
    connector = aiohttp.TCPConnector(
        resolver=_OnlyDiscord(fake.tls_port), ssl=fake.client_ssl, limit=0, use_dns_cache=False
    )
    return {"connector": connector}


@contextlib.asynccontextmanager
async def connected(client: discord.Client, fake: FakeDiscord) -> AsyncIterator[None]:
    """The client is logged in and ready inside, and closed after; what ended it early is raised."""
    await client.login(fake.token)
    running = asyncio.create_task(client.connect())
    ready = asyncio.create_task(client.wait_until_ready())
    try:
        await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=15)
        if running.done():
            running.result()
        assert ready.done(), "the client never became ready"
        yield
    finally:
        ready.cancel()
        await client.close()
        await asyncio.wait({running}, timeout=5)
        if running.done() and not running.cancelled() and (error := running.exception()) is not None:
            raise error
