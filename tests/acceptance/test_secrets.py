"""Nothing secret of a paste is found anywhere afterwards: the bot as it ships, on the local Discord, over real files."""

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.assembly import Parts, assembled
from bot.cogs.client import ErrataClient
from bot.cogs.supervisor import IdentifyBudget
from bot.cogs.workbench import Workbench
from bot.indexing import INDEX_FOLDER, build
from bot.logs import set_up_logging
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.verdict import Verdict
from bot.modes import Mode
from bot.pastes.paste import Paste
from bot.pastes.redaction import redact
from bot.settings import LogFormat, LogLevel, load_settings
from bot.store.guild_edits import default_mode, keeps_texts
from bot.store.sqlite import FILE_NAME
from embeddings.hashed_encoder import HashedEncoder
from tests.acceptance.planted import KINDS, PlantedPaste, leaks, pastes
from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload, text_file, visible_text


class Breaking:
    """The bot's knowledge; while `broken`, it fails with the paste in its message, as careless code would."""

    def __init__(self, knows: Any) -> None:
        self._knows, self.broken = knows, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._knows, name)

    async def explain(self, paste: Paste, scope: Scope = EVERYTHING) -> Verdict:
        if self.broken:
            raise ValueError("cannot explain " + "\n".join(part.text for part in paste.parts))
        found: Verdict = await self._knows.explain(paste, scope)
        return found


@dataclass
class Bench:
    """A server whose owner keeps the texts of questions and wants guesses, with Ann in it, and all that is written."""

    fake: FakeDiscord
    parts: Parts
    knows: Breaking
    log: io.StringIO
    folder: Path
    ann: Payload
    channel: Payload

    def whispers(self) -> list[Payload]:
        return self.fake.bot_messages(self.fake.add_dm(self.ann))

    def requests(self) -> str:
        """All the bot ever sent: cards, sentences, warnings, and whatever else."""
        calls = [f"{call.path} {call.query} {json.dumps(call.body, ensure_ascii=False)}" for call in self.fake.calls]
        files = [file.data.decode(errors="replace") for call in self.fake.calls for file in call.files]
        sent = "\n".join([*calls, *files])
        # Also without what keeps Discord from drawing signs as Markdown or mentions.
        return sent + sent.replace("\\", "").replace("\u200b", "")

    def files(self) -> dict[str, bytes]:
        """Whatever lies in the data folder, by name: database, write-ahead log, index, patterns."""
        return {path.name: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Everything the process logs at its most talkative, as it would be written."""
    root, stream = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    set_up_logging(LogLevel.DEBUG, LogFormat.JSON, stream=stream)
    try:
        yield stream
    finally:
        root.handlers[:] = before
        root.setLevel(level)


@pytest_asyncio.fixture
async def bench(discord: FakeDiscord, tmp_path: Path) -> AsyncIterator[Bench]:
    """The bot connected, with the shipped seeds, their patterns and an index of them."""
    encoder = HashedEncoder()
    chosen = load_settings(
        data_dir=tmp_path,
        cdn_base=discord.cdn_base,
        burst_wait_seconds=0.0,
        cooldown_seconds=0,
        outage_window_seconds=0,
    )
    with logged() as log:
        async with assembled(chosen, encoder=encoder) as shipped:
            await build(shipped.database, tmp_path, encoder)
            guild = discord.add_guild()
            edits = [default_mode(Mode.EXACT_AND_NEAREST), keeps_texts(keeps=True)]
            await shipped.guilds.change(int(guild["id"]), edits, 1, Workbench(shipped).now())
            knows = Breaking(shipped.answering)
            parts = replace(shipped, answering=knows)  # type: ignore[arg-type]  # what it hands on to is one
            budget = IdentifyBudget(parts.meta, pause_seconds=0)
            client = ErrataClient(Workbench(parts), budget, guild_ready_timeout=0.02)
            with aimed(discord):
                async with connected(client, discord):
                    ann, channel = discord.add_user("ann", guild), discord.add_channel(guild)
                    yield Bench(discord, parts, knows, log, tmp_path, ann, channel)
                    await client.finish()


async def posted(bench: Bench, paste: PlantedPaste, *, asks: bool, breaks: bool) -> None:
    """The paste is posted, and whatever comes of it has come."""
    bench.knows.broken = breaks
    before, mention = len(bench.whispers()), f"<@{bench.fake.bot['id']}> " if asks else ""
    if paste.file_name is None:
        question = bench.fake.say(bench.ann, bench.channel, mention + paste.text)
    else:
        files = [text_file(paste.file_name, paste.text)]
        question = bench.fake.say(bench.ann, bench.channel, mention, files=files)
    if asks and not breaks:
        await bench.fake.answer_to(question)
    if any(plant.credential for plant in paste.plants):
        await bench.fake.until(lambda: len(bench.whispers()) > before)
        assert "•" in visible_text(bench.whispers()[-1])
    else:
        await asyncio.sleep(0.1)  # nobody is told anything for certain; what is said is said by then


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paste=pastes(), asks=st.booleans(), breaks=st.sampled_from([False, False, False, True]))
async def test_nothing_planted_is_found_anywhere(bench: Bench, paste: PlantedPaste, asks: bool, breaks: bool) -> None:
    """F1, F3: not in requests, the data folder or the log; and whose credential it was is warned, answered or not."""
    await posted(bench, paste, asks=asks, breaks=breaks)

    requests, log, files = bench.requests(), bench.log.getvalue(), bench.files()
    assert {FILE_NAME, f"{FILE_NAME}-wal"} <= files.keys()
    assert any(bench.folder.joinpath(INDEX_FOLDER).iterdir())
    assert leaks(paste.plants, requests.__contains__) == []
    assert leaks(paste.plants, log.__contains__) == []
    for name, data in files.items():
        assert (name, leaks(paste.plants, lambda piece, data=data: piece.encode() in data)) == (name, [])  # type: ignore[misc]  # mypy takes no default of a lambda


async def test_the_places_that_are_looked_at_are_written_to(bench: Bench) -> None:
    """F1: a word that is no secret does arrive in requests, database and log, so that its absence would say something."""
    panic = "thread 'main' panicked at src/main.rs:1:1:\nthe silosensor is out of flux"
    question = bench.fake.say(bench.ann, bench.channel, panic)
    await bench.fake.quiet(bench.channel, after=question)
    asked = bench.fake.say(
        bench.ann, bench.channel, f"<@{bench.fake.bot['id']}>", files=[text_file("silosensor.log", "hello")]
    )
    await bench.fake.answer_to(asked)
    logging.getLogger("bot").debug("a word of the log")

    assert "silosensor" in bench.requests()
    assert any(b"silosensor" in data for name, data in bench.files().items() if name.startswith(FILE_NAME))
    assert "a word of the log" in bench.log.getvalue()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_is_redacted_wherever_it_stands(kind: str) -> None:
    """F1: each kind by itself, a hundred secrets of it, and it is named as what it is."""

    @settings(max_examples=100, deadline=None)
    @given(
        KINDS[kind], st.sampled_from(["{}", "> {}", "+ {}", "x\r\n{}\r\ny", "ERROR [db] {}", "\t{}\t", "`{}`", "«{}»"])
    )
    def check(plant: Any, around: str) -> None:
        redacted = redact(around.replace("{}", plant.text))

        assert leaks((plant,), redacted.text.__contains__) == []
        assert any(finding.credential for finding in redacted.findings) or not plant.credential

    check()
