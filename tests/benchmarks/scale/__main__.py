"""`python -m tests.benchmarks.scale`, or `make bench`: one table of what the catalogue costs at each of its sizes.

Data folders of each size are made once and kept (`--work`). From nothing they take some 20 minutes, nearly all of
it encoding; `--prepared` takes an existing data folder of that size instead. What is said on standard error is progress.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import platformdirs

from tests.benchmarks.scale.catalogues import Place, ready
from tests.benchmarks.scale.growth import growth
from tests.benchmarks.scale.measured import Measured, from_json
from tests.benchmarks.scale.rows import GROWING, KINDS
from tests.benchmarks.scale.table import table
from tests.shared_data import REPOSITORY

SIZES = (1_000, 10_000, 50_000, 153_000)
MILLION = "million"
TIMEOUT_SECONDS = 1_800
# Set on some machines for another numpy; they make a current one several times slower.
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


def main() -> int:
    """Print the table; 1 where a row could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=sizes_of, default=SIZES, help="sizes, separated by commas")
    parser.add_argument("--only", nargs="+", choices=(*KINDS, MILLION), help="these kinds of rows alone")
    parser.add_argument("--work", type=Path, default=platformdirs.user_cache_path("errata-bench"), help="what is kept")
    parser.add_argument("--prepared", type=Path, help="a data folder of the largest size, which is copied")
    arguments = parser.parse_args()
    wanted = arguments.only or (*KINDS, MILLION)
    kinds = [kind for kind in KINDS if kind in wanted]
    sizes: list[int] = list(arguments.records)
    tenth = max(sizes) // 10
    growing = [kind for kind in GROWING if kind in kinds] if len(sizes) > 1 else []
    every = sorted({*sizes, tenth}) if growing else sizes
    places = {place.records: place for place in ready(arguments.work.resolve(), every, arguments.prepared, say)}
    results, failed = measured(places, {size: kinds if size in sizes else growing for size in every})
    if growing:
        results[max(sizes)] += growth(results[tenth], results[max(sizes)], tenth)
    print(table({size: results[size] for size in sizes}), flush=True)
    print(f"\nOn {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end.", flush=True)
    if MILLION in wanted:
        print("\nVectors by repetition with changes, one query at a time:\n", flush=True)
        # In a process of its own: a million vectors are 1.5 GB.
        command = (sys.executable, "-m", "tests.benchmarks.vector_search", str(places[max(sizes)].folder))
        done = subprocess.run(command, cwd=REPOSITORY, check=False, stdout=subprocess.PIPE, text=True)
        print("\n".join(f"- {line}" for line in done.stdout.splitlines()), flush=True)
        failed += [MILLION] if done.returncode else []
    return 1 if failed else 0


def measured(
    places: Mapping[int, Place], kinds_of: Mapping[int, Sequence[str]]
) -> tuple[dict[int, list[Measured]], list[str]]:
    """The rows at each size, and what could not be measured; that is said, and the rest goes on."""
    results: dict[int, list[Measured]] = {}
    failed: list[str] = []
    for size, kinds in kinds_of.items():
        results[size] = []
        for kind in kinds:
            began = time.monotonic()
            try:
                results[size] += _in_own_process(kind, places[size])
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired, ValueError) as problem:
                failed.append(f"{kind} at {size:,}")
                say(f"{kind} at {size:,} records was not measured: {problem}\n{getattr(problem, 'stderr', '')}")
            else:
                say(f"{kind} at {size:,} records: measured in {time.monotonic() - began:.0f} s")
    return results, failed


def sizes_of(text: str) -> tuple[int, ...]:
    """Sizes out of `1000,153000`, ascending. Raises ValueError where one is no number above 0."""
    sizes = sorted({int(part) for part in text.split(",")})
    if sizes[0] < 1:
        raise ValueError(text)
    return tuple(sizes)


def say(text: str) -> None:
    """Progress, beside the table."""
    print(text, file=sys.stderr, flush=True)


def _in_own_process(kind: str, place: Place) -> list[Measured]:
    command = (sys.executable, "-m", "tests.benchmarks.scale.rows", kind, str(place.folder), str(place.records))
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=TIMEOUT_SECONDS
    )  # fmt: skip
    return from_json(done.stdout.splitlines()[-1])


def _rid_of_what_slows() -> Iterator[str]:
    for name in SLOWING:
        if os.environ.pop(name, None) is not None:
            yield name


if __name__ == "__main__":
    if gone := list(_rid_of_what_slows()):
        # numpy has read them already in this process.
        say(f"measured without {', '.join(gone)}, which slow numpy down")
        os.execv(sys.executable, (sys.executable, "-m", "tests.benchmarks.scale", *sys.argv[1:]))
    sys.exit(main())
