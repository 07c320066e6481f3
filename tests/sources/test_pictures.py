"""The process that reads pictures, from outside: what it is given, how long it may take, and when it ends."""

import asyncio
import io
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.pastes.archives import Unpacked
from bot.pastes.paste import Skipped, SkippedPart
from bot.sources import pictures
from bot.sources.pictures import MOST_WAITING, MOST_WAITING_UNASKED, PictureReader, can_read_pictures, read_one
from tests.screenshots import LIGHT, encoded, screenshot, some_look

PANIC = (
    "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n"
    "Server disconnected during initialization\n"
    "note: run with RUST_BACKTRACE=1 to display a backtrace"
)
# Workers that behave badly, in one line each; `READ` takes a request as the real one does.
READ = "import sys, time, os, json; i = sys.stdin.buffer; o = sys.stdout.buffer\ndef get(): return i.read(int.from_bytes(i.read(4), 'big'))\ndef put(b): o.write(len(b).to_bytes(4, 'big') + b); o.flush()\n"
ECHO = (
    READ
    + "while True:\n  d = get()\n  if not d: break\n  put(json.dumps({'pieces': [[d.decode(), 0.99, 0, 0, 90, 9]]}).encode())"
)
HANGS_ONCE = (
    READ
    + "d = get()\nwhile d:\n  d == b'hang' and time.sleep(60)\n  put(json.dumps({'pieces': [[d.decode() + str(os.getpid()), 0.99, 0, 0, 90, 9]]}).encode())\n  d = get()"
)

needs_engine = pytest.mark.skipif(not can_read_pictures(), reason="needs the extra ocr: pip install 'errata-bot[ocr]'")


@pytest_asyncio.fixture
async def reader() -> AsyncIterator[Callable[..., PictureReader]]:
    """Makes readers over a worker's source; they are closed."""
    made: list[PictureReader] = []

    def make(source: str, *, timeout_seconds: float = 20.0, idle_seconds: float = 60.0) -> PictureReader:
        worker = (sys.executable, "-c", source)
        made.append(PictureReader(worker=worker, timeout_seconds=timeout_seconds, idle_seconds=idle_seconds))
        return made[-1]

    yield make
    for one in made:
        await one.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[PictureReader]:
    """The real engine, started once for the tests of this file."""
    one = PictureReader(timeout_seconds=90)
    yield one
    await one.close()


def texts(found: Unpacked) -> list[str]:
    return [part.text for part in found.parts]


async def comes_true(condition: Callable[[], bool]) -> None:
    """Return once it is so; nobody tells when a process has ended."""
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come true within 5 s")


def gone(found: Unpacked) -> list[Skipped]:
    return [part.why for part in found.skipped]


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
async def test_a_screenshot_is_read(engine: PictureReader) -> None:
    """The message, the file and the line of a dark terminal come out letter by letter, and surely."""
    found = await engine.read(screenshot(PANIC, some_look()), "shot.png")

    (part,) = found.parts
    assert part.name == "shot.png"
    assert part.text.split("\n")[:2] == PANIC.split("\n")[:2]
    assert part.confidences is not None
    assert min(part.confidences[:2]) > 0.95


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("form", "mode"), [("JPEG", "RGB"), ("WEBP", "RGB"), ("GIF", "P"), ("PNG", "RGBA"), ("PNG", "L")]
)
async def test_every_form_is_read(engine: PictureReader, form: str, mode: str) -> None:
    """JPEG, WebP, the first frame of a GIF, and PNG with transparency or in grey."""
    from PIL import Image

    picture = Image.open(io.BytesIO(screenshot(PANIC, some_look()))).convert(mode)

    found = await engine.read(encoded(picture, form), "shot")

    assert "Server disconnected during initialization" in texts(found)[0]


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
async def test_only_the_first_frame_counts(engine: PictureReader) -> None:
    """An animation's later frames are neither decoded nor read."""
    from PIL import Image

    first, second = (Image.open(io.BytesIO(screenshot(text, some_look(), width=60))) for text in ("one", "two"))
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=[second])

    assert texts(await engine.read(file.getvalue(), "a.gif")) == ["one"]


