"""Buckets compiled beside the process that wants them, at low priority: `python -m bot.matching.pattern_worker`.

One line on standard input is a bucket to compile; the process ends when it is done, or as soon as its parent has ended,
however that ended. So a bot that refreshes its patterns goes on answering, and a killed build leaves nothing at work.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bot.errors import BotError
from bot.matching.facts import Facts
from bot.matching.pattern_bucket import compile_bucket

# So few compile in about the time a process needs to start.
MOST_COMPILED_HERE = 1_000
# Each takes up to 340 MB, and one leaves a core of a small machine to the bot.
MOST_PROCESSES = 1
_NICE = 10
_LOOK_SECONDS = 0.05


class NotCompiled(BotError):
    """The process that compiled a bucket ended before it was done; what serves is untouched."""

    def __init__(self, ended: int, said: str) -> None:
        super().__init__(f"compiling patterns was broken off ({_how(ended)}){': ' + said if said else ''}")
        self.ended, self.said = ended, said


@dataclass(frozen=True, slots=True)
class Job:
    """A bucket to compile: its name, and its records, of which only what goes into expressions is looked at."""

    name: str
    members: tuple[Facts, ...]


def compile_all(folder: Path, jobs: Sequence[Job], done: Callable[[], None], *, hyperscan_wanted: bool) -> None:
    """All these buckets are on disk when this returns; `done` is told after each, and may raise to stop.

    Raises NotCompiled when a process was ended, for want of memory perhaps.
    """
    if sum(len(job.members) for job in jobs) <= MOST_COMPILED_HERE:
        for job in jobs:
            compile_bucket(folder, job.name, job.members, hyperscan_wanted=hyperscan_wanted)
            done()
        return
    waiting = sorted(jobs, key=lambda job: len(job.members))
    with _ended() as running:
        while waiting or running:
            while waiting and len(running) < min(MOST_PROCESSES, os.cpu_count() or 1):
                running.append(_Worker(folder, waiting.pop(), hyperscan_wanted=hyperscan_wanted))
            for worker in [worker for worker in running if worker.is_done()]:
                running.remove(worker)
                worker.close()
                done()


class _Worker:
    """A process at work on one bucket."""

    def __init__(self, folder: Path, job: Job, *, hyperscan_wanted: bool) -> None:
        # A file, since nobody reads while it works, and a full pipe would stop it.
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed in `close`
        self._process = subprocess.Popen(
            (sys.executable, "-m", "bot.matching.pattern_worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            env=_environment(),
        )
        assert self._process.stdin is not None
        line = {
            "folder": str(folder),
            "name": job.name,
            "hyperscan": hyperscan_wanted,
            "members": [[one.id, one.message, one.pattern, one.related] for one in job.members],
        }
        try:
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._process.wait()  # it ended at once; `is_done` says why

    def is_done(self) -> bool:
        """Whether it has ended well, after waiting a moment. Raises NotCompiled where it ended otherwise."""
        try:
            ended = self._process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        if ended != 0:
            self._said.seek(0)
            lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
            raise NotCompiled(ended, lines[-1] if lines else "")
        return True

    def close(self) -> None:
        """It works no longer, whether it was done or not."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it may have ended with the line half read
            self._process.stdin.close()
        self._said.close()


@contextmanager
def _ended() -> Iterator[list[_Worker]]:
    running: list[_Worker] = []
    try:
        yield running
    finally:
        for worker in running:
            worker.close()


def _environment() -> Mapping[str, str]:
    """This process's, with its modules' places and without the bot's token and what else is set for it alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}
    return kept | {"PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}


def _how(ended: int) -> str:
    return f"signal {-ended}" if ended < 0 else f"exit code {ended}"


def main() -> None:
    """Compile the bucket on standard input."""
    # Ctrl-C reaches the whole group. Python would look at it only when the compiler returns, seconds later.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    job: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    members = [
        Facts(id=record_id, repo="", message=message, pattern=pattern, related=tuple(related))
        for record_id, message, pattern, related in job["members"]
    ]
    compile_bucket(Path(job["folder"]), job["name"], members, hyperscan_wanted=job["hyperscan"])


def _end_with_parent() -> None:
    """Nothing more comes on standard input; it ends with the parent."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main()
