"""How long `errata ask` takes from nothing, beside what importing torch alone takes.

`python -m tests.benchmarks.cold_start`; both are whole processes, so that nothing is warm but the disk's cache.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.cli.panics import PANICS, SERVER_DISCONNECTED
from tests.shared_data import REPOSITORY

RUNS = 5
ASK = (sys.executable, "-m", "bot", "ask", PANICS[SERVER_DISCONNECTED])
IMPORT_TORCH = (sys.executable, "-c", "import torch")


@dataclass(frozen=True, slots=True)
class ColdStart:
    """Medians, in seconds."""

    ask_seconds: float
    import_torch_seconds: float

    def __str__(self) -> str:
        return (
            f"cold start: errata ask answers from a pattern in {self.ask_seconds:.2f} s, "
            f"importing torch alone takes {self.import_torch_seconds:.2f} s (medians of {RUNS})"
        )


def measure() -> ColdStart:
    """Run both a few times in turn; the first runs, which build what is kept on disk, do not count."""
    with tempfile.TemporaryDirectory(prefix="errata-cold-start-") as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}
        environment = {**kept, "ERRATA_DATA_DIR": folder, "PYTHONPATH": str(REPOSITORY)}
        _seconds(ASK, environment)
        _seconds(IMPORT_TORCH, environment)
        asks, imports = zip(
            *((_seconds(ASK, environment), _seconds(IMPORT_TORCH, environment)) for _ in range(RUNS)), strict=True
        )
        return ColdStart(statistics.median(asks), statistics.median(imports))


def _seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=environment, cwd=REPOSITORY, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    print(measure())
