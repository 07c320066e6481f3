"""Screenshots on Discord: read where a server wants that, and nowhere else."""

from collections.abc import Callable

import pytest

from bot.pastes.archives import Unpacked
from bot.pastes.paste import Part, Skipped, SkippedPart
from bot.sources.pictures import PictureReader, can_read_pictures
from bot.store.guild_edits import reads_pictures
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC
from tests.cogs.test_lookup import told
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Upload, visible_text
from tests.screenshots import screenshot, some_look

PNG = b"\x89PNG\r\n\x1a\n a picture"
SHOT = Upload("shot.png", PNG, "image/png")


class Pages(PictureReader):
    """Reads what it was told, and notes what it was given."""

    def __init__(self) -> None:
        super().__init__(worker=("true",))
        self.found = Unpacked((Part(PANIC, "shot.png", confidences=(0.99, 0.99)),))
        self.given: list[tuple[bytes, str, bool]] = []

    async def read(self, data: bytes, name: str, *, asked: bool = True) -> Unpacked:
        self.given.append((data, name, asked))
        return self.found


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
async def off(scene: Scene, pages: Pages) -> Scene:
    """The scene, with somebody who could read pictures."""
    scene.client.reader._downloads._pictures = pages
    return scene


@pytest.fixture
async def on(off: Scene) -> Scene:
    """The same, on a server that wants them read."""
    await off.set(reads_pictures(reads=True))
    return off


async def test_unasked_an_image_gets_silence(off: Scene, pages: Pages) -> None:
    """A6, F6: where the server has not asked for it, an image is neither fetched nor mentioned."""
    off.fake.say(off.ann, off.channel, files=[SHOT])

    await off.fake.quiet(off.channel)
    assert off.fake.cdn.requests == []
    assert pages.given == []


async def test_who_asks_about_an_image_is_asked_for_text(off: Scene, pages: Pages) -> None:
    """F6, E13: off, it is not fetched, and one sentence says what to do instead."""
    answer = await off.fake.answer_to(off.fake.say(off.ann, off.channel, off.mention(), files=[SHOT]))

    assert "I do not read pictures here; please paste the text that is in shot.png." in visible_text(answer)
    assert off.fake.cdn.requests == []
    assert pages.given == []


async def test_on_a_screenshot_is_answered(on: Scene, pages: Pages) -> None:
    """F6: on, it is fetched once and read, unasked too where it reads like a program's output."""
    answer = await on.fake.answer_to(on.fake.say(on.ann, on.channel, files=[SHOT]))

    assert "Server disconnected" in visible_text(answer)
    assert len(on.fake.cdn.requests) == 1
    assert pages.given == [(PNG, "shot.png", False)]


async def test_who_asks_goes_first(on: Scene, pages: Pages) -> None:
    """C6: the reader is told that somebody waits."""
    await on.fake.answer_to(on.fake.say(on.ann, on.channel, on.mention("what is this?"), files=[SHOT]))

    assert pages.given == [(PNG, "shot.png", True)]
    assert on.knows.texts == [f"what is this?\n{PANIC}"]


async def test_unasked_a_picture_of_something_else_is_silence(on: Scene, pages: Pages) -> None:
    """A1, A6: a photo of a notice board and a picture nobody can read get nothing."""
    for found in (
        Unpacked((Part("Lost cat. Reward!", "shot.png", confidences=(0.99,)),)),
        Unpacked(skipped=(SkippedPart("shot.png", Skipped.UNSURE),)),
    ):
        pages.found = found
        on.fake.say(on.ann, on.channel, files=[SHOT])
        await on.fake.quiet(on.channel)

    assert len(pages.given) == 2
    assert all(text == "" for text in on.knows.texts)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Skipped.UNSURE, "I could not read shot.png surely; please paste the text that is in it."),
        (Skipped.WAITING, "Too many pictures wait for me just now; please paste the text that is in shot.png."),
        (Skipped.TOO_BIG, "shot.png is too big for me; please post only the part around the error."),
    ],
)
async def test_who_asks_is_told_why_a_picture_was_not_read(on: Scene, pages: Pages, why: Skipped, said: str) -> None:
    """E13: each reason has its own sentence."""
    pages.found = Unpacked(skipped=(SkippedPart("shot.png", why),))

    answer = await on.fake.answer_to(on.fake.say(on.ann, on.channel, on.mention(), files=[SHOT]))

    assert said in visible_text(answer)


