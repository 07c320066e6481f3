"""The gateway: sockets, sessions that outlive them, and everything that can go wrong between."""

import asyncio
import importlib
import json
import secrets
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from tests.discord_standin.payloads import PRIVILEGED, Intent, Payload
from tests.discord_standin.world import World

HEARTBEAT_MS = 41_250
_SENDS_PER_MINUTE = 120
_PAYLOAD_BYTES = 4096
_HANDSHAKE_SECONDS = 1.0
_RECONNECT, _INVALID_SESSION, _HELLO, _HEARTBEAT_ACK = 7, 9, 10, 11


class Socket:
    """One connection; sending is queued, so that the world need not wait for it."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws, self.request = ws, request
        self._queue: asyncio.Queue[Payload | int] = asyncio.Queue()
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closing = False
        self._compress = _compressor(request.query.get("compress"))
        self._writer = asyncio.create_task(self._write())

    def send(self, op: int, data: Any = None, **fields: Any) -> None:
        self._queue.put_nowait({"op": op, "d": data, "s": None, "t": None, **fields})

    def close(self, code: int) -> None:
        """Close after everything sent so far."""
        self._closing = True
        self._queue.put_nowait(code)

    def abort(self) -> None:
        """Cut the TCP connection without a closing handshake."""
        self._writer.cancel()
        if self.request.transport is not None:
            self.request.transport.abort()

    async def finish(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)
        if self._closing:
            # Cancelled now, the close frame might never leave.
            await asyncio.wait({self._writer}, timeout=_HANDSHAKE_SECONDS)
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            item = await self._queue.get()
            try:
                if isinstance(item, int):
                    # Not ws.close(): while somebody reads, it cuts TCP without waiting for the reply, and a client that
                    # is still writing never learns the code. Who reads ends with the client's own close.
                    writer = self.ws._writer
                    if writer is not None:
                        await writer.close(item)
                    await asyncio.wait({self._ended}, timeout=_HANDSHAKE_SECONDS)
                    await self.ws.close(code=item)
                    return
                text = json.dumps(item, separators=(",", ":"))
                if self._compress is None:
                    await self.ws.send_str(text)
                else:
                    await self.ws.send_bytes(self._compress(text.encode()))
            except ConnectionError:
                return  # the other side is gone; its session keeps the events for RESUME


class Session:
    """One gateway session: what it was sent, so that RESUME can replay what a lost socket missed."""

    def __init__(self, intents: Intent, shard: list[int] | None, socket: Socket) -> None:
        self.id = secrets.token_hex(8)
        self.intents, self.shard = intents, shard
        self.socket: Socket | None = socket
        self._events: list[Payload] = []

    def dispatch(self, event: str, data: Payload) -> None:
        # a copy, since the world goes on changing while a socket is away
        sent = {"t": event, "s": len(self._events) + 1, "d": json.loads(json.dumps(data))}
        self._events.append(sent)
        if self.socket is not None:
            self.socket.send(0, **_event(sent))

    def replay(self, after: int) -> None:
        if self.socket is not None:
            for sent in self._events[after:]:
                self.socket.send(0, **_event(sent))

    def covers(self, guild_id: str | None) -> bool:
        """Whether events of this guild (None: of no guild) come over this shard."""
        if self.shard is None:
            return True
        number, of = self.shard
        return (int(guild_id) >> 22) % of == number if guild_id else number == 0


def _compressor(kind: str | None) -> Callable[[bytes], bytes] | None:
    """One stream over all messages of a socket, flushed after each; discord.py asks for zstd where it can read it."""
    if kind == "zlib-stream":
        stream = zlib.compressobj()
        return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)
    if kind == "zstd-stream":
        zstd = importlib.import_module("zstandard")
        frames = zstd.ZstdCompressor().compressobj()
        return lambda data: bytes(frames.compress(data) + frames.flush(zstd.COMPRESSOBJ_FLUSH_BLOCK))
    return None


def _event(sent: Payload) -> dict[str, Any]:
    return {"data": sent["d"], "s": sent["s"], "t": sent["t"]}


class Gateway:
    """Accepts connections and hands out events.

    `log` holds ("open", query), ("op", op, data) and ("close", code) in order; `identifies` are monotonic times.
    `refuse_next` answers that many coming connections with 503 instead of upgrading them; `mute_acks` leaves heartbeats unanswered.
    `privileged` are the privileged intents switched on for the application; another one closes with 4014.
    """

    def __init__(self, world: World, token: str, on_change: Callable[[], None]) -> None:
        self._world, self._token, self._on_change = world, token, on_change
        self.privileged = PRIVILEGED
        self.heartbeat_ms = HEARTBEAT_MS
        self.sessions: dict[str, Session] = {}
        self.log: list[tuple[Any, ...]] = []
        self.identifies: list[float] = []
        self.resumes = 0
        self.refuse_next = 0
        self.mute_acks = False
        self.resume_url = ""
        self._sockets: set[Socket] = set()

    @property
    def connected(self) -> list[Session]:
        """The sessions that have a socket now."""
        return [session for session in self.sessions.values() if session.socket is not None]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Speak gateway v10 over one connection until it ends."""
        if self.refuse_next > 0:
            self.refuse_next -= 1
            self._note("refused")
            # not by cutting TCP: aiohttp would quietly ask a second time
            return web.Response(status=503)
        ws = web.WebSocketResponse(max_msg_size=1 << 20, compress=False)
        await ws.prepare(request)
        socket = Socket(ws, request)
        self._sockets.add(socket)
        self._note("open", dict(request.query))
        socket.send(_HELLO, {"heartbeat_interval": self.heartbeat_ms, "_trace": []})
        session: Session | None = None
        sends: deque[float] = deque()
        try:
            async for received in ws:
                if received.type is not WSMsgType.TEXT:
                    break
                sends.append(time.monotonic())
                while sends[0] < sends[-1] - 60:
                    sends.popleft()
                if len(sends) > _SENDS_PER_MINUTE or len(received.data) > _PAYLOAD_BYTES:
                    socket.close(4008 if len(sends) > _SENDS_PER_MINUTE else 4002)
                    continue
                session = self._receive(socket, session, json.loads(received.data))
        finally:
            if session is not None and session.socket is socket:
                session.socket = None
            self._sockets.discard(socket)
            await socket.finish()
            self._note("close", ws.close_code)
        return ws

    def _receive(self, socket: Socket, session: Session | None, message: Payload) -> Session | None:
        op, data = message["op"], message["d"]
        self._note("op", op, data if op not in (2, 6) else {**data, "token": "…"})
        if op == 1:
            if not self.mute_acks:
                socket.send(_HEARTBEAT_ACK)
        elif op == 2:
            if session is not None:
                socket.close(4005)
                return session
            return self._identify(socket, data)
        elif op == 6:
            return self._resume(socket, data)
        elif session is None:
            socket.close(4003)
        elif op == 8:
            guild = self._world.guilds[str(data["guild_id"])]
            chunk = {"guild_id": guild["id"], "members": guild["members"], "chunk_index": 0, "chunk_count": 1}
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk | {"nonce": data.get("nonce")})
        elif op not in (3, 4):
            socket.close(4001)
        return session

    def _identify(self, socket: Socket, data: Payload) -> Session | None:
        self.identifies.append(time.monotonic())
        intents = Intent(data["intents"])
        if data["token"] != self._token:
            socket.close(4004)
            return None
        if intents & PRIVILEGED & ~self.privileged:
            socket.close(4014)
            return None
        session = Session(intents, data.get("shard"), socket)
        self.sessions[session.id] = session
        mine = [g for g in self._world.guilds.values() if self._world.bot_is_in(g["id"]) and session.covers(g["id"])]
        ready: Payload = {
            "v": 10,
            "user": {**self._world.bot, "verified": True, "mfa_enabled": True, "email": None},
            "guilds": [{"id": guild["id"], "unavailable": True} for guild in mine],
            "session_id": session.id,
            "resume_gateway_url": self.resume_url,
            "session_type": "normal",
            "private_channels": [],
            "application": {"id": self._world.app_id, "flags": 0},
        }
        session.dispatch("READY", ready | ({"shard": session.shard} if session.shard else {}))
        for guild in mine:
            session.dispatch("GUILD_CREATE", self.guild_payload(guild, session.intents))
        self._on_change()
        return session

    def _resume(self, socket: Socket, data: Payload) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != self._token:
            socket.send(_INVALID_SESSION, data=False)
            return None
        session.socket = socket
        self.resumes += 1
        session.replay(data["seq"] or 0)
        session.dispatch("RESUMED", {"_trace": []})
        self._on_change()
        return session

    def guild_payload(self, guild: Payload, intents: Intent) -> Payload:
        """GUILD_CREATE: without the members intent only the bot itself; threads only where it can see them."""
        members = guild["members"]
        if not intents & Intent.MEMBERS:
            members = [member for member in members if member["user"]["id"] == self._world.bot["id"]]
        live = [t for t in guild["threads"] if not t["thread_metadata"]["archived"] and self._world.bot_sees(t)]
        return {**guild, "members": members, "threads": live}

    def emit(
        self,
        event: str,
        data: Payload | Callable[[Intent], Payload],
        intent: Intent | None,
        guild_id: str | None = None,
    ) -> None:
        """Send an event to every session whose intents and shard cover it; None as intent needs none.

        Data that looks different to different intents is given as a function of them.
        """
        for session in self.sessions.values():
            if (intent is None or session.intents & intent) and session.covers(guild_id):
                session.dispatch(event, data(session.intents) if callable(data) else data)
        self._on_change()

    def ask_to_reconnect(self) -> None:
        """Op 7 to every connection."""
        for session in self.connected:
            if session.socket is not None:
                session.socket.send(_RECONNECT)

    def invalidate(self, *, resumable: bool) -> None:
        """Op 9 to every connection; sessions that are not resumable are forgotten."""
        for session in self.connected:
            if session.socket is not None:
                session.socket.send(_INVALID_SESSION, data=resumable)
            if not resumable:
                del self.sessions[session.id]

    def drop(self, code: int | None) -> None:
        """End every connection with a close code, or with None by cutting TCP; sessions stay resumable."""
        for session in self.connected:
            socket, session.socket = session.socket, None
            if socket is not None:
                if code is None:
                    socket.abort()
                else:
                    socket.close(code)

    async def stop(self) -> None:
        for socket in list(self._sockets):
            await socket.finish()
            await socket.ws.close()

    def _note(self, *entry: Any) -> None:
        self.log.append(entry)
        self._on_change()
