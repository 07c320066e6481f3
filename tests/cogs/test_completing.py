"""Records known in outline, and the articles on their families, on the local Discord with the bot as it ships."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cogs.card_checks import broken_limits, live
from tests.cogs.test_real_parts import Shop, opened
from tests.dataset_standin import DatasetServer, article, failing, published, record, serving, with_api
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.payloads import Payload, visible_text
from tests.syncing_bench import Bench

RECORDS = [record(1, backgroundTag="a-family"), record(2, "example/two")]
FAMILY = article(
    "a-family",
    title="Things that run dry @everyone",
    summary="What is not refilled is empty. [Click](https://evil.example) ```",
    fixes=["<@&1> refill it."],
)
OUTLINE = "Only the outline of this record is loaded here"
API = "/api/errors/{:016x}"


@pytest.fixture
def server() -> Iterator[DatasetServer]:
    with serving(with_api(published(RECORDS, articles=[FAMILY]), *RECORDS)) as running:
        yield running


@pytest.fixture
async def data_dir(tmp_path: Path, server: DatasetServer) -> Path:
    """The dataset was synced in outline; the server counts from nothing."""
    await Bench(tmp_path, server).sync()
    server.forget()
    return tmp_path


def crash(number: int) -> str:
    return f"```\nError: {RECORDS[number - 1]['errorMessage']}\n```"


async def told(shop: Shop, interaction: Interaction) -> Payload:
    """The one reply, which the person alone reads."""
    (reply,) = await shop.fake.until(lambda: [one for one in interaction.replies if visible_text(one)])
    assert reply["flags"] & 64
    return reply


async def test_a_card_nobody_asked_for_is_whole(discord: FakeDiscord, server: DatasetServer, data_dir: Path) -> None:
    """Meaning and steps are fetched for the card, once; "More" asks nobody."""
    async with opened(discord, data_dir) as shop:
        answer = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(1)))
        await told(shop, await discord.click(shop.ann, answer, label="More"))

    assert "Meaning 1." in visible_text(answer)
    assert OUTLINE not in visible_text(answer)
    assert server.asked == [API.format(1)]


async def test_more_shows_the_family(discord: FakeDiscord, data_dir: Path) -> None:
    """D1, C5: title, summary, causes and fixes of its article, and nothing in them is live."""
    async with opened(discord, data_dir) as shop:
        answer = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(1)))
        more = await told(shop, await discord.click(shop.ann, answer, label="More"))

    text = visible_text(more)
    assert "About this kind of error" in text
    assert "What is not refilled is empty." in text
    assert "Haste: Too much of it." in text
    assert "refill it." in text
    assert broken_limits(more["components"]) == live(more["components"]) == []


async def test_more_shows_nothing_of_a_record_without_a_family(discord: FakeDiscord, data_dir: Path) -> None:
    """No heading stands over nothing."""
    async with opened(discord, data_dir) as shop:
        answer = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(2)))
        more = await told(shop, await discord.click(shop.ann, answer, label="More"))

    assert "Meaning 2." in visible_text(more)
    assert "this kind" not in visible_text(more)


async def test_a_command_shows_the_record_whole(discord: FakeDiscord, server: DatasetServer, data_dir: Path) -> None:
    """`/error show` completes what it shows."""
    async with opened(discord, data_dir) as shop:
        shown = await discord.slash(shop.ann, shop.channel, "error show", record=RECORDS[1]["id"])

        assert "Meaning 2." in visible_text(await told(shop, shown))
        assert server.asked == [API.format(2)]


async def test_offline_the_outline_says_so(discord: FakeDiscord, server: DatasetServer, data_dir: Path) -> None:
    """G3: nobody is asked."""
    async with opened(discord, data_dir, offline=True) as shop:
        answer = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(1)))

    assert OUTLINE in visible_text(answer)
    assert server.asked == []


async def test_a_dead_server_costs_the_card_nothing_but_its_meaning(
    discord: FakeDiscord, server: DatasetServer, data_dir: Path
) -> None:
    """The first card shows its outline after one attempt, the next one without any."""
    server.faults = {API.format(number): failing(99) for number in (1, 2)}
    async with opened(discord, data_dir) as shop:
        first = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(1)))
        second = await discord.answer_to(discord.say(shop.ann, shop.channel, crash(2)))

    assert OUTLINE in visible_text(first)
    assert OUTLINE in visible_text(second)
    assert server.asked == [API.format(1)]