async def test_content_decides_what_is_a_picture(on: Scene, pages: Pages) -> None:
    """E1: a picture called a log is read as one; a text called a picture is read as text where somebody asks."""
    await on.fake.answer_to(
        on.fake.say(on.ann, on.channel, on.mention(), files=[Upload("crash.log", PNG, "text/plain")])
    )
    assert pages.given == [(PNG, "crash.log", True)]

    liar = Upload("log.png", PANIC.encode(), "image/png")
    await on.fake.answer_to(on.fake.say(on.ben, on.channel, on.mention(), files=[liar]))
    assert len(pages.given) == 1
    assert on.knows.texts[-1] == PANIC

    on.fake.say(on.admin, on.channel, files=[liar])
    await on.fake.quiet(on.channel)
    assert on.knows.texts[-1] in ("", PANIC)
    assert on.knows.texts.count(PANIC) == 2


async def test_what_a_server_sends_instead_of_a_picture_is_refused(on: Scene, pages: Pages) -> None:
    """E5: a film is none, whatever the message says."""
    film = Upload("shot.png", PNG, "image/png", served_type="video/mp4")

    answer = await on.fake.answer_to(on.fake.say(on.ann, on.channel, on.mention(), files=[film]))

    assert "a kind of file I cannot read" in visible_text(answer)
    assert pages.given == []


async def test_other_media_are_no_pictures(on: Scene, pages: Pages) -> None:
    """E13: a film and a drawing in vectors are kinds of file that are not read."""
    files = [Upload("a.mp4", b"film", "video/mp4"), Upload("b.svg", b"<svg/>", "image/svg+xml")]

    answer = await on.fake.answer_to(on.fake.say(on.ann, on.channel, on.mention(), files=files))

    assert visible_text(answer).count("a kind of file I cannot read") == 2
    assert on.fake.cdn.requests == []


async def test_a_secret_in_a_screenshot_is_warned_of(on: Scene, pages: Pages) -> None:
    """F3: its owner is told in private, like of one in text, and the card does not repeat it."""
    key = "ghp_" + "a1B2c3D4" * 5
    pages.found = Unpacked((Part(f"{PANIC}\nusing {key}", "shot.png", confidences=(0.99,) * 3),))

    answer = await on.fake.answer_to(on.fake.say(on.ann, on.channel, on.mention(), files=[SHOT]))
    warning = await on.fake.bot_message(on.fake.add_dm(on.ann))

    assert "GitHub token" in visible_text(warning)
    assert "a1B2c3D4" not in visible_text(answer) + visible_text(warning)


async def test_a_command_reads_where_it_is_used(on: Scene, pages: Pages) -> None:
    """F6: `/error explain` follows the server, and in a direct message what whoever runs the bot has set."""
    here = await on.fake.slash(on.ann, on.channel, "error explain", file=SHOT)
    assert "Server disconnected" in visible_text(await told(on, here))
    private = await on.fake.slash(on.ann, on.fake.add_dm(on.ann), "error explain", file=SHOT)
    assert "I do not read pictures here" in visible_text(await told(on, private))

    assert len(pages.given) == 1


@pytest.mark.parametrize("wanted", [True, False])
async def test_direct_messages_have_a_switch_of_their_own(
    stage: Callable[..., Scene], discord: FakeDiscord, pages: Pages, wanted: bool
) -> None:
    """F6: off there too, until whoever runs the bot says otherwise."""
    scene = stage(reads_pictures_in_dms=wanted)
    with aimed(discord):
        async with scene.connected():
            scene.client.reader._downloads._pictures = pages
            answer = await discord.answer_to(discord.say(scene.ann, discord.add_dm(scene.ann), files=[SHOT]))

    assert ("Server disconnected" in visible_text(answer)) is wanted
    assert len(discord.cdn.requests) == len(pages.given) == int(wanted)


@pytest.mark.skipif(not can_read_pictures(), reason="needs the extra ocr: pip install 'errata-bot[ocr]'")
async def test_a_real_screenshot_is_read_to_its_card(scene: Scene) -> None:
    """F6: the whole way, with the real engine in its process; it ends with the bot."""
    await scene.set(reads_pictures(reads=True))
    shot = Upload("shot.png", screenshot(PANIC, some_look()), "image/png")

    question = scene.fake.say(scene.ann, scene.channel, scene.mention(), files=[shot])

    answer = await scene.fake.answer_to(question, timeout_seconds=60)
    assert "Server disconnected during initialization" in visible_text(answer)
    reader = scene.client.reader._downloads._pictures
    assert reader is not None
    assert reader.process_id is not None
    await scene.client._opened.aclose()
    assert reader.process_id is None
