"""Messages of one author that belong together, handed on together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bot.logs import log_incident

logger = logging.getLogger(__name__)

MOST_MESSAGES = 10
# However much somebody writes, the first message waits at most so many times the pause between two.
_LONGEST_IN_PAUSES = 4


class Piece(Protocol):
    """One message of a burst."""

    @property
    def message_id(self) -> int: ...


P = TypeVar("P", bound=Piece)
Key = tuple[int, int]  # channel, author


@dataclass(slots=True)
class _Burst(Generic[P]):
    began: float
    pieces: list[P] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None


class Bursts(Generic[P]):
    """Collects messages until their author pauses, then hands them over in a task of their own.

    At most `most_waiting` bursts wait or are being handled; what comes on top is refused.
    """

    def __init__(
        self, handle: Callable[[Sequence[P]], Awaitable[None]], pause_seconds: float, most_waiting: int
    ) -> None:
        self._handle, self._pause, self._most = handle, pause_seconds, most_waiting
        self._bursts: dict[Key, _Burst[P]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, key: Key, piece: P) -> bool:
        """Take a message in; False when too many wait already."""
        loop = asyncio.get_running_loop()
        burst = self._bursts.get(key)
        if burst is None:
            if len(self._bursts) + len(self._tasks) >= self._most:
                return False
            burst = self._bursts[key] = _Burst(loop.time())
        burst.pieces.append(piece)
        if burst.timer:
            burst.timer.cancel()
        if len(burst.pieces) >= MOST_MESSAGES or self._pause == 0:
            self._release(key)
        else:
            end = min(loop.time() + self._pause, burst.began + _LONGEST_IN_PAUSES * self._pause)
            burst.timer = loop.call_at(end, self._release, key)
        return True

    def replace(self, piece: P) -> bool:
        """Put the edited message in the place of the waiting one; False when it does not wait (any more)."""
        for burst in self._bursts.values():
            for number, waiting in enumerate(burst.pieces):
                if waiting.message_id == piece.message_id:
                    burst.pieces[number] = piece
                    return True
        return False

    def drop(self, message_id: int) -> None:
        """Forget a waiting message because it was deleted."""
        for burst in self._bursts.values():
            burst.pieces[:] = [piece for piece in burst.pieces if piece.message_id != message_id]

    async def finish(self, seconds: float) -> None:
        """Hand over everything now and wait for it; what takes longer is cancelled."""
        for key in list(self._bursts):
            self._release(key)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _release(self, key: Key) -> None:
        burst = self._bursts.pop(key, None)
        if burst is None:
            return
        if burst.timer:
            burst.timer.cancel()
        if burst.pieces:
            task = asyncio.create_task(self._handled(tuple(burst.pieces)), name=f"answer {burst.pieces[0].message_id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _handled(self, pieces: Sequence[P]) -> None:
        try:
            await self._handle(pieces)
        except Exception as error:  # noqa: BLE001  # the edge of a task: whatever it is, it is logged here and ends here
            log_incident(logger, "a question could not be handled", error, message_id=pieces[-1].message_id)
