"""The stand-in as tests use it."""

import ssl
from typing import Self

import trustme
from aiohttp import web

from tests.discord_standin.asking import Asking
from tests.discord_standin.people import People
from tests.discord_standin.rest.server import PREFIX, RestServer
from tests.discord_standin.watching import Watching

DISCORD_HOSTS = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com", "media.discordapp.net")
_UPLOAD_BYTES = 64 << 20


class FakeDiscord(People, Asking, Watching):
    """A Discord of one's own on 127.0.0.1: REST, gateway and CDN on one port.

    People act in it (`people`), use the bot (`asking`), and tests wait for what comes of it (`watching`).
    """

    @property
    def api_base(self) -> str:
        return f"{self.http}{PREFIX}"

    @property
    def gateway_url(self) -> str:
        return self.ws

    @property
    def cdn_base(self) -> str:
        return self.cdn.base

    async def start(self, *, tls: bool = False) -> Self:
        """Listen on a free port; with `tls` also as discord.com, behind a certificate only `client_ssl` trusts."""
        app = web.Application(client_max_size=_UPLOAD_BYTES)
        for folder in ("attachments", "ephemeral-attachments"):
            app.router.add_get(f"/{folder}/{{channel_id}}/{{file_id}}/{{name}}", self.cdn.serve)
        app.router.add_route("*", PREFIX + "/{path:.*}", RestServer(self).serve)
        app.router.add_get("/", self.gateway.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        port = self._runner.addresses[0][1]
        self.http, self.ws = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self.cdn.base, self.gateway.resume_url = self.http, self.ws
        if tls:
            await self._listen_as_discord()
        return self

    async def _listen_as_discord(self) -> None:
        authority = trustme.CA()
        server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(*DISCORD_HOSTS).configure_cert(server)
        self.client_ssl = ssl.create_default_context()
        authority.configure_trust(self.client_ssl)
        await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=server).start()
        self.tls_port = self._runner.addresses[-1][1]
        self.cdn.base, self.gateway.resume_url = "https://cdn.discordapp.com", "wss://gateway.discord.gg"

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self.gateway.stop()
        await self._runner.cleanup()

    def assert_no_violations(self) -> None:
        """Raise AssertionError with everything any body did that Discord does not allow."""
        assert not self.violations, "not allowed by Discord:\n" + "\n".join(f"  {v}" for v in self.violations)
