"""A small ErrLookup: datasets laid out as upstream does, and a server of them that counts and can misbehave."""

import asyncio
import gzip
import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from bot.records.decode import encode_record
from tests.sample_entries import GRADIENT_SYNC

Document = dict[str, Any]
Files = dict[str, bytes]
V1, V2, V3 = (f"2026-11-0{day}T00:00:00.000Z" for day in (1, 2, 3))
ANALYZED = "2026-10-01T00:00:00Z"


def record(number: int, repo: str = "example/one", message: str | None = None, **more: object) -> Document:
    """A record that pastes can match: "Flux capacitor 7 ran dry while the deflector grid was charging"."""
    message = message or f"Flux capacitor {number} ran dry while the deflector grid was charging"
    return {
        **encode_record(GRADIENT_SYNC),
        "id": f"{number:016x}",
        "repo": repo,
        "slug": f"flux-capacitor-{number}",
        "errorMessage": message,
        "messagePattern": message,
        "documentation": f"Meaning {number}.",
        "analyzedAt": ANALYZED,
        **more,
    }


def compact(document: Document) -> Document:
    """A record's line in the compact index."""
    names = {"id": "id", "repo": "repo", "slug": "slug", "code": "errorCode", "msg": "errorMessage"}
    names |= {"pattern": "messagePattern", "type": "errorType", "cls": "errorClass", "tags": "tags", "sev": "severity"}
    return {short: document[name] for short, name in names.items()}


def published(
    records: Iterable[Document],
    version: str = V1,
    *,
    articles: Iterable[Document] = (),
    packed: bool = True,
    outlines: Iterable[Document] | None = None,
    analyzed: Mapping[str, str] | None = None,
) -> Files:
    """The files of a dataset, by path.

    outlines: the compact index, where it is to differ from the records. analyzed: when a repository was, by name.
    """
    by_repo: dict[str, list[Document]] = {}
    for one in records:
        by_repo.setdefault(one["repo"], []).append(one)
    lines = list(outlines) if outlines is not None else [compact(one) for ones in by_repo.values() for one in ones]
    raw = as_json({"schemaVersion": 2, "datasetVersion": version, "errors": lines})
    files = {f"/data/repos/{repo}.json": as_json(ones) for repo, ones in by_repo.items()}
    files["/data/repos.json"] = as_json(
        [
            {"repo": repo, "description": None, "language": None, "stars": 0, "sourceFiles": None, "defaultBranch": "main",
             "analyzedSha": GRADIENT_SYNC.analyzed_sha, "analyzedAt": (analyzed or {}).get(repo, ANALYZED),
             "errorCount": len(ones)}
            for repo, ones in by_repo.items()
        ]
    )  # fmt: skip
    articles = list(articles)
    if articles:
        files["/data/info/index.json"] = as_json([{"slug": one["slug"], "title": one["title"]} for one in articles])
        files |= {f"/data/info/{one['slug']}.json": as_json(one) for one in articles}
    manifest = {
        "schemaVersion": 2,
        "datasetVersion": version,
        "counts": {"repos": len(by_repo), "errors": len(lines), "infoPages": len(articles)},
        "files": {"index": {}, "repos": {"path": "/data/repos.json"}},
    }
    files["/data/manifest.json"] = as_json(manifest)
    put_index(files, raw, packed=packed)
    return files


def with_api(files: Files, *records: Document, version: str = V1) -> Files:
    """The same files, and what the API answers about these records."""
    answers = {f"/api/errors/{one['id']}": as_json({"record": one, "datasetVersion": version}) for one in records}
    return {**files, **answers}


def put_index(files: Files, raw: bytes, *, packed: bool = True) -> None:
    """Replace the compact index, and give the manifest the checksums of all that is there."""
    path = "/data/index.json.gz" if packed else "/data/index.json"
    data = gzip.compress(raw, mtime=0) if packed else raw
    files[path] = data
    claim: Document = {"path": path, "bytes": len(data), "sha256": sha256(data)}
    if packed:
        claim |= {"encoding": "gzip", "rawBytes": len(raw), "rawSha256": sha256(raw)}
    repos = files["/data/repos.json"]
    manifest = json.loads(files["/data/manifest.json"])
    manifest["files"] = {
        "index": claim,
        "repos": {"path": "/data/repos.json", "bytes": len(repos), "sha256": sha256(repos)},
    }
    files["/data/manifest.json"] = as_json(manifest)


