"""One build at a time in a folder. The system lets go of the lock when its process ends, however it ends."""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from embeddings.errors import IndexBusy


class BuildLock:
    """Held within `with`. Raises IndexBusy at once when another holds it, also in this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Self:
        self._descriptor = os.open(self._folder / "building.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(self._descriptor)
        except OSError as problem:
            os.close(self._descriptor)
            raise IndexBusy(self._folder) from problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
