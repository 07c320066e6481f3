"""The bot as it ships, on the local Discord: real store, patterns and seeds, and nothing between it and its words."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.answers.compose import compose
from bot.assembly import Parts, assembled
from bot.cogs.client import ErrataClient
from bot.cogs.posting import view_of
from bot.cogs.supervisor import IdentifyBudget
from bot.cogs.workbench import Workbench
from bot.locales.words import Words
from bot.modes import Mode
from bot.pastes.paste import Paste
from bot.settings import load_settings
from bot.store.guild_edits import default_mode, language, reads_links
from tests.acceptance.pipeline import NoModel
from tests.cogs.card_checks import broken_limits, components, live, visible_length
from tests.discord_standin.aiming import aimed, connected
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Payload, visible_text, walk
from tests.sources.paste_sites import PasteSites, paste_sites, text

LOG = "\n".join(f"2026-11-30T12:00:{second:02d}Z  INFO step {second} done" for second in range(40))
PANIC = (
    f"```\n{LOG}\nthread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization\nnote: run with `RUST_BACKTRACE=1` environment variable\n```"
)
OTHER_PANIC = (
    "thread '<unnamed>' panicked at crates/burn-backend/src/backend/distributed/client.rs:34:27:\n"
    "Gradient sync server disconnected.: RecvError"
)
SERVER_DISCONNECTED = "4df974a0eb9a8beb"


class Shop:
    """A server with one channel and Ann in it, where exact answers are welcome, and the bot connected."""

    def __init__(self, fake: FakeDiscord, parts: Parts) -> None:
        self.fake, self.parts = fake, parts
        self.guild = fake.add_guild()
        self.channel = fake.add_channel(self.guild)
        self.ann = fake.add_user("ann", self.guild)

    async def expected(self, text: str, question: Payload, tag: str) -> list[Payload]:
        """The components that `card` gives for a text, by the same knowledge."""
        words = Words.for_language(tag)
        verdict = await self.parts.answering.explain(Paste.of_text(text, asked=False))
        assert verdict.best is not None
        assert verdict.best.record_id == SERVER_DISCONNECTED
        entry = await self.parts.answering.entry(verdict.best.record_id)
        assert entry is not None
        return components(view_of(compose(verdict, entry, words), words, int(question["id"])))

    def sent(self, answer: Payload) -> Any:
        """The components as the bot sent them, before Discord numbered them."""
        posts = [call for call in self.fake.calls if call.method == "POST" and call.path.endswith("/messages")]
        (call,) = [call for call in posts if call.response["id"] == answer["id"]]
        return call.body["components"]


@contextlib.asynccontextmanager
async def opened(
    discord: FakeDiscord, data_dir: Path, sites: PasteSites | None = None, **settings: Any
) -> AsyncIterator[Shop]:
    chosen = load_settings(data_dir=data_dir, cdn_base=discord.cdn_base, burst_wait_seconds=0.0, **settings)
    async with assembled(chosen, encoder=NoModel()) as parts:
        shop = Shop(discord, parts)
        await parts.guilds.change(int(shop.guild["id"]), [default_mode(Mode.EXACT)], 1, Workbench(parts).now())
        bench = Workbench(parts, open_fetcher=sites.fetcher) if sites else Workbench(parts)
        client = ErrataClient(bench, IdentifyBudget(parts.meta, pause_seconds=0), guild_ready_timeout=0.02)
        with aimed(discord):
            async with connected(client, discord):
                yield shop
                await client.finish()


async def test_a_real_panic_becomes_the_real_card(discord: FakeDiscord, tmp_path: Path) -> None:
    """D1, D3, D4: what is posted in a channel of mode exact is what `card` gives for the paste, and nothing else."""
    async with opened(discord, tmp_path) as shop:
        question = discord.say(shop.ann, shop.channel, f"help please\n{PANIC}")

        answer = await discord.answer_to(question)

        tree = shop.sent(answer)
        assert tree == await shop.expected(f"help please\n{PANIC}", question, "en")
        assert broken_limits(tree) == live(tree) == []
        assert visible_length(tree) <= 900
        text = visible_text(answer)
        assert "Exact match" in text
        assert "crates/burn-remote/src/client/service.rs:179 @ d16f7ba2ed" in text
        source = [part["url"] for part in walk(answer["components"]) if part.get("url")]
        assert any("service.rs" in url and "github.com/tracel-ai/burn/blob/d16f7ba2ed" in url for url in source)
        await discord.quiet(shop.channel, after=answer)


async def test_a_german_server_gets_german_cards(discord: FakeDiscord, tmp_path: Path) -> None:
    """The interface is in the server's language: card, buttons, and what is changed later; the record stays as it is."""
    async with opened(discord, tmp_path) as shop:
        await shop.parts.guilds.change(int(shop.guild["id"]), [language("de")], 1, Workbench(shop.parts).now())
        question = discord.say(shop.ann, shop.channel, PANIC)

        answer = await discord.answer_to(question)
        assert shop.sent(answer) == await shop.expected(PANIC, question, "de")
        labels = [part["label"] for part in walk(answer["components"]) if part.get("label")]
        assert {"Mehr", "Hilfreich"} <= set(labels)
        assert "Was zu tun ist" in visible_text(answer)
        assert "Server disconnected during initialization" in visible_text(answer)

        discord.edit(question, OTHER_PANIC)
        await discord.until(lambda: "Gradient sync server" in visible_text(answer))
        assert "Was zu tun ist" in visible_text(answer)
        asked = discord.say(shop.ann, shop.channel, f"<@{discord.bot['id']}> what's up?")
        assert "Ich habe" in visible_text(await discord.answer_to(asked))


@pytest.mark.parametrize(
    "text",
    [
        "> Server disconnected during initialization\nyou have to restart it",
        "I think `Server disconnected during initialization` means that your server died",
        "if you see Server disconnected during initialization then check the token first",
        'Look at the code:\n```rust\nresponse.recv().expect("Server disconnected during initialization");\n```',
        "the error was about some channel that failed, panic!",
    ],
)
async def test_talk_about_an_error_starts_nothing(discord: FakeDiscord, tmp_path: Path, text: str) -> None:
    """A4: a helper's quote, a `>` quote, inline code in a sentence and source code get no answer."""
    async with opened(discord, tmp_path, default_mode="exact") as shop:
        discord.say(shop.ann, shop.channel, text)

        await discord.quiet(shop.channel, 0.5)


async def test_a_link_to_a_log_becomes_the_real_card(discord: FakeDiscord, tmp_path: Path) -> None:
    """B5, A1: a message that is a link alone is answered from what lies behind it; one that leads to talk is not."""
    async with paste_sites() as sites, opened(discord, tmp_path, sites) as shop:
        await shop.parts.guilds.change(int(shop.guild["id"]), [reads_links(reads=True)], 1, Workbench(shop.parts).now())
        sites.answers["api.mclo.gs/1/raw/qLHAQBz"] = text(PANIC.strip("`\n"))
        sites.answers["hst.sh/raw/talk"] = text("the error was about some channel that failed, panic!\n")

        talk = discord.say(shop.ann, shop.channel, "https://hst.sh/talk")
        await discord.quiet(shop.channel, 0.5, after=talk)
        answer = await discord.answer_to(discord.say(shop.ann, shop.channel, "<https://mclo.gs/qLHAQBz>"))

        assert "Server disconnected during initialization" in visible_text(answer)
        assert "Exact match" in visible_text(answer)
        assert sites.requests == ["hst.sh/raw/talk", "api.mclo.gs/1/raw/qLHAQBz"]
