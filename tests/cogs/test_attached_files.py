"""Which attached files are read, and what is said of those that cannot be."""

from collections.abc import Callable

import pytest

from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC, UNKNOWN
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Upload, text_file, visible_text


async def test_a_long_message_made_a_file_is_the_message(scene: Scene) -> None:
    """B3: Discord's client uploads a long message as message.txt; its text is read as the message."""
    question = scene.fake.say(scene.ann, scene.channel, "starting\n" * 600 + PANIC)

    assert question["attachments"]
    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize(
    "file",
    [
        text_file("service.py", PANIC),
        text_file("style.css", PANIC),
        text_file("data.csv", PANIC),
        text_file("README.md", PANIC),
        text_file("README.txt", PANIC),
        Upload("screenshot.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        Upload("build.log", b"\x89PNG\r\n\x1a\n" + bytes(100), "text/plain"),
        Upload("empty.log", b""),
    ],
)
async def test_files_that_are_no_logs_get_silence(scene: Scene, file: Upload) -> None:
    """A6: source, tables, documents, pictures and empty files are never answered unasked."""
    scene.fake.say(scene.ann, scene.channel, "look at this", files=[file])

    await scene.fake.quiet(scene.channel)


@pytest.mark.parametrize("name", ["build.log", "output.txt"])
async def test_logs_are_read_unasked(scene: Scene, name: str) -> None:
    """A log file with a documented error is answered like a message."""
    question = scene.fake.say(scene.ann, scene.channel, "help", files=[text_file(name, PANIC)])

    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (Upload("tool.exe", b"MZ" + bytes(50), "application/x-msdownload"), "a kind of file I cannot read"),
        (Upload("big.log", b"x", declared_size=100_000_000), "too big"),
        (Upload("liar.log", b"x" * 3000, declared_size=10), "too big"),
        (Upload("gone.log", b"x", gone=True), "could not fetch"),
        (Upload("empty.log", b"  \n"), "no text in"),
        (Upload("zeros.log", bytes(400)), "a kind of file I cannot read"),
        (Upload("typed.log", b"x", served_type="image/png"), "a kind of file I cannot read"),
    ],
)
async def test_each_failure_of_a_file_has_its_own_reason(
    stage: Callable[..., Scene], discord: FakeDiscord, file: Upload, reason: str
) -> None:
    """E1, E13: what is wrong with a file is told as it is, and the rest of the message is still read."""
    scene = stage(max_attachment_bytes=2000)
    with aimed(discord):
        async with scene.connected():
            question = discord.say(scene.ann, scene.channel, scene.mention(UNKNOWN), files=[file])

            text = visible_text(await discord.answer_to(question))

    assert reason in text
    assert "I looked at your message" in text
    if file.declared_size == 100_000_000:
        assert not discord.cdn.requests


async def test_a_file_that_never_comes_is_given_up(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """E5: a download that stalls ends with its timeout, and the answer says so."""
    monkeypatch.setattr(scene.client.reader._downloads, "_timeout_seconds", 0.2)
    slow = Upload("slow.log", b"x" * 800, seconds_per_chunk=5)

    question = scene.fake.say(scene.ann, scene.channel, scene.mention(), files=[slow])

    assert "could not fetch" in visible_text(await scene.fake.answer_to(question))


async def test_files_are_fetched_from_the_cdn_alone(scene: Scene) -> None:
    """E5: an attachment that claims to lie elsewhere is not fetched."""
    message = scene.fake.mailbox.make(
        scene.channel, scene.ann, {"content": scene.mention()}, [text_file("a.log", PANIC)]
    )
    message["attachments"][0]["url"] = "http://169.254.169.254/attachments/1/2/a.log"

    scene.fake.emit_message("MESSAGE_CREATE", message)

    assert "could not fetch" in visible_text(await scene.fake.answer_to(message))
