"""The bot as a process of its own against a stand-in."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from tests.discord_standin.fake_discord import FakeDiscord
from tests.shared_data import REPOSITORY

RUN = (sys.executable, "-m", "bot", "run")
_LINE_BYTES = 1 << 20


class BotProcess:
    """A started process; `stdout` and `stderr` grow as it writes."""

    def __init__(self, process: asyncio.subprocess.Process, fake: FakeDiscord) -> None:
        self._process, self._fake = process, fake
        self._identified_before = len(fake.gateway.identifies)
        self._resumed_before = fake.gateway.resumes
        self.stdout = self.stderr = ""
        self._readers = [asyncio.create_task(self._read("stdout")), asyncio.create_task(self._read("stderr"))]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, minus the signal's number where a signal ended it; None while it runs."""
        return self._process.returncode

    @property
    def output(self) -> str:
        return f"--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}"

    async def ready(self, *, timeout_seconds: float = 30.0) -> None:
        """The process has been given READY by the gateway. Raises AssertionError with its output where it ends first."""
        gateway = self._fake.gateway

        def up() -> bool:
            if self.exit_code is not None:
                raise AssertionError(f"ended with {self.exit_code} before it was ready\n{self.output}")
            fresh = len(gateway.identifies) > self._identified_before or gateway.resumes > self._resumed_before
            return fresh and bool(gateway.connected)

        try:
            await self._fake.until(up, timeout_seconds=timeout_seconds, what="READY")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.output}") from None

    async def says(self, text: str, *, timeout_seconds: float = 10.0) -> None:
        """The text stands in what the process has written."""
        try:
            await self._fake.until(
                lambda: text in self.stdout or text in self.stderr,
                timeout_seconds=timeout_seconds,
                what=f"output {text!r}",
            )
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.output}") from None

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self._process.kill()

    async def wait(self, *, timeout_seconds: float = 20.0) -> int:
        """The exit code, once the process has ended and all it wrote is read."""
        try:
            async with asyncio.timeout(timeout_seconds):
                code = await self._process.wait()
        except TimeoutError:
            raise AssertionError(f"still running after {timeout_seconds} s\n{self.output}") from None
        await asyncio.gather(*self._readers)
        return code

    async def stop(self) -> int:
        """SIGTERM, then its exit code."""
        self.terminate()
        return await self.wait()

    async def _read(self, name: str) -> None:
        stream = self._process.stdout if name == "stdout" else self._process.stderr
        assert stream is not None
        while line := await stream.readline():
            setattr(self, name, getattr(self, name) + line.decode(errors="replace"))
            self._fake.poke()


def environment(fake: FakeDiscord, data_dir: Path, **more: str) -> dict[str, str]:
    """The environment under which the bot speaks to a stand-in; earlier ERRATA_ settings are left out."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("ERRATA_")}
    own = {
        "ERRATA_TOKEN": fake.token,
        "ERRATA_API_BASE": fake.api_base,
        "ERRATA_GATEWAY_URL": fake.gateway_url,
        "ERRATA_CDN_BASE": fake.cdn_base,
        "ERRATA_DATA_DIR": str(data_dir),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(REPOSITORY),
    }
    return inherited | own | more


async def start_process(
    fake: FakeDiscord, data_dir: Path, *, argv: Sequence[str] = RUN, env: Mapping[str, str] | None = None
) -> BotProcess:
    """A process whose working directory is `data_dir`; `env` adds to, or replaces, its environment."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        env=environment(fake, data_dir, **(env or {})),
        cwd=data_dir,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=_LINE_BYTES,
    )
    return BotProcess(process, fake)


@contextlib.asynccontextmanager
async def running_process(
    fake: FakeDiscord, data_dir: Path, *, argv: Sequence[str] = RUN, env: Mapping[str, str] | None = None
) -> AsyncIterator[BotProcess]:
    """A process that is ready inside, and is killed after where the test has not ended it."""
    process = await start_process(fake, data_dir, argv=argv, env=env)
    try:
        await process.ready()
        yield process
    finally:
        if process.exit_code is None:
            process.kill()
            await process.wait()
