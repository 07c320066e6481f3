"""Inputs that break a law, each way of failing kept once and made small."""

import hashlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.fuzzing.shrinking import smaller

# CPU seconds; the largest inputs take a fiftieth of it.
SLOW_SECONDS = 2.0
# Well below the time after which libFuzzer takes one input for a hang: it cannot tell that this is another one.
_SHRINKING_SECONDS = 8.0


class Keeper:
    """Tries inputs and keeps the first of each way to fail."""

    def __init__(self, name: str, law: Callable[[bytes], None], folder: Path) -> None:
        self._name, self._law, self._folder = name, law, folder
        self._seen: set[str] = set()

    def try_one(self, data: bytes) -> None:
        """Nothing happens where the law holds, or has been broken in this way before; else the input is kept and told."""
        way = way_of_failing(self._law, data)
        if way is None or way in self._seen:
            return
        self._seen.add(way)
        small = smaller(data, lambda one: way_of_failing(self._law, one) == way, seconds=_SHRINKING_SECONDS)
        path = self._folder / f"{self._name}-{hashlib.sha256(way.encode()).hexdigest()[:8]}"
        path.write_bytes(small)
        path.with_suffix(".txt").write_text(way, "utf-8")
        print(f"FINDING {path}: {way}", file=sys.stderr, flush=True)


def way_of_failing(law: Callable[[bytes], None], data: bytes) -> str | None:
    """None where the law holds; else what was raised, and in which line of the bot or, failing that, of the law."""
    started = time.process_time()
    try:
        law(data)
    except Exception as error:  # noqa: BLE001 - every way of failing is what is looked for
        kind = type(error).__name__
        said = f": {error}" if isinstance(error, AssertionError) else ""
        return f"{kind}{said} ({_innermost(error.__traceback__)})"
    if time.process_time() - started > SLOW_SECONDS:
        return f"more than {SLOW_SECONDS:.0f} s of CPU"
    return None


def _innermost(traceback: TracebackType | None) -> str:
    """The last line of the bot that it went through, or, where it was raised in the law itself, of that."""
    place, is_ours = "", False
    while traceback is not None:
        path = traceback.tb_frame.f_code.co_filename
        if (inside := "/bot/" in path) or not is_ours:
            place, is_ours = f"{Path(path).name}:{traceback.tb_lineno}", inside
        traceback = traceback.tb_next
    return place
