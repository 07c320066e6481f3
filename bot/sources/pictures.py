"""Text from pictures, read by a process of its own that is started for the first and ended when none follow.

The engine comes with the extra `ocr`; nothing of it is ever imported here. Its process has no token and no network
(`picture_worker`), and it is ended and started anew when a picture takes too long or brings it down.
"""

import asyncio
import contextlib
import json
import logging
import os
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.pastes.archives import Unpacked
from bot.pastes.paste import Skipped, SkippedPart
from bot.pastes.pictures import Piece, part_of

logger = logging.getLogger(__name__)

# A full screen takes 10 to 14 s on two busy cores, with the start of the engine.
TIMEOUT_SECONDS = 30.0
# Starting takes a second, keeping 150 to 530 MB: whoever posts one picture often posts another.
IDLE_SECONDS = 120.0
MOST_WAITING = 6
# Where nobody asked, nobody waits: such pictures leave room for those somebody asks about.
MOST_WAITING_UNASKED = 2
# An answer of this many bytes is no text from a screen.
_LONGEST_ANSWER = 4 * 2**20
_HEAD = struct.Struct(">I")
_ENGINE = ("rapidocr", "onnxruntime", "cv2", "PIL")
WORKER: Sequence[str] = (sys.executable, "-m", "bot.sources.picture_worker")
# What a program needs to run at all. The bot's token is not among it.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


def can_read_pictures() -> bool:
    """Whether the extra `ocr` is installed. It is looked for, not loaded."""
    return all(find_spec(name) is not None for name in _ENGINE)


class PictureReader:
    """Reads one picture after the other.

    What it cannot read is a part that was skipped: PICTURE without the extra, WAITING with too many before it, TOO_BIG,
    DAMAGED, EMPTY without text, and UNSURE where most could not be read, not in time, or not without a crash.
    """

    def __init__(
        self,
        *,
        worker: Sequence[str] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """worker: the command that reads pictures; by default the extra's, if it is installed."""
        self._worker = worker or (WORKER if can_read_pictures() else None)
        self._timeout_seconds, self._idle_seconds = timeout_seconds, idle_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._idle: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def can_read(self) -> bool:
        """Whether there is an engine at all."""
        return self._worker is not None

    @property
    def process_id(self) -> int | None:
        """The process that reads, while there is one."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def read(self, data: bytes, name: str, *, asked: bool = True) -> Unpacked:
        """Return the text of a picture file, or why there is none. Waits for those before it; never raises for a file.

        asked: somebody waits for an answer.
        """
        if self._worker is None:
            return _skipped(name, Skipped.PICTURE)
        if self._waiting >= (MOST_WAITING if asked else MOST_WAITING_UNASKED):
            return _skipped(name, Skipped.WAITING)
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._asked(data)
        finally:
            self._waiting -= 1
        return _understood(answer, name)

    async def close(self) -> None:
        """End the process, whatever it does."""
        self._rest()
        await self._end()
        await asyncio.gather(*self._ending)

    async def _asked(self, data: bytes) -> Mapping[str, Any]:
        """The worker's answer; a worker that gives none is ended."""
        self._rest()
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout_seconds):
                answer = await self._exchange(data)
        except (TimeoutError, OSError, EOFError, ValueError) as error:
            await self._end()
            facts = {"why": type(error).__name__, "bytes": len(data), "seconds": round(time.monotonic() - began, 1)}
            logger.warning("a picture was given up, its reader is started anew for the next", extra=facts)
            return {"skipped": Skipped.UNSURE.value}
        except asyncio.CancelledError:
            await asyncio.shield(self._end())  # an answer nobody reads would be taken for the next picture's
            raise
        self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._end_soon)
        return answer

    async def _exchange(self, data: bytes) -> Mapping[str, Any]:
        process = await self._running()
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        process.stdin.write(_HEAD.pack(len(data)))
        process.stdin.write(data)
        await process.stdin.drain()
        (length,) = _HEAD.unpack(await process.stdout.readexactly(_HEAD.size))
        if length > _LONGEST_ANSWER:
            raise ValueError("the answer is longer than any")
        answer = json.loads(await process.stdout.readexactly(length))
        if not isinstance(answer, dict):
            raise ValueError("the answer is no object")  # noqa: TRY004  # a fault of what was said, not of a caller
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            assert self._worker is not None  # asked before
            self._process = await asyncio.create_subprocess_exec(
                *self._worker,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_environment(),
            )
        return self._process

    def _rest(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _end_soon(self) -> None:
        if not self._turn.locked():
            task = asyncio.create_task(self._end(), name="end the picture reader")
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):  # it is gone already
            process.kill()
        await process.wait()


@asynccontextmanager
async def opened_pictures() -> AsyncIterator[PictureReader]:
    """A reader whose process, if it has one by then, ends with the block."""
    reader = PictureReader()
    try:
        yield reader
    finally:
        await reader.close()


def read_one(data: bytes, name: str) -> Unpacked:
    """Return the text of one picture file, or why there is none, as PictureReader does. Blocks for seconds."""
    if not can_read_pictures():
        return _skipped(name, Skipped.PICTURE)
    try:
        done = subprocess.run(  # noqa: S603  # our own module under our own interpreter
            WORKER,
            input=_HEAD.pack(len(data)) + data,
            capture_output=True,
            check=False,  # one that was ended in the middle gave no answer, which is looked at below
            env=_environment(),
            timeout=TIMEOUT_SECONDS,
        )
        answer = json.loads(done.stdout[_HEAD.size :])
    except (subprocess.TimeoutExpired, ValueError) as error:
        logger.warning("a picture was given up", extra={"why": type(error).__name__, "bytes": len(data)})
        return _skipped(name, Skipped.UNSURE)
    return _understood(answer, name)


def _understood(answer: Mapping[str, Any], name: str) -> Unpacked:
    if "skipped" in answer:
        return _skipped(name, Skipped(answer["skipped"]))
    if "failed" in answer:
        logger.error("the reader of pictures failed", extra={"what": answer["failed"]})
        return _skipped(name, Skipped.UNSURE)
    part = part_of((Piece(*piece) for piece in answer["pieces"]), name)
    return _skipped(name, part) if isinstance(part, Skipped) else Unpacked((part,))


def _skipped(name: str, why: Skipped) -> Unpacked:
    return Unpacked(skipped=(SkippedPart(name, why),))


def _environment() -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**passed, "PYTHONPATH": str(Path(__file__).parents[2])}
