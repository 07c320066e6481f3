"""The CDN: uploaded files behind signed addresses that expire."""

import asyncio
import hashlib
import time
from dataclasses import dataclass

from aiohttp import web

from tests.discord_standin.payloads import Payload, Snowflakes, Upload

SIGNATURE_SECONDS = 86_400  # a signed address lives for a day
_CHUNKS = 8


@dataclass(slots=True)
class _Stored:
    upload: Upload
    gone: bool = False


class Cdn:
    """Keeps files, signs their addresses and serves them.

    `requests` are the paths asked for, in order. `fail_with` answers the next downloads with these statuses.
    `cut_after` closes the next download's connection after so many bytes.
    """

    def __init__(self, ids: Snowflakes) -> None:
        self._ids = ids
        self._files: dict[str, _Stored] = {}
        # `is` counts expiries instead of seconds, so that no test waits for a clock
        self._issue = self._earliest_issue = 0
        self.base = ""
        self.requests: list[str] = []
        self.fail_with: list[int] = []
        self.cut_after: int | None = None

    def store(self, folder: str, channel_id: str, upload: Upload) -> Payload:
        """The attachment object of a file now kept under `folder` (attachments, ephemeral-attachments)."""
        file_id = self._ids()
        path = f"/{folder}/{channel_id}/{file_id}/{upload.name}"
        self._files[path] = _Stored(upload, upload.gone)
        url = self._sign(path)
        attachment: Payload = {
            "id": file_id,
            "filename": upload.name,
            "size": len(upload.data) if upload.declared_size is None else upload.declared_size,
            "url": url,
            "proxy_url": url,
        }
        if upload.declared_type is not None:
            attachment["content_type"] = upload.declared_type
        if folder == "ephemeral-attachments":
            attachment["ephemeral"] = True
        return attachment

    def read(self, attachment: Payload) -> bytes:
        """The bytes behind an attachment, however its address is."""
        return self._files[self._path(attachment["url"])].upload.data

    def renew(self, attachment: Payload) -> None:
        """Give an attachment a fresh signature, as fetching its message does."""
        attachment["url"] = attachment["proxy_url"] = self._sign(self._path(attachment["url"]))

    def forget(self, attachment: Payload) -> None:
        """The file is gone, as it is some time after its message was deleted."""
        self._files[self._path(attachment["url"])].gone = True

    def expire_all(self) -> None:
        """Every address signed so far is now too old; later ones are good."""
        self._earliest_issue = self._issue = self._issue + 1

    def _path(self, url: str) -> str:
        return url.removeprefix(self.base).split("?")[0]

    def _sign(self, path: str) -> str:
        expires = int(time.time()) + SIGNATURE_SECONDS
        return f"{self.base}{path}?ex={expires:x}&is={self._issue:x}&hm={self._seal(path, expires, self._issue)}&"

    @staticmethod
    def _seal(path: str, expires: int, issue: int) -> str:
        return hashlib.sha256(f"{path}|{expires}|{issue}".encode()).hexdigest()

    def _good(self, request: web.Request) -> bool:
        try:
            expires, issue = int(request.query["ex"], 16), int(request.query["is"], 16)
        except (KeyError, ValueError):
            return False
        sealed = request.query.get("hm") == self._seal(request.path, expires, issue)
        return sealed and expires >= time.time() and issue >= self._earliest_issue

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one download; 404 for a file that is gone, or whose address is unsigned or expired."""
        self.requests.append(request.path)
        if self.fail_with:
            return web.Response(status=self.fail_with.pop(0), text="the CDN is unwell")
        stored = self._files.get(request.path)
        if stored is None or stored.gone or not self._good(request):
            return web.Response(status=404, text="This content is no longer available.")
        upload = stored.upload
        kind = upload.served_type or upload.declared_type or "application/octet-stream"
        response = web.StreamResponse(headers={"Content-Type": kind, "Content-Length": str(len(upload.data))})
        await response.prepare(request)
        step = max(1, -(-len(upload.data) // _CHUNKS))
        for start in range(0, len(upload.data), step):
            if upload.seconds_per_chunk:
                await asyncio.sleep(upload.seconds_per_chunk)
            if self.cut_after is not None and start + step > self.cut_after:
                await response.write(upload.data[start : self.cut_after])
                self.cut_after = None
                if request.transport is not None:
                    request.transport.abort()
                return response
            await response.write(upload.data[start : start + step])
        await response.write_eof()
        return response
