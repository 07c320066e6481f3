"""Links to paste sites in messages, on the local Discord with local paste sites."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest
import pytest_asyncio

from bot.cogs.wishes import Wishes, wishes_of
from bot.modes import Mode
from bot.pastes.paste import Part, Paste, Skipped, SkippedPart
from bot.store.guild_edits import link_hosts, reads_links
from tests.cogs.conftest import Scene, posted
from tests.cogs.fake_answering import OTHER_PANIC, PANIC
from tests.cogs.test_incoming import received
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.payloads import Payload, text_file, visible_text
from tests.sources.paste_sites import PasteSites, answers_json, paste_sites, text

LINK, ASKED = "https://hst.sh/abc.rust", "hst.sh/raw/abc"
CHAT = "how are you all? the release notes are out\n" * 5
SOURCE = 'fn main() {\n    panic!("Server disconnected during initialization");\n}\n'


@pytest_asyncio.fixture
async def sites() -> AsyncIterator[PasteSites]:
    async with paste_sites() as made:
        made.answers[ASKED] = text(PANIC)
        yield made


@pytest.fixture
def linking(stage: Callable[..., Scene], sites: PasteSites) -> Callable[..., Scene]:
    """Makes a scene whose bot finds the paste sites; the bot is not connected yet."""

    def make(**settings: Any) -> Scene:
        made = stage(**settings)
        made.open_fetcher = sites.fetcher
        return made

    return make


@pytest_asyncio.fixture
async def scene(linking: Callable[..., Scene], discord: FakeDiscord) -> AsyncIterator[Scene]:
    """A server where everything is answered and links are read."""
    made = linking()
    await made.set_mode(Mode.EXACT_AND_NEAREST)
    await made.set(reads_links(reads=True))
    with aimed(discord):
        async with made.connected():
            yield made


async def read(scene: Scene, message: Payload, *, asked: bool, **wishes: Any) -> Paste:
    found = await received(scene, message)
    me = int(scene.fake.bot["id"])
    paste, _ = await scene.client.reader.traced(found, asked=asked, me=me, wishes=Wishes(**{"links": True} | wishes))
    return paste


def texts_in(asked: Interaction) -> list[str]:
    return [shown for reply in asked.replies if (shown := visible_text(reply))]


async def test_a_message_that_is_a_link_alone_is_answered(scene: Scene, sites: PasteSites) -> None:
    """B5: where the server has links read, what lies behind one is a paste, asked about or not."""
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, LINK))

    assert "Server disconnected" in visible_text(answer)
    assert scene.knows.texts == [f"{LINK}\n{PANIC}"]
    assert sites.requests == [ASKED]


async def test_where_links_are_not_read_nothing_is_asked(scene: Scene, sites: PasteSites) -> None:
    """E6: off is off, also for who asks: not even the name of the site is looked up."""
    await scene.set(reads_links(reads=False))
    scene.fake.say(scene.ann, scene.channel, LINK)
    await scene.fake.quiet(scene.channel)

    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(LINK)))
    asked = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=LINK)
    await scene.fake.until(partial(texts_in, asked))

    assert "saw nothing that reads like an error" in visible_text(answer)
    assert sites.requests == sites.lookups == []


async def test_links_are_off_until_a_server_wants_them(
    linking: Callable[..., Scene], discord: FakeDiscord, sites: PasteSites
) -> None:
    """F6's sister: a new server has nothing fetched for it."""
    scene = linking()
    await scene.set_mode(Mode.EXACT)
    with aimed(discord):
        async with scene.connected():
            scene.fake.say(scene.ann, scene.channel, LINK)
            await scene.fake.quiet(scene.channel)

    assert sites.lookups == []


async def test_who_runs_the_bot_can_forbid_links(
    linking: Callable[..., Scene], discord: FakeDiscord, sites: PasteSites
) -> None:
    """E6: with `max_links` 0 no server's wish counts."""
    scene = linking(max_links=0)
    await scene.set_mode(Mode.EXACT)
    await scene.set(reads_links(reads=True))
    with aimed(discord):
        async with scene.connected():
            scene.fake.say(scene.ann, scene.channel, LINK)
            await scene.fake.quiet(scene.channel)

    assert sites.lookups == []


async def test_in_direct_messages_no_link_is_read(scene: Scene, sites: PasteSites) -> None:
    """E6: there is no server that could want it."""
    channel = scene.fake.add_dm(scene.ann)
    await scene.fake.answer_to(scene.fake.say(scene.ann, channel, LINK))

    assert sites.lookups == []


