"""A data folder for each size of the catalogue, made once and kept: records imported, patterns compiled, texts encoded."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import connect

from bot.indexing import INDEX_FOLDER
from bot.matching.pattern_bucket import FORMAT
from bot.store.sqlite import FILE_NAME
from embeddings.manifest import FORMAT_VERSION
from tests.benchmarks.scale.pastes import drawn
from tests.shared_data import REPOSITORY, shared_folder

CATALOGUE = "scale/catalogue.jsonl.gz"
MADE = "made.json"
# What a finished index may share with another folder: files that are replaced, never written into.
NOT_SHARED = shutil.ignore_patterns("*.lock", "*.cache", "*.new")
_INDEX_HOURS = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A data folder that is ready to serve, and how many records of the shared catalogue are in it."""

    folder: Path
    records: int

    def made(self) -> dict[str, float]:
        """What making it cost, where it was made from nothing: `encoded` texts, `seconds` of `errata index`."""
        found: dict[str, float] = json.loads((self.folder / MADE).read_text(encoding="utf-8"))
        return found


def ready(work: Path, sizes: list[int], prepared: Path | None, say: Callable[[str], None]) -> list[Place]:
    """The data folders of these sizes, smallest first; what is missing is made, the largest first.

    prepared: a data folder of the largest size, which is copied instead of being made; `errata index` brings the copy up
    to date. The smaller sizes take their vectors over from the largest, so nothing is encoded twice.
    """
    largest = max(sizes)
    work.mkdir(parents=True, exist_ok=True)
    if prepared is not None and not (work / str(largest) / FILE_NAME).exists():
        say(f"copying {prepared}")
        shutil.copytree(prepared, work / str(largest), dirs_exist_ok=True)
    for size in sorted(sizes, reverse=True):
        _make(work / str(size), size, work / str(largest), say)
    return [Place(work / str(size), size) for size in sorted(sizes)]


def lines_of(count: int) -> Iterator[str]:
    """So many records of the shared catalogue, a JSON object each, evenly over the whole file."""
    path = shared_folder() / CATALOGUE
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        total = sum(1 for _ in lines)
    wanted = set(drawn(total, min(count, total)))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (line for place, line in enumerate(lines) if place in wanted)


def errata(data_dir: Path, *arguments: str, timeout_seconds: float = 3600 * _INDEX_HOURS) -> str:
    """What a command of the bot wrote to its standard output. Raises CalledProcessError with what it said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}
    environment["PYTHONPATH"] = str(REPOSITORY)
    command = (sys.executable, "-m", "bot", "--data-dir", str(data_dir), *arguments)
    done = subprocess.run(
        command, cwd=data_dir, env=environment, check=True, stdout=subprocess.PIPE, text=True, timeout=timeout_seconds
    )
    return done.stdout


def stored_records(data_dir: Path) -> int:
    """How many records the folder's database holds, the shipped seeds included; 0 where there is none."""
    if not (data_dir / FILE_NAME).exists():
        return 0
    with closing(connect(data_dir / FILE_NAME)) as database:
        return int(database.execute("SELECT count(*) FROM record_facts").fetchone()[0])


def _make(folder: Path, records: int, largest: Path, say: Callable[[str], None]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    formats = f"patterns {FORMAT}, index {FORMAT_VERSION}"
    if (folder / MADE).exists() and json.loads((folder / MADE).read_text(encoding="utf-8"))["formats"] == formats:
        return
    if stored_records(folder) < records:
        say(f"importing {records:,} records")
        chosen = folder / "chosen.jsonl"
        with chosen.open("w", encoding="utf-8") as file:
            file.writelines(lines_of(records))
        errata(folder, "import", str(chosen))
        chosen.unlink()
    if folder != largest and not (folder / INDEX_FOLDER).exists():
        shutil.copytree(largest / INDEX_FOLDER, folder / INDEX_FOLDER, copy_function=os.link, ignore=NOT_SHARED)
    say(f"indexing {records:,} records")
    began = time.monotonic()
    done = json.loads(errata(folder, "index", "--json"))
    cost = {"formats": formats, "encoded": done["encoded"], "seconds": time.monotonic() - began}
    (folder / MADE).write_text(json.dumps(cost), encoding="utf-8")
