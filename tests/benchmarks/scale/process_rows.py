"""The bot as a process of its own on the local Discord: how soon it answers, and what memory it takes while it serves."""

import asyncio
import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from tests.benchmarks.scale.aims import MEMORY, MEMORY_WITHOUT, START
from tests.benchmarks.scale.catalogues import Place
from tests.benchmarks.scale.measured import Measured
from tests.benchmarks.scale.pastes import nearest_pastes
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload
from tests.discord_standin.process import BotProcess, start_process
from tests.discord_standin.spec import Spec
from tests.process_family import family
from tests.shared_data import REPOSITORY, shared_folder

STARTS = 3
ANSWERS = 20
TIMEOUT_SECONDS = 120
STILL_SECONDS, STILL_MB = 8, 2.0
EXACT = (
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization"
)
# Chosen by people, not a cost: without it every figure would begin with 2.5 seconds of waiting for more messages.
AT_ONCE = {
    "ERRATA_BURST_WAIT_SECONDS": "0",
    "ERRATA_OUTAGE_WINDOW_SECONDS": "0",
    "ERRATA_COOLDOWN_SECONDS": "0",
}
# A torch that cannot be imported, as on a machine without it: words are compared alone.
NO_TORCH = "raise ImportError('torch is not installed here')\n"
_MB = 1e6
_PRIVATE = ("Private_Clean", "Private_Dirty")


class Stage:
    """A local Discord with one server, one channel and one person in it."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord = discord
        self.guild = discord.add_guild()
        self.channel, self.ann = discord.add_channel(self.guild), discord.add_user("ann", self.guild)

    async def ask(self, text: str) -> Payload:
        """The bot's answer to a message that mentions it."""
        question = self.discord.say(self.ann, self.channel, f"<@{self.discord.bot['id']}> {text}")
        return await self.discord.answer_to(question, timeout_seconds=TIMEOUT_SECONDS)


@contextlib.asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    """A local Discord that is up inside."""
    discord = await FakeDiscord(Spec(shared_folder() / "discord/openapi.json")).start()
    try:
        yield Stage(discord)
    finally:
        await discord.stop()


@contextlib.asynccontextmanager
async def running(discord: FakeDiscord, folder: Path, **environment: str) -> AsyncIterator[BotProcess]:
    """A started bot, not necessarily ready; it is stopped after."""
    process = await start_process(discord, folder, env=AT_ONCE | environment)
    try:
        yield process
    finally:
        if process.exit_code is None:
            process.kill()
            await process.wait()


async def start_rows(place: Place) -> list[Measured]:
    """From starting the process to READY, and to the card of a question asked in that moment: medians of a few starts.

    One start before does not count: it registers the commands, which later ones need not.
    """
    ready: list[float] = []
    answered: list[float] = []
    spent: list[float] = []
    async with staged() as stage:
        for _ in range(STARTS + 1):
            began = time.perf_counter()
            async with running(stage.discord, place.folder) as process:
                await process.ready(timeout_seconds=TIMEOUT_SECONDS)
                ready.append(time.perf_counter() - began)
                await stage.ask(EXACT)
                answered.append(time.perf_counter() - began)
                spent.append(processor_seconds(process.pid))
    figures = {"answer": statistics.median(answered[1:]), "ready": statistics.median(ready[1:])}
    remark = (
        f"{statistics.median(spent[1:]):.2f} s of processor time until the answer; more than that is waiting for a core"
    )
    return [Measured(START, figures, unit="s", remarks=(remark,))]


async def memory_rows(place: Place) -> list[Measured]:
    """What is resident after some exact answers and some guesses, with the model and where torch cannot be imported."""
    told = nearest_pastes(shared_folder() / "eval/pastes.jsonl", ANSWERS)
    with tempfile.TemporaryDirectory() as without:
        Path(without, "torch.py").write_text(NO_TORCH, encoding="ascii")
        return [
            await _memory(MEMORY, place, told, "ready to guess"),
            await _memory(MEMORY_WITHOUT, place, told, "no model", PYTHONPATH=f"{without}{os.pathsep}{REPOSITORY}"),
        ]


async def _memory(row: str, place: Place, told: Sequence[str], what: str, **environment: str) -> Measured:
    """The bot's, and that of the process its model computes in, added up: resident counts what they share twice."""
    async with staged() as stage, running(stage.discord, place.folder, **environment) as process:
        await process.ready(timeout_seconds=TIMEOUT_SECONDS)
        for text in [EXACT] * 2 + list(told) + [EXACT]:
            await stage.ask(text)
        kept = await _settled_memory(process.pid)
    together = {name: sum(one[name] for one in kept.values()) for name in ("Rss", "Pss", *_PRIVATE)}
    figures = {
        "resident": together["Rss"],
        "proportional": together["Pss"],
        "private": sum(together[name] for name in _PRIVATE),
    }
    apart = " and ".join(f"{one['Rss']:.0f} MB" for one in kept.values())
    remark = (
        f"{what}, after {len(told) + 3} answers; {apart} resident in the bot and what it started; what is resident but "
        "not private is files, which processes share"
    )
    return Measured(row, figures, unit="MB", remarks=(remark,))


async def _settled_memory(pid: int) -> dict[int, dict[str, float]]:
    """Memory by process, once it stays the same for some seconds: the bot goes on loading when it answers already."""
    end = time.monotonic() + TIMEOUT_SECONDS
    seen: list[dict[int, dict[str, float]]] = []
    while time.monotonic() < end:
        pids = family(pid)
        seen.append({one: rollup(Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")) for one in pids})
        last = [sum(one["Rss"] for one in some.values()) for some in seen[-STILL_SECONDS:]]
        if len(last) == STILL_SECONDS and max(last) - min(last) < STILL_MB:
            break
        await asyncio.sleep(1)
    return seen[-1]


def processor_seconds(pid: int) -> float:
    """What a process and those it has started have computed so far, in all their threads."""
    return sum(_own_processor_seconds(one) for one in family(pid))


def _own_processor_seconds(pid: int) -> float:
    # Behind the name, which may hold anything, the 12th and 13th numbers are user and system time in ticks.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rollup(text: str) -> dict[str, float]:
    """The sums of /proc/PID/smaps_rollup by name, in megabytes (10⁶ bytes)."""
    fields = (line.split() for line in text.splitlines()[1:])
    return {words[0].rstrip(":"): int(words[1]) * 1024 / _MB for words in fields if words[-1] == "kB"}
