"""Fifty messages a second through the local Discord with its rate limits on."""

import asyncio
import os
import random
import statistics
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bot.answering import MOST_WAITING
from bot.assembly import assembled
from bot.matching.verdict import Tier
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.store.fact_source import StoredFacts
from tests.benchmarks.scale.aims import LOAD
from tests.benchmarks.scale.catalogues import Place
from tests.benchmarks.scale.measured import Measured, percentile
from tests.benchmarks.scale.pastes import SEED, made, nearest_pastes
from tests.benchmarks.scale.process_rows import EXACT, Stage, processor_seconds, running, staged
from tests.discord_standin.payloads import Payload, visible_text
from tests.shared_data import shared_folder

PER_SECOND = 50
SECONDS = 20
CHANNELS = 100
DISTINCT = 150
# Discord's limits: https://discord.com/developers/docs/topics/rate-limits names the first, its headers the second.
GLOBAL_LIMIT = (50, 1.0)
CHANNEL_LIMIT = (5, 5.0)
PATIENCE_SECONDS = 20
_BUSY = "answering many questions"


async def load_rows(place: Place) -> list[Measured]:
    """p50 and p99 from the message to its answer by the local Discord's clock, and the share that was answered.

    A sentence that nothing is known is an answer to a question, the sentence that the bot is busy is none. Every
    message is of another person, and channels are so many that none reaches its own limit.
    """
    texts = await _texts(place)
    async with staged() as stage, running(stage.discord, place.folder) as process:
        await process.ready()
        stage.discord.faults.limit_globally(*GLOBAL_LIMIT)
        stage.discord.faults.limit("POST", "/channels/{channel_id}/messages", *CHANNEL_LIMIT)
        for text in (EXACT, *texts[:6]):
            await stage.ask(text)
            await asyncio.sleep(CHANNEL_LIMIT[1] / CHANNEL_LIMIT[0])
        calls = len(stage.discord.calls)
        spent, own, everybody = processor_seconds(process.pid), time.process_time(), _everybodys_seconds()
        questions = await _asked(stage, texts)
        spent, own = processor_seconds(process.pid) - spent, time.process_time() - own
        others = _everybodys_seconds() - everybody - spent - own
        await _settled(stage, questions)
        late = [call for call in stage.discord.calls[calls:] if call.status == 429]
        requests = len(stage.discord.calls) - calls
        costs = (
            f"in these {SECONDS} s the bot computed for {spent:.1f} s, the local Discord beside it for {own:.1f} s, all "
            f"else on this machine for {max(0.0, others):.1f} s, of {(os.cpu_count() or 1) * SECONDS} s there are"
        )
        return [_measured(stage, questions, requests, len(late), costs)]


async def _texts(place: Place) -> list[str]:
    """Pastes that a pattern answers and pastes that none does, in turn."""
    async with assembled(load_settings(data_dir=place.folder), guesses=False) as parts:
        messages = [one.message async for one in StoredFacts(parts.database).all_facts()]
        exact: list[str] = []
        for text in made(messages, 300, 4 * DISTINCT):
            verdict = await parts.answering.explain(Paste.of_text(text))
            if verdict.shown and verdict.best is not None and verdict.best.tier is Tier.PATTERN:
                exact.append(text)
        others: list[str] = []
        for text in nearest_pastes(shared_folder() / "eval/pastes.jsonl", 4 * DISTINCT):
            verdict = await parts.answering.explain(Paste.of_text(text))
            if verdict.best is None:
                others.append(text)
    pairs = zip(exact[:DISTINCT], others[:DISTINCT], strict=False)
    return [text for pair in pairs for text in pair]


async def _asked(stage: Stage, texts: Sequence[str]) -> list[Payload]:
    """The messages, at an even pace, each by another person in the next of many channels."""
    discord, choice = stage.discord, random.Random(SEED)
    channels = [discord.add_channel(stage.guild, f"help-{number}") for number in range(CHANNELS)]
    people = [discord.add_user(f"person-{number}", stage.guild) for number in range(CHANNELS)]
    loop = asyncio.get_running_loop()
    began = loop.time() + 1
    questions = []
    for number in range(PER_SECOND * SECONDS):
        await asyncio.sleep(max(0.0, began + number / PER_SECOND - loop.time()))
        text = f"<@{discord.bot['id']}> {texts[number % len(texts)]}\nrun {choice.randint(1, 9999)}"
        questions.append(discord.say(people[number % CHANNELS], channels[number % CHANNELS], text))
    return questions


async def _settled(stage: Stage, questions: Sequence[Payload]) -> None:
    """Until every question has an answer, or nobody would wait for one any more."""
    end = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while asyncio.get_running_loop().time() < end:
        await asyncio.sleep(1)
        if all(stage.discord.answers_to(one) for one in questions):
            return


def _measured(stage: Stage, questions: Sequence[Payload], requests: int, refused: int, costs: str) -> Measured:
    waits: list[float] = []
    by_kind: dict[bool, list[float]] = {True: [], False: []}
    busy = 0
    for number, question in enumerate(questions):
        for answer in stage.discord.answers_to(question)[:1]:
            if _is_told_busy(stage, question):
                busy += 1
                continue
            wait = _milliseconds(question, answer)
            waits.append(wait)
            by_kind[number % 2 == 0].append(wait)
    silent = len(questions) - busy - len(waits)
    told = {one["channel_id"] for one in questions if _is_told_busy(stage, one)}
    lost = sum(1 for one in questions if not stage.discord.answers_to(one) and one["channel_id"] not in told)
    kinds = ", ".join(
        f"{name} p50 {percentile(some, 0.5):.0f}, p99 {percentile(some, 0.99):.0f} ms"
        for name, some in (("exact", by_kind[True]), ("nearest", by_kind[False]))
        if some
    )
    remark = (
        f"{len(questions):,} messages in {SECONDS} s, {requests:,} requests by the bot, of which Discord refused {refused} "
        f"for its limits; {busy + silent} got no answer within {PATIENCE_SECONDS} s, of whom {busy} were told the bot is busy "
        f"(it takes no more while {MOST_WAITING} wait, and says so once a minute and channel); {lost} got none where "
        f"nobody was told; {kinds}"
    )
    figures = {"answered": 100 * len(waits) / len(questions)}
    if waits:
        figures = {"p50": statistics.median(waits), "p99": percentile(waits, 0.99)} | figures
    return Measured(LOAD, figures, unit="ms, %", remarks=(remark, costs))


def _is_told_busy(stage: Stage, question: Payload) -> bool:
    return any(_BUSY in visible_text(answer) for answer in stage.discord.answers_to(question)[:1])


def _everybodys_seconds() -> float:
    """What all processes of the machine have computed so far, with the kernel's own work."""
    user, nice, system, _idle, _waiting, *interrupts = map(int, Path("/proc/stat").read_text("ascii").split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def _milliseconds(question: Payload, answer: Payload) -> float:
    asked, said = (datetime.fromisoformat(one["timestamp"]) for one in (question, answer))
    return (said - asked).total_seconds() * 1000
