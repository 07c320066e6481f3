"""One kind of row at one size, in a process of its own: `python -m tests.benchmarks.scale.rows KIND FOLDER RECORDS`.

So nothing one measures is warm, or in memory, for the next. The last line of the output is what was measured, as JSON.
"""

import asyncio
import inspect
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from tests.benchmarks.scale.catalogues import Place
from tests.benchmarks.scale.measured import Measured, to_json

# The functions by kind; each is imported alone, for what they import differs by a second and a hundred megabytes.
KINDS = {
    "patterns": "pattern_rows:pattern_rows",
    "answers": "answer_rows:answer_rows",
    "vectors": "answer_rows:vector_rows",
    "start": "process_rows:start_rows",
    "memory": "process_rows:memory_rows",
    "build": "building_rows:build_rows",
    "load": "load_rows:load_rows",
}
# What is compared between a tenth of the records and all of them.
GROWING = ("patterns", "answers")

Measure = Callable[[Place], list[Measured] | Awaitable[list[Measured]]]


def measure(kind: str, place: Place) -> list[Measured]:
    """The rows of a kind."""
    module, _, name = KINDS[kind].partition(":")
    function = cast("Measure", getattr(import_module(f"tests.benchmarks.scale.{module}"), name))
    result = function(place)
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Awaitable[list[Measured]]) -> list[Measured]:
    return await result


if __name__ == "__main__":
    print(to_json(measure(sys.argv[1], Place(Path(sys.argv[2]), int(sys.argv[3])))))
