"""What goes wrong on purpose: injected answers, rate limits, lost connections."""

import asyncio
import hashlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.discord_standin.payloads import ApiError, Payload

_PLENTY = 100_000


@dataclass(slots=True)
class Fault:
    """One injected answer, good for `times` requests.

    `after` lets the request take effect first, so only its answer is lost; `drop` cuts the connection.
    Without a status and without `drop` a fault only waits: `delay_seconds`, and where `hold` until `released` is set.
    `struck` is set when the first request meets it.
    """

    method: str
    path: re.Pattern[str]
    times: int
    status: int | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    drop: bool = False
    after: bool = False
    hold: bool = False
    struck: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)


class Dropped(Exception):
    """The connection ends without an answer."""


class InjectedAnswer(Exception):
    """A fault answers in Discord's place."""

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        super().__init__(str(status))
        self.status, self.body, self.headers = status, body, headers


class Faults:
    """The faults still to come, and the rate limits in force."""

    def __init__(self) -> None:
        self.pending: list[Fault] = []
        self._limits: dict[tuple[str, str], tuple[int, float]] = {}
        self._global: tuple[int, float] | None = None
        self._used: dict[tuple[str, ...], tuple[int, float]] = {}

    def inject(
        self,
        method: str,
        path: str,
        *,
        status: int | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        times: int = 1,
        delay_seconds: float = 0.0,
        drop: bool = False,
        after: bool = False,
        hold: bool = False,
    ) -> Fault:
        """Spoil the next `times` requests whose path fits; `*` stands for one segment, as in /channels/*/messages."""
        pattern = re.compile("^" + re.escape(path).replace(r"\*", "[^/]+") + "$")
        fault = Fault(method, pattern, times, status, body, headers or {}, delay_seconds, drop, after, hold)
        self.pending.append(fault)
        return fault

    async def strike(self, method: str, path: str, *, after: bool) -> None:
        """Play the first fault that fits. Raises Dropped or InjectedAnswer, or returns after its wait."""
        for fault in self.pending:
            if fault.method == method and fault.after == after and fault.path.match(path):
                fault.times -= 1
                if fault.times <= 0:
                    self.pending.remove(fault)
                fault.struck.set()
                if fault.hold:
                    await fault.released.wait()
                if fault.delay_seconds:
                    await asyncio.sleep(fault.delay_seconds)
                if fault.drop:
                    raise Dropped
                if fault.status is not None:
                    body = {"message": f"{fault.status}: injected", "code": 0} if fault.body is None else fault.body
                    raise InjectedAnswer(fault.status, body, fault.headers)
                return

    def limit(self, method: str, template: str, requests: int, seconds: float) -> None:
        """Allow so many requests in so many seconds on a route (/channels/{channel_id}/messages), each major id apart."""
        self._limits[method, template] = (requests, seconds)

    def limit_globally(self, requests: int, seconds: float) -> None:
        """Allow so many requests in so many seconds over all routes but interactions."""
        self._global = (requests, seconds)

    def count(self, method: str, template: str, major: str) -> dict[str, str]:
        """The rate-limit headers of one more request. Raises a 429 with its `retry_after`."""
        if self._global and not template.startswith(("/interactions/", "/webhooks/")):
            used, reset = self._spend(("global",), self._global[1])
            if used > self._global[0]:
                raise _too_many(reset - time.monotonic(), everywhere=True)
        requests, seconds = self._limits.get((method, template), (_PLENTY, 1.0))
        used, reset = self._spend((method, template, major), seconds)
        left = max(0.0, reset - time.monotonic())
        if used > requests:
            raise _too_many(left, everywhere=False)
        return {
            "X-RateLimit-Limit": str(requests),
            "X-RateLimit-Remaining": str(max(0, requests - used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": hashlib.sha256(f"{method}{template}".encode()).hexdigest()[:16],
        }

    def _spend(self, key: tuple[str, ...], seconds: float) -> tuple[int, float]:
        now = time.monotonic()
        used, reset = self._used.get(key, (0, now + seconds))
        if now >= reset:
            used, reset = 0, now + seconds
        self._used[key] = (used + 1, reset)
        return used + 1, reset


def _too_many(retry_after_seconds: float, *, everywhere: bool) -> ApiError:
    error = ApiError(429, 0, "You are being rate limited.")
    extra: Payload = {"retry_after": max(0.0, retry_after_seconds), "global": everywhere}
    error.body |= extra
    return error