async def test_where_a_person_brought_the_app_along_no_link_is_read(scene: Scene, sites: PasteSites) -> None:
    """E6: a server the bot is not in has set nothing, whatever an earlier stay there has left in the store."""
    elsewhere = scene.fake.add_guild("elsewhere", bot_permissions=None)
    channel = scene.fake.add_channel(elsewhere)
    scene.fake.join(elsewhere, scene.ann)
    scene.fake.installed_by.add(scene.ann["id"])
    await scene.parts.guilds.change(int(elsewhere["id"]), [reads_links(reads=True)], 1, scene.clock())

    await scene.fake.until(partial(texts_in, await scene.fake.slash(scene.ann, channel, "error explain", text=LINK)))

    assert sites.lookups == []


async def test_what_is_asked_for_reads_links(scene: Scene, sites: PasteSites) -> None:
    """B5, B6: in the message a mention replies to, in a command's text or form, and in the menu of a message."""
    await scene.set_mode(Mode.MENTION)
    linked = scene.fake.say(scene.ben, scene.channel, f"my log: {LINK}, thanks")

    reply = scene.fake.say(scene.ann, scene.channel, scene.mention("what is this?"), reply_to=linked)
    command = await scene.fake.slash(scene.ann, scene.channel, "error explain", text=LINK)
    menu = await scene.fake.message_menu(scene.ann, scene.channel, "Explain this error", linked)

    assert "Server disconnected" in visible_text(await scene.fake.answer_to(reply))
    opened = await scene.fake.slash(scene.ann, scene.channel, "error explain")
    form = await scene.fake.submit_modal(opened, {"What the program printed": LINK})
    for asked in (command, menu, form):
        (answer,) = await scene.fake.until(partial(texts_in, asked))
        assert "Server disconnected" in answer
    assert sites.requests == [ASKED]  # once for all four


async def test_an_edit_changes_the_answer_with_the_link(scene: Scene, sites: PasteSites) -> None:
    """D8: another link, another paste."""
    sites.answers["hst.sh/raw/def"] = text(OTHER_PANIC)
    question = scene.fake.say(scene.ann, scene.channel, LINK)
    await posted(scene, question)
    answer = await scene.fake.answer_to(question)

    scene.fake.edit(question, "https://hst.sh/def")

    await scene.fake.until(lambda: "Gradient sync server" in visible_text(answer))


async def test_a_servers_own_host_is_read_there_alone(scene: Scene, sites: PasteSites) -> None:
    """B5: what another server has named is no host here."""
    sites.answers["paste.example.org/raw/abc"] = text(PANIC)
    message = scene.fake.say(scene.ann, scene.channel, "https://paste.example.org/abc")
    await scene.fake.quiet(scene.channel)
    assert sites.lookups == []

    await scene.set(link_hosts(["paste.example.org"]))
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, message["content"]))

    assert "Server disconnected" in visible_text(answer)


async def test_an_unreachable_paste_is_told_to_who_asked(scene: Scene) -> None:
    """E13: each reason in its own words; who did not ask hears nothing."""
    scene.fake.say(scene.ann, scene.channel, "https://hst.sh/gone")
    await scene.fake.quiet(scene.channel)

    links = "https://hst.sh/gone https://github.com/o/r/actions/runs/1"
    answer = await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention(links)))

    assert "could not fetch hst.sh/gone" in visible_text(answer)
    assert "github.com/1 is shown only to people who are signed in" in visible_text(answer)


async def test_parts_stand_between_text_and_files(scene: Scene, sites: PasteSites) -> None:
    """B6: in the order a reader meets them; of too many links the first are read and the rest named."""
    for number in range(5):
        sites.answers[f"hst.sh/raw/{number}"] = text(str(number))
    links = " ".join(f"https://hst.sh/{number}" for number in range(5))
    message = scene.fake.say(scene.ann, scene.channel, links, files=[text_file("a.log", "log")])

    paste = await read(scene, message, asked=True)

    assert paste.parts == (
        Part(links),
        *(Part(str(number), f"hst.sh/{number}") for number in range(3)),
        Part("log", "a.log"),
    )
    assert paste.skipped == tuple(SkippedPart(f"hst.sh/{number}", Skipped.TOO_BIG) for number in (3, 4))


async def test_links_in_files_are_left_alone(scene: Scene, sites: PasteSites) -> None:
    """E6: what stands in a file is what a program printed."""
    message = scene.fake.say(scene.ann, scene.channel, "see", files=[text_file("a.log", f"uploaded to {LINK}\n")])

    assert len((await read(scene, message, asked=True)).parts) == 2
    assert sites.lookups == []


@pytest.mark.parametrize("quote", ["> {}\nthat is it", "look\n> see {} there", ">>> first\n\n{}"])
async def test_a_link_in_a_quote_starts_nothing(scene: Scene, sites: PasteSites, quote: str) -> None:
    """A4: who quotes somebody's link is no asker; who mentions the bot asks about all of the message."""
    message = scene.fake.say(scene.ann, scene.channel, quote.format(LINK))
    await scene.fake.quiet(scene.channel)
    assert sites.lookups == []

    assert [part.name for part in (await read(scene, message, asked=True)).parts] == [None, "hst.sh/abc"]


