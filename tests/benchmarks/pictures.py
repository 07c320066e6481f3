"""Screenshots through the reader of pictures and the pattern tier: found or not, how long, how much memory.

`python -m tests.benchmarks.pictures [PICTURES]`; default 72, which are drawn here in fonts, sizes, themes, previews and
JPEGs, each of one of eight outputs. Beside it tesseract, where it is installed, on the same pictures turned dark on
light and doubled in size, which suits it best. The second table is what `SURE` and `READABLE` are chosen by.
"""

import asyncio
import difflib
import io
import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.answering import Answering
from bot.assembly import assembled
from bot.pastes.normalise import normalise_line
from bot.pastes.paste import Part, Paste
from bot.pastes.pictures import READABLE, SURE
from bot.records.record import Record
from bot.settings import load_settings
from bot.sources.pictures import PictureReader, can_read_pictures
from bot.store.records import RecordStore
from bot.store.sqlite import FILE_NAME, Database
from tests.acceptance.invented import CATALOGUE, GRANARY, LEDGER, MODULE, MOORING, ROOT, SPRITE, VALVE, WRAPPER
from tests.acceptance.pipeline import AT, NoModel, found_first
from tests.screenshots import DARK, LIGHT, SOLARIZED, Look, fonts, looks, screenshot, shown_lines

PICTURES = 72
OUTPUTS: Sequence[tuple[Record, str]] = (
    (
        VALVE,
        (
            "$ valvectl calibrate --all\nTraceback (most recent call last):\n"
            '  File "/home/ann/valvectl/main.py", line 212, in run\n    self.actuator.calibrate(torque=limit)\n'
            '  File "/home/ann/valvectl/actuators.py", line 11, in calibrate\n    raise TorqueError(name)\n'
            "valvectl.errors.TorqueError: Actuator boiler-7 refused torque calibration"
        ),
    ),
    (
        LEDGER,
        (
            'Exception in thread "main" org.quill.ledger.UnbalancedPostingException: Posting 4711 violates double-entry '
            "invariant of journal sales-2026\n\tat org.quill.ledger.Posting.check(Posting.java:12)\n"
            "\tat org.quill.ledger.Journal.post(Journal.java:88)\n\tat org.quill.ledger.Main.main(Main.java:9)"
        ),
    ),
    (
        SPRITE,
        (
            "/srv/app/node_modules/packer/src/atlas.js:13\n      throw new RangeError(message);\n      ^\n\n"
            "RangeError: Sprite atlas overflow: 4097 frames exceed 4096\n"
            "    at pack (/srv/app/node_modules/packer/src/atlas.js:13:13)\n    at async Promise.all (index 0)\n\n"
            "Node.js v22.14.0"
        ),
    ),
    (
        MOORING,
        (
            '2026/11/30 10:12:44 assigning 12 vessels\npanic: berth "north-3" already occupied by vessel "Lady Jane"\n\n'
            "goroutine 1 [running]:\nmain.assign(0xc000012345)\n\t/src/internal/berth/assign.go:14 +0x1d"
        ),
    ),
    (
        GRANARY,
        (
            "     Running `target/debug/granary --silo 3`\n\n"
            "thread 'main' panicked at crates/granary-bin/src/hopper.rs:15:9:\n"
            'hopper 9 starved while draining silo "B"\n'
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
        ),
    ),
    (
        MODULE,
        (
            "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'express'\n"
            "Require stack:\n- /home/ben/site/server.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n"
            "  code: 'MODULE_NOT_FOUND',"
        ),
    ),
    (
        ROOT,
        (
            "ERROR [dive-1] o.abyss.Dive - dive failed\n"
            "org.abyss.DivePlanException: Could not begin dive plan for submersible Nautilus\n"
            "\tat org.abyss.Dive.begin(Dive.java:20)\n"
            "Caused by: org.ballast.BallastException: Ballast tank sensor reports negative displacement\n"
            "\tat org.ballast.Tank.read(Tank.java:21)\n\t... 3 more"
        ),
    ),
    (
        WRAPPER,
        (
            "$ abyss dive\norg.abyss.DivePlanException: Could not begin dive plan for submersible Alvin\n"
            "\tat org.abyss.Dive.begin(Dive.java:20)"
        ),
    ),
)
_BANDS = (0.0, READABLE, 0.90, 0.95, SURE, 0.98, 0.99, 1.01)


