"""Building the index beside answering: in a process of its own at low priority, while what there is serves."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.stored_index import StoredIndex
from embeddings.errors import EmbeddingsError

log = logging.getLogger(__name__)

# A finished part of the index serves so soon after; looking costs a file name and a row of the store.
LOOK_SECONDS: Final = 5.0
FIRST_RETRY_SECONDS: Final = 60.0
LONGEST_RETRY_SECONDS: Final = 3600.0
STOP_SECONDS: Final = 5.0
_SAID: Final = 500  # characters of a failed build's last words that go into the log


def build_command(data_dir: Path) -> tuple[str, ...]:
    """What builds the index of this data folder: niced, on one core, and gone when this process is."""
    return (sys.executable, "-m", "bot", "--data-dir", str(data_dir), "index", "--background")


async def keep_building(index: StoredIndex, command: Sequence[str], changed: asyncio.Event) -> None:
    """The index follows the catalogue until this is cancelled; then a build that runs is stopped, and loses nothing.

    What a build has finished, this one or one by hand, serves within seconds, without a question waiting or failing.
    changed: to be set when the catalogue has changed. A build that fails is tried again after a minute, then after two
    and so on, up to an hour.
    """
    loop = asyncio.get_running_loop()
    retry_at, delay = 0.0, FIRST_RETRY_SECONDS
    while True:
        if changed.is_set():
            changed.clear()
            retry_at = 0.0
        if loop.time() >= retry_at and not await index.is_built():
            log.info("building the index in the background")
            if await _is_built_now(index, command):
                log.info("the index is whole")
                delay = FIRST_RETRY_SECONDS
            else:
                retry_at, delay = loop.time() + delay, min(2 * delay, LONGEST_RETRY_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await changed.wait()
        await index.refresh()


async def _is_built_now(index: StoredIndex, command: Sequence[str]) -> bool:
    """Build, a small index here, where no process has to be started for it; whether it is whole now."""
    try:
        if not await index.build_if_small() and await _build(index, command) != 0:
            return False
    except EmbeddingsError as why:
        log.warning("the index was not built: %s", why)
        return False
    return await index.is_built()


async def _build(index: StoredIndex, command: Sequence[str]) -> int:
    """Run the command to its end, taking over what it finishes meanwhile; return its exit code."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    ending = asyncio.ensure_future(process.communicate())
    try:
        while not ending.done():
            await asyncio.wait({ending}, timeout=LOOK_SECONDS)
            await index.refresh()
    finally:
        await _stopped(process, ending)
    _, said = ending.result()
    code = process.returncode or 0
    if code:
        log.warning("building the index ended with %d: %s", code, said.decode("utf-8", "replace").strip()[-_SAID:])
    return code


async def _stopped(process: asyncio.subprocess.Process, ending: "asyncio.Future[tuple[bytes, bytes]]") -> None:
    if ending.done():
        return
    process.terminate()
    done, _ = await asyncio.wait({ending}, timeout=STOP_SECONDS)
    if not done:
        process.kill()
        await ending
