"""`errata sync --all` of the whole catalogue, killed three times, then refreshed under questions.

    python -m tests.benchmarks.scale.sync

Lays the catalogue of `../shared/scale` out as the static dataset and serves it on this machine. Takes ten minutes and
2 GB of disk in the temporary folder. What is compared with the killed sync is one that nobody disturbed; what the
refresh is measured against is that first sync. Raises AssertionError where anything differs.
"""

import asyncio
import gzip
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.assembly import assembled
from bot.pastes.paste import Paste
from bot.refreshing import Refreshing
from bot.settings import load_settings
from bot.syncing import open_syncing
from tests.acceptance.pipeline import NoModel
from tests.dataset_standin import DatasetServer, Files, published, serving
from tests.shared_data import shared_folder
from tests.test_syncing_killed import digests, held, sync

_KILLS = 3
_SEED = 20261130
_CHANGED_SHARE = 100  # one of so many records
_ASKED = 40  # records whose messages are asked for, again and again, while the catalogue is exchanged


def measure() -> Iterator[str]:
    """One line for each thing that was shown."""
    records = _records()
    with tempfile.TemporaryDirectory(prefix="errata-sync-") as folder, serving(published(records)) as server:
        yield from _undisturbed_and_killed(Path(folder), server)
        yield from asyncio.run(_refreshed_under_questions(Path(folder) / "killed", server, records))


def _undisturbed_and_killed(folder: Path, server: DatasetServer) -> Iterator[str]:
    chance = random.Random(_SEED)
    took = _ended(sync(folder / "undisturbed", server.base))
    yield f"undisturbed sync, patterns and words index: {took:.0f} s, {len(server.asked)} requests"
    moments = []
    for _ in range(_KILLS):
        killed = sync(folder / "killed", server.base)
        moment = chance.uniform(0.05, 0.35) * took  # what was done before is not done again, so later ones are early
        try:
            killed.wait(moment)
        except subprocess.TimeoutExpired:
            killed.send_signal(signal.SIGKILL)
            moments.append(f"{moment:.0f} s")
        killed.communicate()
    rest = _ended(sync(folder / "killed", server.base))
    assert held(folder / "killed") == held(folder / "undisturbed"), "the stores differ"
    assert digests(folder / "killed") == digests(folder / "undisturbed"), "patterns or index differ"
    yield f"killed after {', '.join(moments)}, then ended in {rest:.0f} s: store, patterns and index are the same"
    server.forget()
    again = _ended(sync(folder / "killed", server.base))
    assert server.asked == ["/data/manifest.json"], server.asked
    yield f"second sync: {again:.1f} s, {len(server.asked)} request"


async def _refreshed_under_questions(data_dir: Path, server: DatasetServer, records: list[dict[str, Any]]) -> list[str]:
    changed, after = _changed(records)
    asked = [one for one in records if _is_plain(one["errorMessage"]) and one["id"] not in changed][::1000][:_ASKED]
    settings = load_settings(data_dir=data_dir, dataset_base=server.base)
    async with assembled(settings, encoder=NoModel(), guesses=False) as parts:

        @asynccontextmanager
        async def opened() -> Any:
            async with open_syncing(parts.database, data_dir, server.base) as syncing:
                yield syncing

        exchanged = asyncio.Event()

        async def on_change() -> None:
            exchanged.set()

        refreshing = Refreshing(parts.database, parts.serving, opened, timedelta(seconds=1), on_change)
        expected = {one["id"]: await _found(parts, one) for one in asked}
        server.files = _files(after)
        waits: list[float] = []
        wrong = 0

        async def ask() -> None:
            nonlocal wrong
            while not exchanged.is_set():
                for one in asked:
                    began = time.perf_counter()
                    found = await _found(parts, one)
                    waits.append(time.perf_counter() - began)
                    wrong += found != expected[one["id"]]
                    await asyncio.sleep(0.02)

        asking = asyncio.create_task(ask())
        began, processor = time.perf_counter(), time.process_time()
        await refreshing.look()
        took, processor = time.perf_counter() - began, time.process_time() - processor
        await asking
        assert exchanged.is_set(), "the new version was not taken over"
        assert wrong == 0, f"{wrong} of {len(waits)} answers changed"
        news = await _found(parts, after[changed[0]])
    waits.sort()
    median, late, longest = (waits[place] * 1000 for place in (len(waits) // 2, len(waits) * 99 // 100, -1))
    renewed = (
        f"refresh with {len(changed)} records changed: {took:.0f} s, {processor:.0f} s of processor time with answers"
    )
    told = f"median {median:.0f} ms, p99 {late:.0f} ms, longest {longest:.0f} ms"
    return [
        renewed,
        f"{len(waits)} questions meanwhile, none failed, none changed: {told}",
        f"a changed message answers afterwards: {bool(news)}",
    ]


async def _found(parts: Any, record: dict[str, Any]) -> tuple[str, ...]:
    verdict = await parts.answering.explain(Paste.of_text(f"Error: {record['errorMessage']}"))
    return tuple(match.record_id for match in verdict.matches[:1])


def _changed(records: list[dict[str, Any]]) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """One record of a hundred says something else, in few repositories, as upstream's updates do."""
    after = {one["id"]: one for one in records}
    repos = random.Random(_SEED).sample(sorted({one["repo"] for one in records}), 60)
    inside = [one for one in records if one["repo"] in set(repos)][: len(records) // _CHANGED_SHARE]
    for number, one in enumerate(inside):
        message = f"Tidal regulator {number} of {one['repo']} lost the moon and will not find it again"
        after[one["id"]] = {**one, "errorMessage": message, "messagePattern": message}
    return [one["id"] for one in inside], after


def _files(after: dict[str, dict[str, Any]]) -> Files:
    return published(after.values(), "2026-11-30T00:00:00.000Z")


def _records() -> list[dict[str, Any]]:
    with gzip.open(shared_folder() / "scale" / "catalogue.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _is_plain(message: str) -> bool:
    return len(message) > 30 and not set(message) & set("{}%$<\n")


def _ended(process: subprocess.Popen[bytes]) -> float:
    began = time.monotonic()
    said, why = process.communicate()
    if process.returncode:
        sys.exit(f"errata sync ended with {process.returncode}: {why.decode()[-2000:]} {said.decode()[-500:]}")
    return time.monotonic() - began


if __name__ == "__main__":
    for told in measure():
        sys.stdout.write(f"{told}\n")
        sys.stdout.flush()
