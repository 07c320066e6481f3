"""What reading costs: time and memory of the readers, of excerpts of any length, and of what was made to hurt them.

`python -m tests.benchmarks.readers`; each case runs in a process of its own, beside a plain pass that only decodes the
same bytes and splits them into lines. Memory is the most a process ever held, what it imports included.
"""

import json
import lzma
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from tests.pastes.readers.log_noise import noise, noise_bytes
from tests.shared_data import REPOSITORY

_MIB = 2**20
_SAMPLES = REPOSITORY / "tests" / "samples"


@dataclass(frozen=True, slots=True)
class Cost:
    """One case. `plain_*` is the pass that only decodes and splits the same bytes."""

    name: str
    megabytes: float
    seconds: float
    peak_megabytes: float
    plain_seconds: float
    plain_peak_megabytes: float
    said: str

    def __str__(self) -> str:
        return (
            f"{self.name:<44}{self.megabytes:>8.1f}{self.seconds:>9.2f}{self.seconds / self.megabytes * 1000:>9.0f}"
            f"{self.peak_megabytes:>9.0f}{self.plain_seconds:>9.2f}{self.plain_peak_megabytes:>9.0f}"
            f"{self.seconds / max(self.plain_seconds, 1e-4):>8.1f}  {self.said}"
        )


HEADING = f"{'reading':<44}{'MB':>8}{'s':>9}{'ms/MB':>9}{'peak MB':>9}{'plain s':>9}{'peak MB':>9}{'ratio':>8}  what came of it"


@cache
def _texts() -> list[list[str]]:
    paths = sorted(path for path in _SAMPLES.glob("*/*.txt") if path.with_suffix(".json").exists())
    return [path.read_text(encoding="utf-8").splitlines() for path in paths]


def _busy_log(mebibytes: int) -> Iterator[bytes]:
    """Ordinary lines with one sample of some tool's errors among about three hundred."""
    chance = random.Random(7)
    given = number = 0
    while given < mebibytes * _MIB:
        lines = [*noise(300, number), "", *chance.choice(_texts()), ""]
        number += 300
        piece = "".join(f"{line}\n" for line in lines).encode()
        given += len(piece)
        yield piece


def _log_of_errors(mebibytes: int) -> Iterator[bytes]:
    """Nothing but errors."""
    chance = random.Random(8)
    given = 0
    while given < mebibytes * _MIB:
        piece = "".join(f"{line}\n" for line in chance.choice(_texts())).encode()
        given += len(piece)
        yield piece


