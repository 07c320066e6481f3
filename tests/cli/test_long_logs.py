"""Files of any size on the command line: an excerpt says what the whole would, in memory that does not grow."""

import gzip
import io
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from bot.cli import paste_input
from bot.pastes.paste import Paste, Skipped, SkippedPart
from tests.cli.errata_command import Errata
from tests.cli.panics import PANICS, SERVER_DISCONNECTED
from tests.pastes.readers.log_noise import noise, noise_bytes
from tests.shared_data import REPOSITORY

PANIC = PANICS[SERVER_DISCONNECTED]
_MIB = 2**20
# A process that has only imported what it needs takes 60 MB; an excerpt and what it is made from add some 30.
MOST_MEMORY = 160 * _MIB

# Not getrusage: what that tells of a new process includes what its parent held, and pytest holds a lot.
_MEASURE = """
import sys
from pathlib import Path
from bot.cli.main import run
try:
    run(sys.argv[1:])
finally:
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""


def _log(mebibytes: int) -> Iterator[bytes]:
    """A log of this size with the panic in its middle; at most one piece of it is in memory."""
    yield from noise_bytes(mebibytes * _MIB // 2)
    yield f"\n{PANIC}\n\n".encode()
    yield from noise_bytes(mebibytes * _MIB // 2)


def _written(path: Path, mebibytes: int) -> tuple[Path, int]:
    """The file, and the number of the first line of the panic in it, counted from 1."""
    before = 0
    panic = f"\n{PANIC}\n\n".encode()
    found = 0
    with path.open("wb") as file:
        for piece in _log(mebibytes):
            if piece == panic:
                found = before + 2
            before += piece.count(b"\n")
            file.write(piece)
    return path, found


def test_twenty_megabytes_are_read_in_bounded_memory(tmp_path: Path) -> None:
    """The one error of a long log is told at its own line, and the process stays small."""
    path, line = _written(tmp_path / "long.log", 20)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ERRATA_")}

    ended = subprocess.run(
        [sys.executable, "-c", _MEASURE, "--data-dir", str(tmp_path), "read", str(path), "--json"],
        cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    (part,) = json.loads(ended.stdout)["parts"]
    assert part["excerpt"] is True
    assert [(error["reader"], error["first_line"]) for error in part["errors"]] == [("rust", line)]
    assert int(ended.stderr.split()[-1]) < MOST_MEMORY


def test_a_long_log_is_answered_like_its_excerpt(errata: Errata, tmp_path: Path) -> None:
    """Twenty megabytes around a panic, or a few lines: the same record, by the same tier."""
    path, _ = _written(tmp_path / "long.log", 20)

    long = errata("ask", "--json", str(path)).json
    short = errata("ask", "--json", stdin="\n".join([*noise(20), "", PANIC, "", *noise(20)]).encode()).json

    assert long["matches"][0]["id"] == SERVER_DISCONNECTED
    for found in ("id", "tier", "reason"):
        assert long["matches"][0][found] == short["matches"][0][found]
    assert long["shown"] is short["shown"] is True


@pytest.mark.parametrize(
    "pack", [gzip.compress, lzma.compress, zstandard.ZstdCompressor().compress], ids=["gzip", "xz", "zstd"]
)
def test_a_packed_long_log_is_read_too(pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B4: also where neither what is packed nor what comes out would be read whole."""
    assert callable(pack)
    monkeypatch.setattr(paste_input, "LARGEST_WHOLE", 20_000)
    monkeypatch.setattr(paste_input, "LARGEST_PACKED", 300_000)
    path = tmp_path / "log.packed"
    path.write_bytes(pack(b"".join(_log(5))))

    (part,) = paste_input.paste_of_argument(str(path)).parts

    assert part.name == "log.packed"
    assert "Server disconnected during initialization" in part.text
    assert part.numbers is not None
    assert len(part.numbers) == len(part.text.splitlines())


def test_what_is_packed_small_and_long_unpacked_is_an_excerpt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a pipe as well."""
    monkeypatch.setattr(paste_input, "LARGEST_PACKED", 1_000_000)
    packed = gzip.compress(b"".join(_log(5)))

    (part,) = paste_input.paste_of_stream(_pipe(packed)).parts

    assert "Server disconnected during initialization" in part.text
    assert part.numbers is not None


def test_a_bomb_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """E2: what grows more than any log is no log, however much of it is looked at."""
    monkeypatch.setattr(paste_input, "LARGEST_WHOLE", 20_000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"all is well\n" * 3_000_000, 9))

    assert paste_input.paste_of_argument(str(path)) == Paste((), skipped=(SkippedPart("bomb.gz", Skipped.BOMB),))


@pytest.mark.parametrize(
    ("data", "why"), [(bytes(range(1, 32)) * 200_000, Skipped.BINARY), (b" \n" * 3_000_000, Skipped.EMPTY)]
)
def test_a_long_file_that_says_nothing_is_told(data: bytes, why: Skipped) -> None:
    """A disk image and five megabytes of blank lines are different outcomes (E13)."""
    assert paste_input.paste_of_stream(_pipe(data)) == Paste((), skipped=(SkippedPart("standard input", why),))


def test_a_long_file_in_another_encoding_is_read() -> None:
    """B2: its first bytes tell what the rest is written in."""
    text = "\n".join([*noise(30_000), "", PANIC])

    (part,) = paste_input.paste_of_stream(_pipe(text.encode("utf-16"))).parts

    assert part.text.endswith(PANIC.splitlines()[-1])


def _pipe(data: bytes) -> io.BytesIO:
    return io.BytesIO(data)
