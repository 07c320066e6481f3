"""Memory that is free goes back to the system, and what stays is left alone."""

import platform
import subprocess
import sys

import pytest

from tests.shared_data import REPOSITORY

# After one block of 30 MB was freed, glibc by itself takes the next ones of 16 MB from its heap, and the one below the
# other, which is kept, stays resident when it is freed.
_MEASURED = """
import sys
from bot.memory import return_large_blocks

def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

if sys.argv[1] == "told":
    assert return_large_blocks()
large = bytearray(30_000_000)
del large
freed, kept = bytearray(b"x") * 16_000_000, bytearray(b"x") * 16_000_000
before = resident_mb()
del freed
print(before - resident_mb())
"""


def given_back_mb(told: str) -> float:
    """How much of a freed block of 16 MB a fresh process gives back."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, told], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True
    )
    return float(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told")
def test_large_blocks_go_back_to_the_system() -> None:
    """What is freed is no longer resident, where it was before."""
    assert given_back_mb("untold") < 1
    assert given_back_mb("told") > 15


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without glibc nothing is called, and that is said."""
    from bot import memory

    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    monkeypatch.delattr("ctypes.CDLL")

    assert memory.return_large_blocks() is False


def test_what_stays_is_not_looked_through() -> None:
    """What is alive at that moment is passed over; garbage made later is found as ever."""
    code = (
        "import gc, weakref\n"
        "from bot.memory import leave_alone_what_stays\n"
        "class Knot: pass\n"
        "kept = [Knot() for _ in range(1000)]\n"
        "leave_alone_what_stays()\n"
        "assert gc.get_freeze_count() > 1000 and not any(isinstance(one, Knot) for one in gc.get_objects())\n"
        "knot = Knot(); knot.self = knot; gone = weakref.ref(knot); del knot\n"
        "gc.collect(); assert gone() is None\n"
        "last = weakref.ref(kept[0]); kept.clear(); assert last() is None\n"
    )

    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True, timeout=60)
