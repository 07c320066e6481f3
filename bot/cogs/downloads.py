"""Files from Discord's CDN, and from nowhere else."""

import asyncio
import logging

import aiohttp

from bot.cogs.attachment_kinds import is_picture, may_hold_text
from bot.pastes.archives import Limits, Unpacked, renamed, unpack
from bot.pastes.file_kinds import FileKind, kind_of
from bot.pastes.paste import Skipped, SkippedPart
from bot.sources.pictures import PictureReader

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 15.0
_AT_ONCE = 4  # each may hold `most_bytes` in memory
# Each may take six times `most_bytes` for a moment, where a file was made to.
_UNPACKED_AT_ONCE = 2
_PIECE_BYTES = 65_536
DISCORD_CDN = ("https://cdn.discordapp.com", "https://media.discordapp.net")


class Downloads:
    """Reads attachments as text, unpacked. Every wait ends after `timeout_seconds`, every answer after `most_bytes`.

    What is packed may unpack to as much as may come unpacked, so that what reads it has one limit.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        cdn_base: str,
        most_bytes: int,
        *,
        pictures: PictureReader | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """pictures: reads those whose text is wanted; without one none is read."""
        self._pictures = pictures
        self._session, self._base, self._most_bytes = session, cdn_base, most_bytes
        self._timeout_seconds = timeout_seconds
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._unpackers = asyncio.Semaphore(_UNPACKED_AT_ONCE)

    async def read(
        self,
        name: str,
        url: str,
        declared_bytes: int,
        *,
        as_message: bool = False,
        pictures: bool = False,
        asked: bool = True,
    ) -> Unpacked:
        """Return a file's text or those of the logs in it, and what was not read. Never raises for a file or the net.

        as_message: the text is the message itself, which Discord's client made a file of.
        pictures: a picture, whatever it is called, is read too. asked: somebody waits for that.
        """
        if declared_bytes > self._most_bytes:
            return _skipped(name, Skipped.TOO_BIG)
        data = await self._data(url, pictures=pictures)
        if isinstance(data, Skipped):
            return _skipped(name, data)
        if pictures and self._pictures is not None and kind_of(data) is FileKind.PICTURE:
            return await self._pictures.read(data, name, asked=asked)
        async with self._unpackers:
            found = await asyncio.to_thread(unpack, data, name, Limits(most_bytes=self._most_bytes))
        return renamed(found, name, None) if as_message else found

    async def _data(self, url: str, *, pictures: bool) -> bytes | Skipped:
        address = self._address(url)
        if address is None:
            return Skipped.UNREACHABLE
        try:
            async with self._places, asyncio.timeout(self._timeout_seconds):
                return await self._fetch(address, pictures=pictures)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            # The address is as good as the file, so it is not logged.
            logger.info("an attachment could not be read", extra={"error": type(error).__name__})
            return Skipped.UNREACHABLE

    def _address(self, url: str) -> str | None:
        """The file's address at the CDN that was set; None for any other host.

        The slash belongs to it: what comes before names the host in whole, and no user or port can follow.
        """
        for base in (self._base, *DISCORD_CDN):
            if url.startswith(f"{base}/"):
                return self._base + url.removeprefix(base)
        return None

    async def _fetch(self, address: str, *, pictures: bool) -> bytes | Skipped:
        # A packed answer could grow without bound when it is unpacked, so none is asked for.
        headers = {"Accept-Encoding": "identity"}
        async with self._session.get(address, allow_redirects=False, headers=headers) as response:
            if response.status != 200:
                return Skipped.UNREACHABLE
            kind = response.headers.get("Content-Type")
            if not may_hold_text(kind) and not (pictures and is_picture(kind)):
                return Skipped.UNSUPPORTED
            data = bytearray()
            async for piece in response.content.iter_chunked(_PIECE_BYTES):
                data += piece
                if len(data) > self._most_bytes:
                    return Skipped.TOO_BIG
            return bytes(data)


def _skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))