def change_manifest(files: Files, change: Callable[[Document], object]) -> None:
    """Let the manifest say something else."""
    manifest = json.loads(files["/data/manifest.json"])
    change(manifest)
    files["/data/manifest.json"] = as_json(manifest)


def article(slug: str, **more: object) -> Document:
    """A background article."""
    return {
        "slug": slug, "clusterKey": slug, "title": f"About {slug}", "summary": "Short.", "background": "Long.",
        "commonCauses": [{"cause": "Haste", "detail": "Too much of it."}], "fixes": ["Wait."], "guideSlugs": [],
        "errorIds": ["00000000000000aa"], "errorCount": 1, "repoCount": 1, "generatedAt": ANALYZED, "schemaVersion": 1,
        **more,
    }  # fmt: skip


def as_json(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# What a server does in place of answering, told the number of the request for this path, from 1; None answers as always.
Fault = Callable[[web.Request, bytes, int], Awaitable[web.StreamResponse | None]]


class DatasetServer:
    """Serves `files` with ETags. `asked` holds the paths in the order of requests, `headers` what each was asked with."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.faults: dict[str, Fault] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.has_etags = True
        self.base = ""
        self.before_answer: Callable[[str], object] = lambda _path: None

    def forget(self) -> None:
        """Count from nothing."""
        self.asked.clear()
        self.headers.clear()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        path = request.path
        self.asked.append(path)
        self.headers.append(dict(request.headers))
        self.before_answer(path)
        data = self.files.get(path)
        if fault := self.faults.get(path):
            response = await fault(request, data or b"", self.asked.count(path))
            if response is not None:
                return response
        if data is None:
            return web.Response(status=404)
        etag = f'"{sha256(data)[:16]}"'
        headers = {"ETag": etag} if self.has_etags else {}
        if self.has_etags and request.headers.get("If-None-Match") == etag:
            return web.Response(status=304, headers=headers)
        kind = "application/gzip" if path.endswith(".gz") else "application/json"
        return web.Response(body=data, content_type=kind, headers=headers)


@contextmanager
def serving(files: Files) -> Iterator[DatasetServer]:
    """A server in a thread of its own, so that processes and commands that block can ask it."""
    server = DatasetServer(files)
    loop = asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        application = web.Application()
        application.router.add_get("/{path:.*}", server.answer)
        runner = web.AppRunner(application, handle_signals=False)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        server.base = f"http://{host}:{port}"
        return runner

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    runner = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def failing(times: int, status: int = 500, headers: Mapping[str, str] | None = None) -> Fault:
    """Answers with a status, so many times."""

    async def fault(_request: web.Request, _data: bytes, number: int) -> web.StreamResponse | None:
        return web.Response(status=status, headers=headers) if number <= times else None

    return fault


def breaking_off(times: int = 1_000) -> Fault:
    """Promises all of it and sends half, so many times."""

    async def fault(request: web.Request, data: bytes, number: int) -> web.StreamResponse | None:
        if number > times:
            return None
        response = web.StreamResponse(headers={"Content-Length": str(len(data)), "Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(data[: len(data) // 2])
        assert request.transport is not None
        request.transport.close()
        return response

    return fault


def dripping(seconds: float) -> Fault:
    """Sends a byte, waits, sends the next."""

    async def fault(request: web.Request, data: bytes, _number: int) -> web.StreamResponse | None:
        response = web.StreamResponse(headers={"Content-Length": str(len(data)), "Content-Type": "application/json"})
        await response.prepare(request)
        for byte in data:
            await response.write(bytes([byte]))
            await asyncio.sleep(seconds)
        return response

    return fault


def sending(body: bytes, headers: Mapping[str, str], status: int = 200) -> Fault:
    """Answers with this, whatever was published."""

    async def fault(_request: web.Request, _data: bytes, _number: int) -> web.StreamResponse | None:
        return web.Response(body=body, status=status, headers=headers)

    return fault
