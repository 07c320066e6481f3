"""A server chooses what it sees: the real commands over the real knowledge, on the local Discord."""

import contextlib
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.assembly import Parts, assembled, opened_store
from bot.cogs.client import ErrataClient
from bot.cogs.supervisor import IdentifyBudget
from bot.cogs.workbench import Workbench
from bot.modes import Mode
from bot.settings import load_settings
from bot.store.guild_edits import default_mode
from bot.store.records import RecordStore
from tests.acceptance.pipeline import AT, NoModel
from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.interactions import Interaction, NotOffered
from tests.discord_standin.payloads import visible_text
from tests.discord_standin.permissions import Permission
from tests.sample_entries import GRADIENT_SYNC

BURN, FLASK = "tracel-ai/burn", "pallets/flask"
HOPPER = replace(
    GRADIENT_SYNC,
    id="1" * 16,
    repo=FLASK,
    slug="hopper-starved",
    error_message="hopper {id} starved while draining silo {silo}",
    message_pattern=r"hopper (.+?) starved while draining silo (.+)",
    background_tag="starvation",
    documentation="The hopper waited for grain, and none came from the silo.",
    trigger_scenarios="An empty silo, or a feeder that stands still.",
    common_situations="After harvest.",
)
BURN_PANIC = (
    "thread '<unnamed>' panicked at crates/burn-backend/src/backend/distributed/client.rs:34:27:\n"
    "Gradient sync server disconnected.: RecvError"
)
FLASK_PANIC = "thread 'main' panicked at src/hopper.rs:1:1:\nhopper 7 starved while draining silo 3"


