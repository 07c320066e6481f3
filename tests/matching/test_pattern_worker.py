"""Buckets compiled in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.matching import pattern_worker
from bot.matching.pattern_worker import Job, NotCompiled, compile_all
from tests.fakes import invented_facts
from tests.process_family import family
from tests.shared_data import REPOSITORY

JOBS = tuple(
    Job(
        f"bucket-{name}",
        tuple(
            invented_facts(f"{number:016x}", f"silo {name}{number} is {{state}}\udc80", related=("the weir {n} broke",))
            for number in range(30)
        ),
    )
    for name in "abc"
)


@pytest.mark.parametrize("hyperscan_wanted", [True, False])
def test_processes_compile_what_this_one_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hyperscan_wanted: bool
) -> None:
    """The same files to the byte, also where a record holds half of a surrogate pair; each bucket is told once."""
    here, beside = tmp_path / "here", tmp_path / "be side"
    here.mkdir()
    beside.mkdir()
    told: list[int] = []
    compile_all(here, JOBS, lambda: None, hyperscan_wanted=hyperscan_wanted)
    monkeypatch.setattr(pattern_worker, "MOST_COMPILED_HERE", 0)
    monkeypatch.setattr(pattern_worker, "compile_bucket", lambda *_args, **_more: pytest.fail("compiled here"))

    compile_all(beside, JOBS, lambda: told.append(1), hyperscan_wanted=hyperscan_wanted)

    assert len(told) == len(JOBS)
    assert {path.name: path.read_bytes() for path in beside.iterdir()} == {
        path.name: path.read_bytes() for path in here.iterdir()
    }


def test_a_process_that_ends_early_is_an_error_with_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is taken for compiled that is not."""
    monkeypatch.setattr(pattern_worker, "MOST_COMPILED_HERE", 0)

    with pytest.raises(NotCompiled, match=r"exit code 1.*No such file or directory"):
        compile_all(tmp_path / "nowhere", JOBS, lambda: None, hyperscan_wanted=True)


def test_stopping_ends_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is told of progress may raise; nothing goes on compiling then."""
    monkeypatch.setattr(pattern_worker, "MOST_COMPILED_HERE", 0)
    running: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def noted(*args: object, **more: object) -> "subprocess.Popen[bytes]":
        running.append(real(*args, **more))  # type: ignore[call-overload]
        return running[-1]

    def stop() -> None:
        raise InterruptedError

    monkeypatch.setattr(subprocess, "Popen", noted)

    with pytest.raises(InterruptedError):
        compile_all(tmp_path, JOBS, stop, hyperscan_wanted=True)

    assert len(running) >= 1
    assert all(process.returncode is not None for process in running)


# Half a minute of work for one process.
LONG = """
import sys
from pathlib import Path
from bot.matching import pattern_worker
from bot.matching.facts import Facts
members = tuple(
    Facts(id=f"{n:016x}", repo="", message="", pattern=f"silo {n} [^x]*(?:lost|gone).*at {n * 7}") for n in range(4000)
)
print("begins", flush=True)
pattern_worker.compile_all(
    Path(sys.argv[1]), [pattern_worker.Job("bucket-a", members)], lambda: None, hyperscan_wanted=True
)
"""


def test_the_processes_end_with_a_killed_parent(tmp_path: Path) -> None:
    """SIGKILL of the build: what it started ends too, though nobody tells it (G1)."""
    with _long_build(tmp_path) as build:
        (worker,) = _within(30, lambda: family(build.pid)[1:])
        _within(30, lambda: os.getpriority(os.PRIO_PROCESS, worker) == os.nice(0) + 10)

        build.send_signal(signal.SIGKILL)
        build.wait()

        assert _within(20, lambda: _is_gone(worker))
    assert not list(tmp_path.glob("bucket-a.json"))


def test_ctrl_c_stops_a_build_at_once(tmp_path: Path) -> None:
    """The compiler is not waited for: the processes of the group end, and with them the build, wherever it waits."""
    with _long_build(tmp_path) as build:
        (worker,) = _within(30, lambda: family(build.pid)[1:])
        _within(30, lambda: os.getpriority(os.PRIO_PROCESS, worker) == os.nice(0) + 10)

        os.kill(worker, signal.SIGINT)

        assert build.stderr is not None
        said = build.stderr.read().decode()
        assert build.wait(20) == 1
    assert "NotCompiled: compiling patterns was broken off (signal 2)" in said
    assert not list(tmp_path.glob("bucket-a.json"))


@contextmanager
def _long_build(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    if not Path("/proc/self/task").exists():
        pytest.skip("needs /proc to see the processes of a process")
    command = (sys.executable, "-c", LONG, str(folder))
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == b"begins\n"
        try:
            yield build
        finally:
            build.kill()


def _within(seconds: float, wanted: Callable[[], list[int] | bool]) -> list[int]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := wanted():
            return found if isinstance(found, list) else [1]
        time.sleep(0.02)
    pytest.fail(f"not within {seconds} s")


def _is_gone(process: int) -> bool:
    """Ended; whoever inherited it need not have looked at it yet."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state.rsplit(")", 1)[1].split()[0] == "Z"