def huge_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is that large, with data that is none."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(9))) + chunk(b"IEND", b"")


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (huge_png(50_000, 50_000), Skipped.TOO_BIG),
        (huge_png(2**31 - 1, 1), Skipped.TOO_BIG),
        (huge_png(4000, 3000), Skipped.TOO_BIG),
        (huge_png(100, 100), Skipped.DAMAGED),
        (huge_png(0, 0), Skipped.DAMAGED),
        (b"\x89PNG\r\n\x1a\n", Skipped.DAMAGED),
        (b"\xff\xd8\xff\xe0" + bytes(100), Skipped.DAMAGED),
        (b"GIF89a", Skipped.DAMAGED),
        (b"RIFF\0\0\0\0WEBPVP8 ", Skipped.DAMAGED),
        (b"no picture at all", Skipped.DAMAGED),
        (b"", Skipped.DAMAGED),
    ],
)
async def test_bombs_and_other_files_are_refused(engine: PictureReader, data: bytes, why: Skipped) -> None:
    """E1, E2: what says it is huge is refused by its head, what is no picture by its content; the process lives on."""
    before = engine.process_id

    assert gone(await engine.read(data, "a.png")) == [why]
    assert before is None or engine.process_id == before


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
async def test_a_real_bomb_is_not_unpacked(engine: PictureReader) -> None:
    """E2: 100 million black pixels in 100 KB of PNG cost no memory."""
    from PIL import Image

    bomb = encoded(Image.new("L", (10_000, 10_000)), "PNG")
    assert len(bomb) < 200_000

    assert gone(await engine.read(bomb, "a.png")) == [Skipped.TOO_BIG]
    assert engine.process_id is not None
    assert peak_memory(engine.process_id) < 900 * 2**20


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
async def test_a_picture_without_text_is_empty(engine: PictureReader) -> None:
    """E13: nothing to read is not the same as nothing readable."""
    from PIL import Image

    assert gone(await engine.read(encoded(Image.new("RGB", (400, 300), "teal"), "PNG"), "a.png")) == [Skipped.EMPTY]


@needs_engine
@pytest.mark.asyncio(loop_scope="module")
async def test_a_picture_too_small_to_read_is_unsure(engine: PictureReader) -> None:
    """The gate: letters of four pixels are not guessed at."""
    from dataclasses import replace

    tiny = replace(some_look(), size=13, scale=0.3, theme=LIGHT, quality=25)

    found = await engine.read(screenshot(PANIC, tiny), "a.jpg")

    assert gone(found) in ([Skipped.UNSURE], [Skipped.EMPTY])


