"""The bot on the local Discord, in this process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from unittest.mock import MagicMock

import pytest_asyncio

from bot.answering import Answering
from bot.assembly import Parts
from bot.cogs.client import ErrataClient
from bot.cogs.supervisor import IdentifyBudget
from bot.cogs.workbench import Workbench
from bot.modes import Mode
from bot.serving import Serving
from bot.settings import Settings, load_settings
from bot.sources.safe_fetching import SafeFetcher, opened_fetcher
from bot.store.answers import AnswerStore, State
from bot.store.feedback import FeedbackStore
from bot.store.guild_edits import Edit, channel_mode, default_mode
from bot.store.guilds import GuildStore
from bot.store.meta import MetaStore
from bot.store.people import PeopleStore
from bot.store.questions import QuestionStore
from bot.store.records import RecordStore
from bot.store.sqlite import Database
from tests.cogs.fake_answering import FakeAnswering
from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload
from tests.discord_standin.permissions import Permission


class Clock:
    """The moment, moved forward by hand."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def pass_time(self, **length: float) -> None:
        self.ahead += timedelta(**length)


async def comes_true(condition: Callable[[], Awaitable[object]], seconds: float = 5.0) -> None:
    """Return once what is kept in the store is so; the store tells nobody of its changes."""
    for _ in range(round(seconds / 0.01)):
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{condition} did not come true within {seconds} s")


@dataclass
class Scene:
    """A server with one channel, Ann and Ben in it, an admin, and the bot connected; `knows` is what it knows."""

    fake: FakeDiscord
    parts: Parts
    knows: FakeAnswering
    clock: Clock
    guild: Payload
    channel: Payload
    ann: Payload
    ben: Payload
    admin: Payload
    client: ErrataClient = field(init=False)
    open_fetcher: Callable[[], contextlib.AbstractAsyncContextManager[SafeFetcher]] = opened_fetcher

    @property
    def settings(self) -> Settings:
        return self.parts.settings

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """The bot as a new process would be: nothing but the store is left of the last one."""
        bench = Workbench(self.parts, self.clock, self.open_fetcher)
        budget = IdentifyBudget(self.parts.meta, pause_seconds=0)
        self.client = ErrataClient(bench, budget, guild_ready_timeout=0.02)
        async with connected(self.client, self.fake):
            yield
            await self.client.finish()

    async def set(self, *edits: Edit) -> None:
        await self.parts.guilds.change(int(self.guild["id"]), edits, int(self.admin["id"]), self.clock())

    async def set_mode(self, mode: Mode, channel: Payload | None = None) -> None:
        await self.set(channel_mode(int(channel["id"]), mode) if channel else default_mode(mode))

    def mention(self, text: str = "") -> str:
        return f"<@{self.fake.bot['id']}> {text}"


async def posted(scene: Scene, question: Payload) -> None:
    """The answer is posted and the store knows it."""
    await scene.fake.answer_to(question)

    async def known() -> bool:
        answer = await scene.parts.answers.of_question(int(question["id"]))
        return answer is not None and answer.state is State.POSTED

    await comes_true(known)


@pytest_asyncio.fixture
async def parts(tmp_path: Path) -> AsyncIterator[Callable[..., Parts]]:
    """Makes parts over one real store, and a fake of what is known."""
    async with Database.open(tmp_path / "errata.db") as database:

        def make(knows: FakeAnswering, **changed: Any) -> Parts:
            values: dict[str, Any] = {"burst_wait_seconds": 0.0, "data_dir": tmp_path} | changed
            return Parts(
                serving=MagicMock(spec_set=Serving),
                settings=load_settings(**values),
                database=database,
                records=RecordStore(database),
                guilds=GuildStore(database),
                answers=AnswerStore(database),
                feedback=FeedbackStore(database),
                questions=QuestionStore(database),
                people=PeopleStore(database),
                meta=MetaStore(database),
                answering=cast("Answering", knows),
            )

        yield make


@pytest_asyncio.fixture
async def stage(discord: FakeDiscord, parts: Callable[..., Parts]) -> Callable[..., Scene]:
    """Makes a scene with these settings; the bot is not connected yet."""

    def make(**changed: Any) -> Scene:
        knows = FakeAnswering()
        guild = discord.add_guild()
        manager = discord.add_role(guild, "manager", Permission.MANAGE_GUILD)
        return Scene(
            fake=discord,
            parts=parts(knows, cdn_base=discord.cdn_base, **changed),
            knows=knows,
            clock=Clock(),
            guild=guild,
            channel=discord.add_channel(guild),
            ann=discord.add_user("ann", guild),
            ben=discord.add_user("ben", guild),
            admin=discord.add_user("admin", guild, roles=[manager]),
        )

    return make


@pytest_asyncio.fixture
async def scene(stage: Callable[..., Scene], discord: FakeDiscord) -> AsyncIterator[Scene]:
    """A connected bot that waits for no burst; exact answers and guesses are posted unasked everywhere."""
    made = stage()
    await made.set_mode(Mode.EXACT_AND_NEAREST)
    with aimed(discord):
        async with made.connected():
            yield made
