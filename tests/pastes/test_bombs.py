"""Bombs stay within the caps: the memory and the time of a process of its own are measured."""

import gzip
import lzma
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from bot.pastes.archives import MEBIBYTE, Limits
from bot.pastes.paste import Skipped
from tests.pastes.packing import overlapping_zip, zipped
from tests.shared_data import REPOSITORY

LIMITS = Limits()
# What has come out, joined, and as text whose letters take four bytes each: six times the cap, see `unpack`.
MOST_GROWTH = 6 * LIMITS.most_bytes
MOST_SECONDS = 15.0

_MEASURE = """
import sys, time
from pathlib import Path
from bot.pastes.archives import unpack

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))

data = Path(sys.argv[1]).read_bytes()
before, began = peak(), time.perf_counter()
found = unpack(data, "bomb")
print(peak() - before, time.perf_counter() - began, sum(len(part.text) for part in found.parts))
print(*{part.why.value for part in found.skipped})
"""

_CHEAP = b"engine room: all is well\n"


def _repeated(line: bytes, mebibytes: int) -> Iterator[bytes]:
    block = line * (MEBIBYTE // len(line))
    for _ in range(mebibytes):
        yield block


def gzip_bomb(line: bytes, mebibytes: int) -> bytes:
    return b"".join(gzip.compress(block, 9) for block in _repeated(line, mebibytes))


def xz_bomb(line: bytes, mebibytes: int) -> bytes:
    packer = lzma.LZMACompressor(preset=0)
    return b"".join([*(packer.compress(block) for block in _repeated(line, mebibytes)), packer.flush()])


def zstd_bomb(line: bytes, mebibytes: int) -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    return b"".join([*(packer.compress(block) for block in _repeated(line, mebibytes)), packer.flush()])


def dear_text() -> bytes:
    """No bomb by its ratio, and one letter outside Unicode's first plane makes each other one take four bytes."""
    chance = random.Random(0)
    lines = (f"\U0001f9e8 {chance.randbytes(8).hex()} {'all is well ' * 20}\n" for _ in range(31 * MEBIBYTE // 263))
    return gzip.compress("".join(lines).encode(), 1)


def zstd_of_one_letter() -> bytes:
    """By hand: a head with a window of 8 MiB, then blocks of four bytes that say "128 KiB of the letter a"."""
    block = (131_072 << 3 | 1 << 1).to_bytes(3, "little") + b"a"
    return b"\x28\xb5\x2f\xfd\x00\x68" + block * 2_000_000


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip, 1 GiB": lambda: gzip_bomb(_CHEAP, 1024),
    "gzip in gzip": lambda: gzip.compress(gzip_bomb(_CHEAP, 256)),
    "xz, 1 GiB": lambda: xz_bomb(_CHEAP, 1024),
    "zstd, 4 GiB": lambda: zstd_bomb(_CHEAP, 4096),
    "zstd, 244 GiB of one letter": zstd_of_one_letter,
    "zip, 5000 entries on the same 30 MiB": lambda: overlapping_zip(b"".join(_repeated(_CHEAP, 30)), 5000),
    "zip of zips": lambda: zipped({f"{n}.zip": zipped({f"{m}": _CHEAP * 100_000 for m in range(8)}) for n in range(8)}),
    "zip, 180 000 empty members": lambda: overlapping_zip(b"", 180_000),
    "gzip, 31 MiB of dear text": dear_text,
}


def measured(data: bytes, folder: Path) -> tuple[int, float, int, set[str]]:
    """Bytes of memory by which unpacking grew the process, seconds, letters that came out, reasons."""
    file = folder / "bomb"
    file.write_bytes(data)
    ended = subprocess.run(
        (sys.executable, "-c", _MEASURE, str(file)),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    figures, reasons = ended.stdout.splitlines()
    growth, seconds, letters = figures.split()
    return int(growth), float(seconds), int(letters), set(reasons.split())


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from Linux's /proc")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_stays_within_the_caps(name: str, tmp_path: Path) -> None:
    """E2: whatever a file of a few megabytes unpacks to, memory and time have an end, and a reason is given."""
    data = BOMBS[name]()

    growth, seconds, letters, reasons = measured(data, tmp_path)

    print(f"{name}: {len(data) / MEBIBYTE:.2f} MiB, grew by {growth / MEBIBYTE:.0f} MiB in {seconds:.2f} s, {reasons}")
    assert growth <= MOST_GROWTH
    assert seconds <= MOST_SECONDS
    assert letters <= LIMITS.most_bytes
    assert reasons or letters > 30 * MEBIBYTE  # the text that is dear, and allowed
    assert reasons <= {Skipped.BOMB, Skipped.TOO_BIG, Skipped.TOO_MANY, Skipped.NOT_A_LOG, Skipped.DAMAGED}