@dataclass(slots=True)
class Readings:
    """How one engine did. Seconds are those of a picture; memory is the process's peak in MiB, where it is known."""

    engine: str
    pictures: int = 0
    found: int = 0
    unasked: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    memory: float | None = None
    missed: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        median, slow = statistics.median(self.seconds), sorted(self.seconds)[round(0.95 * (len(self.seconds) - 1))]
        memory = f", peak {self.memory:.0f} MiB" if self.memory is not None else ""
        missed = "; ".join(f"{look} {count}" for look, count in self.missed.items())
        return (
            f"{self.engine}: {self.found} of {self.pictures} screenshots find their record, {self.unasked} surely enough "
            f"to be posted unasked, {self.wrong} wrong; median {median:.2f} s, p95 {slow:.2f} s{memory}"
            + (f"; missed: {missed}" if missed else "")
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One line that was read: how sure, its letters, and how many of them are not those of the screenshot."""

    confidence: float
    letters: int
    wrong: int


def measure(count: int = PICTURES) -> list[str]:
    """Each engine over the same pictures; then the letters that were wrong, by how sure the engine was of their line."""
    if not fonts():
        return ["pictures: not measured, there is no font of fixed width here"]
    drawn = [(look, record, text, screenshot(text, look)) for look, record, text in itertools.islice(_set(), count)]
    return asyncio.run(_measure(drawn))


async def _measure(drawn: Sequence[tuple[Look, Record, str, bytes]]) -> list[str]:
    results: list[str] = []
    with tempfile.TemporaryDirectory(prefix="errata-pictures-") as folder:
        async with _knowing(Path(folder)) as answering:
            if can_read_pictures():
                results += await _with_reader(drawn, answering)
            else:
                results.append("rapidocr: not measured, the extra ocr is not installed")
            if shutil.which("tesseract"):
                tesseract = Readings("tesseract, dark on light, doubled")
                for look, record, _text, data in drawn:
                    began = time.perf_counter()
                    text = await asyncio.to_thread(_tesseract, data)
                    tesseract.seconds.append(time.perf_counter() - began)
                    await _judge(tesseract, look, record, Part(text), answering)
                results.append(str(tesseract))
            else:
                results.append("tesseract: not measured, it is not installed")
    return results


@asynccontextmanager
async def _knowing(folder: Path) -> AsyncIterator[Answering]:
    """The pattern tier over the invented catalogue: guesses are not what is measured."""
    async with Database.open(folder / FILE_NAME) as database:
        await RecordStore(database).put(CATALOGUE, "a benchmark", AT)
    async with assembled(load_settings(data_dir=folder), encoder=NoModel(), guesses=False) as parts:
        yield parts.answering


async def _with_reader(drawn: Sequence[tuple[Look, Record, str, bytes]], answering: Answering) -> list[str]:
    readings, lines = Readings("rapidocr in its process"), list[Line]()
    reader = PictureReader(timeout_seconds=120)
    try:
        began = time.perf_counter()
        await reader.read(drawn[0][3], "first")
        start = time.perf_counter() - began
        for look, record, text, data in drawn:
            began = time.perf_counter()
            found = await reader.read(data, str(look))
            readings.seconds.append(time.perf_counter() - began)
            part = found.parts[0] if found.parts else Part("")
            await _judge(readings, look, record, part, answering)
            lines += _judged(part, shown_lines(text, look))
        readings.memory = _peak(reader.process_id)
    finally:
        await reader.close()
    bands = [f"  {low:.2f} to {high:.2f}: {_band(lines, low, high)}" for low, high in itertools.pairwise(_BANDS)]
    return [str(readings), f"the first picture, with the engine's start: {start:.1f} s", "lines by confidence:", *bands]


async def _judge(to: Readings, look: Look, record: Record, part: Part, answering: Answering) -> None:
    verdict = await answering.explain(Paste((part,), asked=False))
    to.pictures += 1
    if found_first(verdict, record):
        to.found += 1
        to.unasked += verdict.shown
        return
    to.wrong += verdict.shown
    to.missed[str(look)] = to.missed.get(str(look), 0) + 1


def _judged(part: Part, shown: Sequence[str]) -> Iterator[Line]:
    truths = [normalise_line(line) for line in shown if line.strip()]
    for line, confidence in zip(part.text.split("\n"), part.confidences or (), strict=False):
        read = normalise_line(line)
        yield Line(confidence, len(read), min(_differing(read, truth) for truth in truths))


def _differing(read: str, truth: str) -> int:
    same = sum(block.size for block in difflib.SequenceMatcher(None, read, truth, autojunk=False).get_matching_blocks())
    return max(len(read), len(truth)) - same


def _band(lines: Sequence[Line], low: float, high: float) -> str:
    inside = [line for line in lines if low <= line.confidence < high]
    if not inside:
        return "none"
    right = sum(line.wrong == 0 for line in inside)
    letters, wrong = sum(line.letters for line in inside), sum(line.wrong for line in inside)
    return f"{len(inside)} lines, {right} of them without a fault, {100 * wrong / letters:.2f} letters wrong of 100"


def _set() -> Iterator[tuple[Look, Record, str]]:
    """Looks and outputs in turn, so that a short run sees all of both; the worst previews are in it as well."""
    plain = Look(next(iter(fonts())))
    poor = (
        replace(plain, size=16, scale=0.5, quality=70),
        replace(plain, size=13, scale=0.6, theme=DARK, quality=50),
        replace(plain, size=12, scale=0.8, theme=SOLARIZED, quality=30),
        replace(plain, size=14, scale=0.55, theme=LIGHT),
    )
    every: Callable[[], Iterator[Look]] = lambda: itertools.chain(looks(), poor)  # noqa: E731  # said once, run again
    for shift in itertools.count():
        for number, look in enumerate(every()):
            record, text = OUTPUTS[(number + shift) % len(OUTPUTS)]
            yield look, record, text.replace("\t", "    ")


def _tesseract(data: bytes) -> str:
    from PIL import Image, ImageOps

    grey = Image.open(io.BytesIO(data)).convert("L")
    if grey.getpixel((2, 2)) < 128:  # type: ignore[operator]  # of a grey picture it is a number
        grey = ImageOps.invert(grey)
    file = io.BytesIO()
    grey.resize((grey.width * 2, grey.height * 2)).save(file, "PNG")
    command = ["tesseract", "-", "-", "--psm", "6"]
    return subprocess.run(command, input=file.getvalue(), capture_output=True, check=True).stdout.decode()


def _peak(process_id: int | None) -> float | None:
    status = Path(f"/proc/{process_id}/status")
    if not status.exists():
        return None
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


if __name__ == "__main__":
    for result in measure(int(sys.argv[1]) if len(sys.argv) > 1 else PICTURES):
        print(result)
