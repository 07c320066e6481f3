"""An input that fails, made small enough to be read."""

import time
from collections.abc import Callable


def smaller(data: bytes, still_fails: Callable[[bytes], bool], *, seconds: float) -> bytes:
    """Return what is left of `data` once no piece of it can be left out, or the time is over; it still fails.

    Pieces are halves at first, single bytes at last, each tried at every place.
    """
    ends_at = time.monotonic() + seconds
    size = len(data) // 2
    while size:
        start = 0
        while start < len(data):
            if time.monotonic() > ends_at:
                return data
            shorter = data[:start] + data[start + size :]
            if still_fails(shorter):
                data = shorter
            else:
                start += size
        size //= 2
    return data
