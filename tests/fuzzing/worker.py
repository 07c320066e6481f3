"""`python -m tests.fuzzing.worker TARGET FINDINGS [FLAG…]`: one target in one process, which libFuzzer takes over.

It goes on after a broken law. Only what kills the process (no end within the time limit, too much memory, a fault in C)
ends it, and is kept by libFuzzer itself.
"""

import importlib
import sys
from pathlib import Path

import atheris

from tests.fuzzing.keeping import Keeper

# The parts of ours, and of the standard library under them, whose branches count as coverage.
INSTRUMENTED = ("bot.pastes", "bot.sources", "bot.records", "zipfile", "html")


def main(arguments: list[str]) -> None:
    """Fuzz until libFuzzer ends the process."""
    name, findings, *flags = arguments
    with atheris.instrument_imports(include=list(INSTRUMENTED), enable_loader_override=False):
        targets = importlib.import_module("tests.fuzzing.targets")
    keeper = Keeper(name, targets.TARGETS[name].law, Path(findings))
    atheris.Setup([sys.argv[0], *flags], keeper.try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
