"""What the process that reads pictures may not do."""

import subprocess
import sys

import pytest

LIMITED = "import bot.sources.picture_worker as worker; worker._limit_itself()\n"


def run(source: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LIMITED + source], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.fork()",
    ],
)
def test_there_is_no_way_out(attempt: str) -> None:
    """E6: neither a connection nor another program, whatever a library or a picture makes it try."""
    done = run(attempt)

    assert done.returncode == 1
    assert "is not allowed here" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited where the system counts it so")
def test_memory_has_an_end() -> None:
    """E2: what wants more than a screenshot can need gets a MemoryError, not the machine's memory."""
    done = run("bytearray(2 * 2**30)")

    assert done.returncode == 1
    assert "MemoryError" in done.stderr


def test_nothing_is_written_to_files(tmp_path: object) -> None:
    """F4: a picture leaves nothing behind."""
    done = run(f"import pathlib; pathlib.Path({str(tmp_path)!r}, 'x').write_text('x' * 10)")

    assert done.returncode == 1
    assert "File too large" in done.stderr


def test_what_goes_wrong_is_told_without_the_picture() -> None:
    """F1: an error's words may hold text that was read, so only its kind and places are passed on."""
    source = (
        "def fail(): raise ValueError('hunter2')\ntry: fail()\nexcept ValueError as error: print(worker._told(error))"
    )

    assert run(source).stdout.startswith("ValueError at <string>:")
    assert "hunter2" not in run(source).stdout


def test_what_libraries_print_is_no_answer() -> None:
    """Answers go out by a way of their own."""
    done = run("own = worker._own_output(); print('chatter', flush=True); own.write(b'answer'); own.flush()")

    assert done.stdout == "answer"
    assert "chatter" in done.stderr


def test_it_ends_with_who_started_it() -> None:
    """However the bot ends, SIGKILL included, its end of the pipe is closed, and nothing is left behind."""
    command = [sys.executable, "-m", "bot.sources.picture_worker"]

    for cut_off in (b"", b"\0\0", b"\0\0\0\x09half"):
        done = subprocess.run(command, input=cut_off, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0
