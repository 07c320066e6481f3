"""The command line, run inside the test's process."""

import contextlib
import io
import json
import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import run


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Errata:
    """`errata` with a data folder of its own; nothing it is given is a terminal."""

    def __init__(self, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data_dir = data_dir
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ended:
        """Run it to its end."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = 0
        handlers = logging.getLogger().handlers[:]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                run(["--data-dir", str(self.data_dir), *arguments])
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                logging.getLogger().handlers[:] = handlers
        return Ended(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()