def peak_memory(process_id: int) -> int:
    """The most memory a process has had, in bytes."""
    status = Path(f"/proc/{process_id}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


@needs_engine
def test_the_bots_own_process_loads_nothing_of_it() -> None:
    """The reader and the whole Discord edge come without onnxruntime, OpenCV and Pillow."""
    source = (
        "import sys, bot.sources.pictures, bot.cogs.client, bot.cli.main; bot.sources.pictures.can_read_pictures();"
        "print([name for name in ('onnxruntime', 'cv2', 'rapidocr', 'PIL') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@needs_engine
def test_the_terminal_reads_one_at_once() -> None:
    """`errata ask shot.png` needs no event loop."""
    found = read_one(screenshot(PANIC, some_look()), "shot.png")

    assert "Server disconnected during initialization" in texts(found)[0]


@pytest.mark.parametrize("data", [b"x", b""])
async def test_without_the_extra_a_picture_is_named(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """E13: where nothing is installed it is said, and no process is started."""
    monkeypatch.setattr(pictures, "can_read_pictures", lambda: False)
    one = PictureReader()

    assert await one.read(data, "a.png") == Unpacked(skipped=(SkippedPart("a.png", Skipped.PICTURE),))
    assert read_one(data, "a.png") == Unpacked(skipped=(SkippedPart("a.png", Skipped.PICTURE),))
    assert not one.can_read
    assert one.process_id is None


async def test_a_picture_that_takes_too_long_ends_its_process(reader: Callable[..., PictureReader]) -> None:
    """E5: after the timeout it is killed, the picture is given up, and the next one gets a new process."""
    one = reader(HANGS_ONCE, timeout_seconds=2.0)
    await one.read(b"first", "a.png")
    before = one.process_id

    assert gone(await one.read(b"hang", "a.png")) == [Skipped.UNSURE]
    assert one.process_id is None
    after = await one.read(b"next", "a.png")

    assert before is not None
    assert not Path(f"/proc/{before}").exists()
    assert texts(after) == [f"next{one.process_id}"]
    assert one.process_id != before


@pytest.mark.parametrize(
    "source",
    [
        "import os; os.abort()",
        READ + "get(); os.abort()",
        READ + "get(); os._exit(0)",
        READ + "get(); put(b'no JSON')",
        READ + "get(); put(b'[]')",
        READ + "get(); o.write(b'\\xff' * 64); o.flush(); time.sleep(60)",
        READ + "get(); o.write(b'\\0\\0\\0\\x09{'); o.flush(); os._exit(1)",
        READ + "get(); put(json.dumps({'failed': 'MemoryError at x.py:1'}).encode())",
    ],
)
async def test_a_crash_costs_one_picture(reader: Callable[..., PictureReader], source: str) -> None:
    """E1: whatever happens to the process, the picture is given up, with the sentence that asks for the text."""
    assert gone(await reader(source).read(b"x" * 200_000, "a.png")) == [Skipped.UNSURE]


async def test_a_process_that_died_meanwhile_is_replaced(reader: Callable[..., PictureReader]) -> None:
    """Killed between two pictures, by the system or a person, it is started anew."""
    import os
    import signal

    one = reader(ECHO)
    await one.read(b"first", "a.png")
    assert one.process_id is not None
    os.kill(one.process_id, signal.SIGKILL)
    await comes_true(lambda: one.process_id is None)

    assert texts(await one.read(b"second", "a.png")) == ["second"]


async def test_pictures_never_mix(reader: Callable[..., PictureReader]) -> None:
    """E4: of pictures asked for at once each gets its own answer."""
    one = reader(ECHO)

    found = await asyncio.gather(*(one.read(f"text {n}".encode(), f"{n}.png") for n in range(MOST_WAITING)))

    assert [texts(each) for each in found] == [[f"text {n}"] for n in range(MOST_WAITING)]


async def test_a_reading_that_was_called_off_is_not_the_next_ones(reader: Callable[..., PictureReader]) -> None:
    """E4: whoever stops waiting leaves no answer behind."""
    one = reader(
        READ
        + "while True:\n  d = get()\n  if not d: break\n  d == b'slow' and time.sleep(0.5)\n  put(json.dumps({'pieces': [[d.decode(), 0.99, 0, 0, 90, 9]]}).encode())"
    )
    slow = asyncio.create_task(one.read(b"slow", "a.png"))
    await asyncio.sleep(0.2)

    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)

    assert slow.cancelled()
    assert texts(await one.read(b"quick", "b.png")) == ["quick"]


async def test_only_so_many_wait(reader: Callable[..., PictureReader]) -> None:
    """C6: more are turned away at once; those nobody asked about sooner."""
    one = reader(HANGS_ONCE, timeout_seconds=1.0)
    waiting = [asyncio.create_task(one.read(b"hang", "a.png")) for _ in range(MOST_WAITING_UNASKED)]
    await asyncio.sleep(0)

    assert gone(await one.read(b"x", "b.png", asked=False)) == [Skipped.WAITING]
    waiting += [asyncio.create_task(one.read(b"y", "a.png")) for _ in range(MOST_WAITING - MOST_WAITING_UNASKED)]
    await asyncio.sleep(0)
    assert gone(await one.read(b"z", "c.png")) == [Skipped.WAITING]
    for task in waiting:
        await task


async def test_the_process_ends_when_nothing_follows(reader: Callable[..., PictureReader]) -> None:
    """Its memory is needed only while pictures are read."""
    one = reader(ECHO, idle_seconds=0.2)
    at_first = one.process_id
    await one.read(b"first", "a.png")
    process_id = one.process_id
    assert at_first is None
    assert process_id is not None

    await comes_true(lambda: one.process_id is None and not Path(f"/proc/{process_id}").exists())

    assert texts(await one.read(b"second", "a.png")) == ["second"]


async def test_closing_ends_it(reader: Callable[..., PictureReader]) -> None:
    """Nothing is left behind when the bot stops."""
    one = reader(ECHO)
    await one.read(b"first", "a.png")
    process_id = one.process_id

    await one.close()

    assert one.process_id is None
    assert not Path(f"/proc/{process_id}").exists()


async def test_the_process_has_no_token(reader: Callable[..., PictureReader], monkeypatch: pytest.MonkeyPatch) -> None:
    """F1: who decodes strangers' files knows nothing worth stealing."""
    monkeypatch.setenv("ERRATA_TOKEN", "secret")
    one = reader(READ + "get(); put(json.dumps({'pieces': [[' '.join(os.environ), 0.99, 0, 0, 90, 9]]}).encode())")

    (found,) = texts(await one.read(b"x", "a.png"))

    assert "PYTHONPATH" in found
    assert "ERRATA" not in found