async def test_what_was_fetched_is_let_go_with_the_connection(
    linking: Callable[..., Scene], discord: FakeDiscord
) -> None:
    """F4: a bot that has ended holds no texts."""
    scene = linking()
    await scene.set_mode(Mode.EXACT)
    await scene.set(reads_links(reads=True))
    with aimed(discord):
        async with scene.connected():
            await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, LINK))
            kept = scene.client.reader._links._pastes._kept
            assert kept._texts

    assert not kept._texts


@pytest.mark.parametrize(
    ("name", "body", "is_read", "is_fetched"),
    [
        ("o/r/main/build.log", CHAT, True, True),
        ("o/r/main/output", PANIC, True, True),
        ("o/r/main/output", CHAT, False, True),
        ("o/r/main/src/main.rs", SOURCE, False, False),
        ("o/r/main/README.md", CHAT, False, False),
    ],
)
async def test_a_link_to_a_file_counts_as_that_file(
    scene: Scene, sites: PasteSites, name: str, body: str, *, is_read: bool, is_fetched: bool
) -> None:
    """A6: unasked a source is left alone by its name, and what may be anything has to read like output; asked all is."""
    sites.answers[f"raw.githubusercontent.com/{name}"] = text(body)
    message = scene.fake.say(scene.ann, scene.channel, f"https://raw.githubusercontent.com/{name}")
    await scene.set_mode(Mode.OFF)

    assert len((await read(scene, message, asked=False)).parts) == 1 + is_read
    assert bool(sites.requests) == is_fetched
    assert len((await read(scene, message, asked=True)).parts) == 2


async def test_a_gists_files_are_judged_by_their_names(scene: Scene, sites: PasteSites) -> None:
    """A6, B5: of a gist with sources and a log, unasked the log alone is read."""
    name = "gist.github.com/0123456789abcdef"
    files = {
        "main.rs": {"filename": "main.rs", "content": SOURCE},
        "run.log": {"filename": "run.log", "content": PANIC},
        "output": {"filename": "output", "content": PANIC},
    }
    sites.answers["api.github.com/gists/0123456789abcdef"] = answers_json({"files": files})
    message = scene.fake.say(scene.ann, scene.channel, f"https://gist.github.com/ann/{name.rpartition('/')[2]}")

    unasked = await read(scene, message, asked=False)
    asked = await read(scene, message, asked=True)

    assert [part.name for part in unasked.parts] == [None, f"{name}/run.log", f"{name}/output"]
    assert [part.name for part in asked.parts] == [None, *(f"{name}/{file}" for file in files)]


async def test_nothing_of_a_link_is_stored_or_logged(
    scene: Scene, sites: PasteSites, caplog: pytest.LogCaptureFixture
) -> None:
    """F4, F5: what is kept of an answer leads to messages; a link and what lies behind it are in no row and no line."""
    caplog.set_level("DEBUG")
    sites.answers["hst.sh/raw/secretkey"] = text(f"the flux compensator\n{PANIC}")
    unknown = "thread 'main' panicked at src/main.rs:1:1:\nunheard of"
    sites.answers["hst.sh/raw/otherkey"] = text(unknown)
    sites.answers["hst.sh/raw/gonekey"] = text("", status=500)

    await posted(scene, scene.fake.say(scene.ann, scene.channel, "https://hst.sh/secretkey"))
    await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention("https://hst.sh/otherkey")))
    await scene.fake.answer_to(scene.fake.say(scene.ann, scene.channel, scene.mention("https://hst.sh/gonekey")))

    rows: list[Any] = []
    for (table,) in await scene.parts.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'"):
        rows += await scene.parts.database.rows(f'SELECT * FROM "{table}"')
    assert len(rows) > 5
    for planted in ("secretkey", "otherkey", "gonekey", "flux compensator", "hst.sh"):
        assert planted not in repr([tuple(row) for row in rows])
        assert planted not in "\n".join(
            record.getMessage() for record in caplog.records if record.name.startswith("bot")
        )


async def test_wishes_are_a_servers_own(scene: Scene) -> None:
    """Without a server nothing is wanted; with one what it has set."""
    await scene.set(link_hosts(["paste.example.org"]))
    settings = await scene.parts.guilds.settings(int(scene.guild["id"]))

    assert wishes_of(None) == Wishes(links=False, link_hosts=(), pictures=False)
    assert wishes_of(settings) == Wishes(links=True, link_hosts=("paste.example.org",), pictures=False)
