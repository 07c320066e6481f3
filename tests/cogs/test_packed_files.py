"""Attachments are what their bytes are, on the local Discord."""

import gzip

import pytest

from bot.pastes.paste import Part, Skipped, SkippedPart
from tests.cogs.conftest import Scene
from tests.cogs.fake_answering import PANIC, UNKNOWN
from tests.cogs.test_incoming import read
from tests.discord_standin.payloads import Upload, text_file, visible_text
from tests.pastes.packing import LOG, PACKERS, README, SOURCE, overlapping_zip, renamed_inside, with_flag, zipped

PACKED = {"gz": "application/gzip", "xz": "application/x-xz", "zst": "application/zstd", "zip": "application/zip"}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(60)


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("name", ["app.log", "report"])
async def test_a_packed_log_is_answered_unasked(scene: Scene, name: str, ending: str) -> None:
    """B4: a documented error in a packed log is answered like one in a log, whatever the file is called."""
    file = Upload(f"{name}.{ending}", PACKERS[ending](PANIC.encode()), PACKED[ending])

    question = scene.fake.say(scene.ann, scene.channel, "help", files=[file])

    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize("name", ["stderr", "latest.log.1", "app.out", "archive.zip"])
@pytest.mark.parametrize("kind", [None, "application/octet-stream", "text/plain"])
async def test_a_log_by_any_name_is_answered_unasked(scene: Scene, name: str, kind: str | None) -> None:
    """Content, not the name or what Discord calls it, makes a log; so does a text that is called an archive."""
    question = scene.fake.say(scene.ann, scene.channel, "help", files=[Upload(name, PANIC.encode(), kind)])

    assert await scene.fake.answer_to(question)


@pytest.mark.parametrize(
    "file",
    [
        Upload("src.zip", zipped({"service.py": PANIC, "style.css": PANIC, "README.md": PANIC}), "application/zip"),
        Upload("one.zip", zipped({"README.md": PANIC}), "application/zip"),
        Upload("src.zip", zipped({"main": SOURCE, "readme": README}), "application/zip"),
        Upload("readme.zip", zipped({"a.log": PANIC}), "application/zip"),
        Upload("data.csv.gz", gzip.compress(PANIC.encode()), "application/gzip"),
        Upload("shot", PNG, None),
        Upload("shots.zip", zipped({"1.png": PNG, "2.png": PNG}), "application/zip"),
        Upload("core.1234", b"\x7fELF\x02\x01" + bytes(10) + b"\x04\x00" + bytes(500), None),
        Upload("broken.zip", zipped({"a.log": PANIC})[:-20], "application/zip"),
        Upload("locked.zip", with_flag(zipped({"a.log": PANIC}), 1), "application/zip"),
        Upload("notes", b"We meet at ten and talk about the build.\n", None),
    ],
    ids=lambda file: file.name,
)
async def test_what_is_no_log_gets_silence(scene: Scene, file: Upload) -> None:
    """A6: packed or not, sources, documents, pictures, dumps and what cannot be read are passed over where nobody asked."""
    message = scene.fake.say(scene.ann, scene.channel, "look", files=[file])

    await scene.fake.quiet(scene.channel)
    paste = await read(scene, message, asked=False)
    assert (paste.parts, paste.skipped) == ((Part("look"),), ())


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (
            Upload("crash.dmp", b"MDMP\x93\xa7" + bytes(90), "application/octet-stream"),
            "crash.dmp is a program's memory",
        ),
        (Upload("core.gz", gzip.compress(b"MDMP\x93\xa7" + bytes(9000)), "application/gzip"), "is a program's memory"),
        (Upload("a.zip", with_flag(zipped({"x.log": LOG}), 1)), "a.zip/x.log is locked with a password"),
        (Upload("a.log.gz", gzip.compress(LOG.encode() * 9)[:-12], "application/gzip"), "damaged or was cut off"),
        (Upload("bomb.gz", gzip.compress(b"all is well\n" * 999_999)), "unpacks to far more"),
        (Upload("bomb.zip", overlapping_zip(b"all is well\n" * 99_999, 90), "application/zip"), "unpacks to far more"),
        (Upload("deep.gz", gzip.compress(gzip.compress(gzip.compress(b"x")))), "inside too many archives"),
        (
            Upload("a.zip", renamed_inside(zipped({"xxxx.log": LOG}), b"xxxx.log", b"../x.log")),
            "leads out of its archive",
        ),
        (Upload("empty.zip", zipped({}), "application/zip"), "no text in empty.zip"),
        (
            Upload("a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(90), "application/x-7z-compressed"),
            "a kind of file I cannot read",
        ),
        (Upload("src.zip", zipped({"a.py": SOURCE, "b.md": README})), "I left out src.zip/a.py and src.zip/b.md"),
        (Upload("liar.log", PNG, "text/plain"), "paste the text that is in liar.log"),
    ],
    ids=lambda value: value.name if isinstance(value, Upload) else "",
)
async def test_who_asks_is_told_why_a_file_was_not_read(scene: Scene, file: Upload, reason: str) -> None:
    """E1, E2, E13: each trouble has its own sentence, and the rest of the message is still read."""
    question = scene.fake.say(scene.ann, scene.channel, scene.mention(UNKNOWN), files=[file])

    text = visible_text(await scene.fake.answer_to(question))

    assert reason in text
    assert "I looked at your message" in text


async def test_of_an_archive_the_logs_are_read_and_the_rest_is_named(scene: Scene) -> None:
    """B4: one file of a message, several parts of the paste."""
    archive = zipped({"README": README, "logs/app.log": LOG, "shot.png": PNG, "logs/err": LOG})
    files = [Upload("all.zip", archive, "application/zip"), text_file("b.log", "b")]
    message = scene.fake.say(scene.ann, scene.channel, "see", files=files)

    paste = await read(scene, message, asked=True)

    assert paste.parts == (
        Part("see"), Part(LOG, "all.zip/logs/app.log"), Part(LOG, "all.zip/logs/err"), Part("b", "b.log")
    )  # fmt: skip
    assert paste.skipped == (
        SkippedPart("all.zip/shot.png", Skipped.PICTURE), SkippedPart("all.zip/README", Skipped.NOT_A_LOG)
    )  # fmt: skip


async def test_files_that_may_be_anything_leave_room_for_logs(scene: Scene) -> None:
    """E1: where nobody asked, five files of no known kind do not keep the log behind them from being read."""
    files = [Upload(f"data{number}", b"x", None) for number in range(8)] + [text_file("b.log", "b")]
    message = scene.fake.say(scene.ann, scene.channel, files=files)

    paste = await read(scene, message, asked=False)

    assert (paste.parts, paste.skipped) == ((Part("b", "b.log"),), ())


async def test_the_heart_beats_while_a_bomb_is_unpacked(scene: Scene) -> None:
    """E3, E5: unpacking runs in a thread; messages beside it are answered."""
    bombs = [Upload(f"{n}.gz", gzip.compress(b"all is well\n" * 2_000_000, 1), "application/gzip") for n in range(3)]
    scene.fake.say(scene.ann, scene.channel, files=bombs)

    question = scene.fake.say(scene.ben, scene.channel, PANIC)

    assert await scene.fake.answer_to(question)
