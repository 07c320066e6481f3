"""What a server has settled about an answer."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from bot.answering import Answering
from bot.answers.answer import Certainty
from bot.cogs.replies import Question
from bot.cogs.rulings import Rulings
from bot.matching.verdict import Verdict
from bot.modes import Mode
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.store.guild_edits import Edit, channel_mode, default_mode, language, muted
from bot.store.guilds import GuildStore
from bot.store.sqlite import Database
from tests.cogs.fake_answering import GUESS, PANIC, UNKNOWN, FakeAnswering
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
GUILD, CHANNEL, THREAD = 100, 10, 11


class Court:
    """Rulings over a real store of settings and a fake of what is known."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.knows, self.guilds = FakeAnswering(), GuildStore(database)
        settings = load_settings(data_dir=folder, language="de", default_mode="mention")
        self.rulings = Rulings(cast("Answering", self.knows), self.guilds, settings)

    async def set(self, *edits: Edit) -> None:
        await self.guilds.change(GUILD, edits, 1, NOW)

    async def shown(self, text: str, *, asked: bool = False, guild_id: int | None = GUILD) -> str | None:
        """The record on the card for a text."""
        guild = await self.rulings.guild(guild_id)
        verdict = await self.knows.explain(Paste.of_text(text))
        made = await self.rulings.card(question(guild_id), verdict, guild, asked=asked, language="en")
        return made.record_id if made else None


def question(guild_id: int | None = GUILD) -> Question:
    return Question(
        message_id=1,
        channel_id=THREAD,
        parent_id=CHANNEL,
        guild_id=guild_id,
        author_id=7,
        in_thread=True,
        asked=False,
        digest="",
        written_at=NOW,
        paste=Paste(()),
    )


@pytest.fixture
async def court(tmp_path: Path) -> AsyncIterator[Court]:
    async with Database.open(tmp_path / "errata.db") as database:
        yield Court(database, tmp_path)


async def test_a_threads_mode_is_its_parents(court: Court) -> None:
    """C7: the channel's own mode, then the server's, then the bot's."""
    assert court.rulings.mode(question(), await court.rulings.guild(GUILD)) is Mode.MENTION
    await court.set(default_mode(Mode.EXACT))
    assert court.rulings.mode(question(), await court.rulings.guild(GUILD)) is Mode.EXACT
    await court.set(channel_mode(CHANNEL, Mode.OFF), channel_mode(THREAD, Mode.EXACT_AND_NEAREST))

    assert court.rulings.mode(question(), await court.rulings.guild(GUILD)) is Mode.OFF


async def test_direct_messages_have_no_settings(court: Court) -> None:
    """In a DM everything is welcome, in the bot's own language."""
    guild = await court.rulings.guild(None)

    assert guild is None
    assert court.rulings.mode(question(None), guild) is Mode.EXACT_AND_NEAREST
    assert court.rulings.language(guild) == "de"
    assert await court.shown(GUESS, guild_id=None) == GRADIENT_SYNC.id


async def test_a_servers_language_comes_first(court: Court) -> None:
    """What everybody reads is in the server's language, else in the bot's."""
    assert court.rulings.language(await court.rulings.guild(GUILD)) == "de"

    await court.set(language("en"))

    assert court.rulings.language(await court.rulings.guild(GUILD)) == "en"


@pytest.mark.parametrize(
    ("mode", "exact", "guess"),
    [
        (Mode.OFF, False, False),
        (Mode.MENTION, False, False),
        (Mode.EXACT, True, False),
        (Mode.EXACT_AND_NEAREST, True, True),
    ],
)
async def test_a_mode_says_what_is_shown_unasked(court: Court, mode: Mode, exact: bool, guess: bool) -> None:
    """C8: what was asked for is shown in any mode, what was not only as far as the mode goes."""
    await court.set(channel_mode(CHANNEL, mode))

    assert (await court.shown(PANIC) is not None) == exact
    assert (await court.shown(GUESS) is not None) == guess
    assert await court.shown(PANIC, asked=True) == SERVER_DISCONNECTED.id


async def test_a_muted_record_is_for_who_asks(court: Court) -> None:
    """G7: unasked it is not shown, and nothing else takes its place."""
    await court.set(channel_mode(CHANNEL, Mode.EXACT), muted(SERVER_DISCONNECTED.id, is_muted=True))

    assert await court.shown(PANIC) is None
    assert await court.shown(PANIC, asked=True) == SERVER_DISCONNECTED.id


async def test_nothing_found_and_a_record_that_is_gone_are_no_card(court: Court) -> None:
    """Neither a paste without an error nor a record that was removed meanwhile makes one."""
    guild = await court.rulings.guild(GUILD)
    verdict = await court.knows.explain(Paste.of_text(PANIC))
    court.knows.entries_by_id.clear()

    assert await court.shown(UNKNOWN, asked=True) is None
    assert await court.rulings.card(question(), None, guild, asked=True, language="en") is None
    assert await court.rulings.card(question(), verdict, guild, asked=True, language="en") is None


async def test_a_card_is_in_the_language_it_is_asked_for(court: Court) -> None:
    """The words of the interface change, the record's stay."""
    guild = await court.rulings.guild(GUILD)
    verdict: Verdict = await court.knows.explain(Paste.of_text(PANIC))

    german = await court.rulings.card(question(), verdict, guild, asked=True, language="de")
    english = await court.rulings.card(question(), verdict, guild, asked=True, language="en")

    assert german is not None
    assert english is not None
    assert german.certainty is english.certainty is Certainty.EXACT
    assert (german.ai_note, german.title) != (english.ai_note, english.title)
    assert german.title == english.title