@pytest.fixture(autouse=True)
def nothing_broke(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A failure is silent, too: what is silent here was not a failure."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []


class Shop:
    """A server with one channel, Ann and an admin in it, where everything likely is posted, and the bot connected."""

    def __init__(self, fake: FakeDiscord, parts: Parts) -> None:
        self.fake, self.parts = fake, parts
        self.guild = fake.add_guild()
        self.channel = fake.add_channel(self.guild)
        self.ann = fake.add_user("ann", self.guild)
        manager = fake.add_role(self.guild, "manager", Permission.MANAGE_GUILD)
        self.admin = fake.add_user("admin", self.guild, roles=[manager])

    async def command(self, command: str, *, locale: str = "en-US", **options: Any) -> str:
        """What the admin alone reads, all replies together."""
        return await self.reply_to(await self.fake.slash(self.admin, self.channel, command, options, locale=locale))

    async def reply_to(self, given: Interaction) -> str:
        replies = await self.fake.until(lambda: [one for one in given.replies if visible_text(one)])
        assert all(reply["flags"] & 64 for reply in replies)
        return "\n".join(map(visible_text, replies))

    async def card_for(self, text: str) -> str:
        """What is posted unasked for a paste of somebody new, so that no cooldown speaks."""
        asker = self.fake.add_user("asker", self.guild)
        return visible_text(await self.fake.answer_to(self.fake.say(asker, self.channel, text)))

    async def is_silent_about(self, text: str) -> None:
        last = self.fake.say(self.fake.add_user("asker", self.guild), self.channel, text)
        await self.fake.quiet(self.channel, 0.5, after=last)


@contextlib.asynccontextmanager
async def opened(discord: FakeDiscord, data_dir: Path, **changed: Any) -> AsyncIterator[Shop]:
    values: dict[str, Any] = {"burst_wait_seconds": 0.0, "cooldown_seconds": 0, "outage_window_seconds": 0} | changed
    settings = load_settings(data_dir=data_dir, cdn_base=discord.cdn_base, **values)
    async with opened_store(settings) as database:
        await RecordStore(database).put([HOPPER], "a test", AT)
    async with assembled(settings, encoder=NoModel()) as parts:
        await parts.answering.warm()
        shop = Shop(discord, parts)
        edit = default_mode(Mode.EXACT_AND_NEAREST)
        await parts.guilds.change(int(shop.guild["id"]), [edit], 1, Workbench(parts).now())
        client = ErrataClient(Workbench(parts), IdentifyBudget(parts.meta, pause_seconds=0), guild_ready_timeout=0.02)
        with aimed(discord):
            async with connected(client, discord):
                yield shop
                await client.finish()


async def test_only_what_is_chosen_is_answered_until_it_is_undone(discord: FakeDiscord, tmp_path: Path) -> None:
    """G7: an error of another repository is met with silence, one of the chosen with a card; the undo brings both back."""
    async with opened(discord, tmp_path) as shop:
        before = await shop.card_for(FLASK_PANIC)
        assert "hopper" in before

        added = await shop.command("catalogue add", name=BURN)

        assert f"`{BURN}`: chosen" in added
        await shop.is_silent_about(FLASK_PANIC)
        assert "Gradient sync server" in await shop.card_for(BURN_PANIC)
        asked = discord.say(shop.ann, shop.channel, f"<@{discord.bot['id']}> {FLASK_PANIC}")
        assert "hopper" not in visible_text(await discord.answer_to(asked)).replace(FLASK_PANIC, "")

        undone = await shop.command("errata undo")

        assert "Taken back" in undone
        assert f"`{BURN}`: not chosen" in undone
        assert "hopper" in await shop.card_for(FLASK_PANIC)


async def test_another_server_sees_what_it_has_chosen_itself(discord: FakeDiscord, tmp_path: Path) -> None:
    """One index for all: the choice of one server is none of another's."""
    async with opened(discord, tmp_path) as shop:
        other = Shop(discord, shop.parts)
        edit = default_mode(Mode.EXACT)
        await shop.parts.guilds.change(int(other.guild["id"]), [edit], 1, Workbench(shop.parts).now())
        await shop.command("catalogue add", name=BURN)

        await shop.is_silent_about(FLASK_PANIC)
        assert "hopper" in await other.card_for(FLASK_PANIC)


async def test_a_card_posted_earlier_stays_and_follows_its_question(discord: FakeDiscord, tmp_path: Path) -> None:
    """Choosing takes no card away; an edit of the question is answered by what is chosen now (D8)."""
    async with opened(discord, tmp_path) as shop:
        question = discord.say(shop.ann, shop.channel, FLASK_PANIC)
        card = await discord.answer_to(question)
        await shop.command("catalogue add", name=BURN)
        assert "hopper" in visible_text(card)

        discord.edit(question, BURN_PANIC)

        await discord.until(lambda: "Gradient sync server" in visible_text(card))


async def test_a_family_is_chosen_across_repositories(discord: FakeDiscord, tmp_path: Path) -> None:
    """What has no slash is a family of errors."""
    async with opened(discord, tmp_path) as shop:
        text = await shop.command("catalogue add", name="Starvation")

        assert "Family of errors `starvation`" in text
        assert "hopper" in await shop.card_for(FLASK_PANIC)
        await shop.is_silent_about(BURN_PANIC)


async def test_looking_up_sees_no_more_than_pastes_do(discord: FakeDiscord, tmp_path: Path) -> None:
    """Search, show, explain and every suggestion keep to the choice."""
    async with opened(discord, tmp_path) as shop:
        await shop.command("catalogue add", name=BURN)

        assert "No documented error" in await shop.command("error search", words="hopper")
        assert "no such record" in await shop.command("error show", record=HOPPER.id)
        assert "hopper" not in (await shop.command("error explain", text=FLASK_PANIC)).replace(FLASK_PANIC, "")
        assert "Gradient" in await shop.command("error show", record=GRADIENT_SYNC.id)
        for command, option, typed, found in (
            ("error search", "words", "hopper", []),
            ("error show", "record", "gradient", [GRADIENT_SYNC.id]),
            ("error search", "repo", "", [BURN]),
        ):
            choices = await discord.autocomplete(shop.ann, shop.channel, command, option, typed)
            assert [choice["value"] for choice in choices] == found, command


async def test_list_and_status_count_what_is_seen(discord: FakeDiscord, tmp_path: Path) -> None:
    """Everything before there is a choice; then each choice with its records, a record of two choices counted once."""
    async with opened(discord, tmp_path) as shop:
        assert "Everything: 4 documented errors of 2 repositories" in await shop.command("catalogue list")
        assert "this server sees" not in await shop.command("errata status")

        await shop.command("catalogue add", name=FLASK)
        await shop.command("catalogue add", name="starvation")

        text = await shop.command("catalogue list")
        assert f"`{FLASK}` 1 documented error\n" in text
        assert "`starvation` a family with 1 documented error\n" in text
        assert "Together 1 of 4 documented errors" in text
        status = await shop.command("errata status")
        assert f"this server sees 1 documented error. `{FLASK}` `starvation`" in status


async def test_search_finds_what_can_be_chosen(discord: FakeDiscord, tmp_path: Path) -> None:
    """By name, and by the errors a repository documents; what is chosen is marked, what is not there is said."""
    async with opened(discord, tmp_path) as shop:
        await shop.command("catalogue add", name=BURN)

        by_name = await shop.command("catalogue search", words="burn")
        by_error = await shop.command("catalogue search", words="hopper starved")

        assert f"`{BURN}` 3 documented errors · chosen" in by_name
        assert f"`{FLASK}` 1 of 1 documented errors have these words" in by_error
        assert "No repository, no family" in await shop.command("catalogue search", words="zebra @everyone")


async def test_an_unknown_name_gets_one_sentence_with_near_ones(discord: FakeDiscord, tmp_path: Path) -> None:
    """Nothing is changed, and hostile names are inert (C5)."""
    async with opened(discord, tmp_path) as shop:
        assert f"did you mean `{BURN}`?" in await shop.command("catalogue add", name="tracel/burn")
        text = await shop.command("catalogue add", name="`@everyone` <@&1>/x")
        assert "@everyone" not in text.replace("@\u200beveryone", "")
        assert "no repository and no family" in text

        assert await shop.parts.guilds.log(int(shop.guild["id"])) == await shop.parts.guilds.log(
            int(shop.guild["id"]), 1
        ), "only the mode of the scene was ever set"


async def test_the_last_choice_taken_away_is_everything_again(discord: FakeDiscord, tmp_path: Path) -> None:
    """And that is said; what was not chosen cannot be removed."""
    async with opened(discord, tmp_path) as shop:
        assert "nothing is" in await shop.command("catalogue remove", name=BURN)
        await shop.command("catalogue add", name=BURN)
        assert "is not chosen here; /catalogue list" in await shop.command("catalogue remove", name=FLASK)

        given = await discord.slash(shop.admin, shop.channel, "catalogue remove", {"name": BURN.upper()})

        await discord.until(lambda: "sees the whole catalogue again" in "".join(map(visible_text, given.replies)))
        assert "hopper" in await shop.card_for(FLASK_PANIC)


async def test_suggestions_are_what_can_be_added_and_what_can_be_removed(discord: FakeDiscord, tmp_path: Path) -> None:
    """E8: from memory; each command offers what it can do something with."""
    async with opened(discord, tmp_path) as shop:

        async def offered(command: str, typed: str) -> list[str]:
            choices = await discord.autocomplete(shop.admin, shop.channel, command, "name", typed)
            return [choice["value"] for choice in choices]

        families = [str(GRADIENT_SYNC.background_tag), "starvation"]
        assert await offered("catalogue add", "") == [FLASK, BURN, *families]
        assert await offered("catalogue remove", "") == []

        await shop.command("catalogue add", name=BURN)

        assert await offered("catalogue add", "") == [FLASK, *families]
        assert await offered("catalogue remove", "bu") == [BURN]


async def test_a_server_chooses_among_what_the_process_knows(discord: FakeDiscord, tmp_path: Path) -> None:
    """What errata.toml leaves out can be neither seen nor chosen."""
    async with opened(discord, tmp_path, catalogue=[BURN]) as shop:
        await shop.is_silent_about(FLASK_PANIC)
        assert "Everything: 3 documented errors of 1 repositories" in await shop.command("catalogue list")
        assert "this server sees 3 documented errors" in await shop.command("errata status")

        assert "no repository" in await shop.command("catalogue add", name=FLASK)

        assert "Gradient sync server" in await shop.card_for(BURN_PANIC)


async def test_only_who_may_manage_the_server_chooses(discord: FakeDiscord, tmp_path: Path) -> None:
    """G7: the command is not offered to others, and where an override offers it, the right is asked for again."""
    async with opened(discord, tmp_path) as shop:
        with pytest.raises(NotOffered):
            await discord.slash(shop.ann, shop.channel, "catalogue list")

        for command in discord.commands[None]:
            command["default_member_permissions"] = None
        for name, options in (
            ("add", {"name": BURN}),
            ("remove", {"name": BURN}),
            ("list", {}),
            ("search", {"words": "x"}),
        ):
            given = await discord.slash(shop.ann, shop.channel, f"catalogue {name}", options)
            assert "Manage Server" in await shop.reply_to(given)
        assert (await shop.parts.guilds.settings(int(shop.guild["id"]))).scope.is_everything


async def test_everything_is_said_in_german_too(discord: FakeDiscord, tmp_path: Path) -> None:
    """The interface follows the language of the client."""
    async with opened(discord, tmp_path) as shop:
        text = await shop.command("catalogue add", locale="de", name=BURN)
        assert f"Repository `{BURN}`: gewählt" in text
        assert "Zusammen 3 von 4" in await shop.command("catalogue list", locale="de")