def _log_of_surprises(mebibytes: int) -> Iterator[bytes]:
    """No two lines alike: each has words nobody used before."""
    chance = random.Random(9)
    letters = "abcdefghijklmnopqrstuvwxyz"
    for _ in range(mebibytes * _MIB // 100):
        words = " ".join("".join(chance.choices(letters, k=9)) for _ in range(8))
        yield f"2026-11-30T10:00:00Z INFO {words}\n".encode()


def _one_traceback() -> Iterator[bytes]:
    yield b"Traceback (most recent call last):\n"
    for number in range(5_000):
        yield f'  File "/app/deep.py", line {number + 1}, in f{number % 50}\n    f{number % 50}(x)\n'.encode()
    yield b"RecursionError: maximum recursion depth exceeded\n"


def _one_line() -> Iterator[bytes]:
    yield b"ERROR " + b"all is lost, said the oven; " * (_MIB // 28) + b"\n"


def _one_json_line() -> Iterator[bytes]:
    stack = "\n".join(["Error: no pears", *(f"    at f{n} (/srv/a.js:{n + 1}:7)" for n in range(30_000))])
    yield json.dumps({"level": "error", "msg": "no pears", "stack": stack}).encode() + b"\n"


def _gzip_bomb() -> Iterator[bytes]:
    from tests.pastes.test_bombs import gzip_bomb

    yield gzip_bomb(b"engine room: all is well\n", 1024)


def _xz_bomb() -> Iterator[bytes]:
    packer = lzma.LZMACompressor(preset=0)
    for _ in range(256):
        yield packer.compress(b"engine room: all is well\n" * (_MIB // 25))
    yield packer.flush()


def _zstd_bomb() -> Iterator[bytes]:
    from tests.pastes.test_bombs import zstd_of_one_letter

    yield zstd_of_one_letter()


# The name, how it is read, and how it is made. 4 MB are the most that is read whole.
CASES: dict[str, tuple[str, Callable[[], Iterable[bytes]]]] = {
    "ordinary log, read whole": ("readers", lambda: noise_bytes(4 * _MIB)),
    "an error among 300 lines, read whole": ("readers", lambda: _busy_log(4)),
    "nothing but errors, read whole": ("readers", lambda: _log_of_errors(4)),
    "10,000-line traceback, read whole": ("readers", _one_traceback),
    "1 MB in one line, read whole": ("readers", _one_line),
    "1 MB of JSON in one line, read whole": ("readers", _one_json_line),
    "ordinary log, excerpt and readers": ("file", lambda: noise_bytes(100 * _MIB)),
    "an error among 300 lines, excerpt and readers": ("file", lambda: _busy_log(100)),
    "no two lines alike, excerpt and readers": ("file", lambda: _log_of_surprises(20)),
    "100 MB without a line end, excerpt": ("file", lambda: (b"all is well, " * (_MIB // 13) for _ in range(100))),
    "gzip bomb of 1 GiB": ("file", _gzip_bomb),
    "xz bomb of 256 MiB": ("file", _xz_bomb),
    "zstd bomb of 244 GiB": ("file", _zstd_bomb),
}


def measure() -> list[str]:
    """Run every case and its plain pass, each in a process of its own."""
    rows = [HEADING]
    with tempfile.TemporaryDirectory(prefix="errata-readers-") as folder:
        for name, (way, made) in CASES.items():
            path = Path(folder) / "log"
            with path.open("wb") as file:
                for piece in made():
                    file.write(piece)
            seconds, peak, said = _in_a_process(way, path)
            plain_seconds, plain_peak, _ = _in_a_process("plain", path)
            size = path.stat().st_size / 1e6
            rows.append(str(Cost(name, size, seconds, peak, plain_seconds, plain_peak, said)))
    return rows


def _in_a_process(way: str, path: Path) -> tuple[float, float, str]:
    """Seconds, megabytes, and what came of it."""
    command = (sys.executable, "-m", "tests.benchmarks.readers", way, str(path))
    ended = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    found = json.loads(ended.stdout)
    return found["seconds"], found["peak"] / 1e6, found["said"]


def _read_whole(path: Path) -> str:
    from bot.pastes.readers.reading import read_errors

    read_errors("warm: up")
    return f"{len(read_errors(path.read_text(encoding='utf-8')))} errors"


def _read_file(path: Path) -> str:
    """As `errata read` does."""
    from bot.cli.paste_input import paste_of_argument
    from bot.pastes.readers.reading import read_errors

    paste = paste_of_argument(str(path))
    if paste.skipped:
        return f"skipped: {paste.skipped[0].why.value}"
    (part,) = paste.parts
    return f"{len(read_errors(part.text))} errors in {len(part.text) / 1e6:.2f} MB"


def _plain(path: Path) -> str:
    """Decode and split, in pieces; what is packed is unpacked up to what an attachment may unpack to."""
    from bot.pastes.file_kinds import FileKind, kind_of
    from bot.pastes.unpacking import pieces_of

    count = 0
    with path.open("rb") as file:
        kind = kind_of(file.read(300))
        file.seek(0)
        pieces: Iterator[bytes] = iter(lambda: file.read(_MIB), b"")
        if kind is not FileKind.PLAIN:
            pieces = islice(pieces_of(path.read_bytes(), kind), 32 * _MIB // 2**16)
        for piece in pieces:
            count += len(piece.decode(errors="replace").splitlines())
    return f"{count} lines"


WAYS: dict[str, Callable[[Path], str]] = {"readers": _read_whole, "file": _read_file, "plain": _plain}


def _measured(way: str, path: Path) -> str:
    began = time.process_time()
    said = WAYS[way](path)
    seconds = time.process_time() - began
    # Not getrusage: what that tells of a new process includes what its parent held.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    return json.dumps({"seconds": seconds, "peak": peak, "said": said})


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(_measured(sys.argv[1], Path(sys.argv[2])))
    else:
        print(*measure(), sep="\n")
