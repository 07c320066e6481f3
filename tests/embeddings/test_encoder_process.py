"""The encoder in a process of its own: the same vectors, and what happens when the process does not answer."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from embeddings.encoder import FloatMatrix
from embeddings.encoder_process import EncoderProcess
from embeddings.errors import EncoderUnavailable
from embeddings.hashed_encoder import HashedEncoder
from embeddings.sentence_encoder import DIM, SentenceEncoder
from tests.process_family import has_mapped

# A worker without a model: the hashed encoder, at the model's dimension.
SERVES = (
    "import os, sys, time; from embeddings.encoder_worker import *; from embeddings.hashed_encoder import HashedEncoder\n"
    f"encoder = HashedEncoder(dim={DIM})\n"
)
ANSWERS = "answer_all(encoder, sys.stdin.buffer, own_output())\n"


def worker(before: str = "", then: str = ANSWERS) -> tuple[str, ...]:
    """The command of a worker that runs these lines."""
    return (sys.executable, "-c", SERVES + before + then)


@pytest.fixture
def encoder() -> Iterator[EncoderProcess]:
    """One whose process has no model."""
    process = EncoderProcess(worker=worker())
    yield process
    process.close()


def expected(texts: Sequence[str]) -> FloatMatrix:
    return HashedEncoder(dim=DIM).encode(texts)


def is_running(process: EncoderProcess) -> bool:
    return process.process_id is not None


def test_it_has_the_name_of_the_model_and_starts_nothing_for_it() -> None:
    """A8: an index of the one fits the other."""
    process, shipped = EncoderProcess(), SentenceEncoder()

    assert (process.name, process.revision, process.dim) == (shipped.name, shipped.revision, shipped.dim)
    assert process.encode([]).shape == (0, DIM)
    assert process.process_id is None


def test_it_returns_what_the_worker_encodes(encoder: EncoderProcess) -> None:
    """Rows in the order of the texts, also of empty, broken and long ones; the process is kept."""
    texts = ["server hung up", "", "half a pair \ud800", "line\n" * 50_000, "größer ≥ 3"]

    np.testing.assert_array_equal(encoder.encode(texts[:1] + texts[2:]), expected(texts[:1] + texts[2:]))
    first = encoder.process_id
    encoder.encode(texts)[0, 0] = 2.0  # nobody else's memory

    np.testing.assert_array_equal(encoder.encode(texts), expected(texts))
    assert encoder.process_id == first is not None


def test_threads_take_turns(encoder: EncoderProcess) -> None:
    """E4: concurrent questions never mix."""
    texts = [[f"failure {number}", f"of kind {number}"] for number in range(8)]
    found: dict[int, FloatMatrix] = {}
    threads = [
        threading.Thread(target=lambda number=number: found.update({number: encoder.encode(texts[number])}))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for number, some in enumerate(texts):
        np.testing.assert_array_equal(found[number], expected(some))


def test_a_process_that_was_killed_is_started_anew(encoder: EncoderProcess, caplog: pytest.LogCaptureFixture) -> None:
    """E12: a system that is short of memory kills the model, not the bot; the next question is answered."""
    encoder.encode(["x"])
    killed = encoder.process_id
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    while is_running(encoder):
        time.sleep(0.01)
    endless = ["y", "z" * 1_000_000]  # more than a pipe holds

    np.testing.assert_array_equal(encoder.encode(endless), expected(endless))
    assert encoder.process_id != killed
    assert "the encoder's process ended without an answer (exit code -9)" in caplog.text


def test_a_process_that_always_ends_is_an_unavailable_encoder(tmp_path: Path) -> None:
    """E12: the caller goes on by words; it is not started for ever."""
    starts = tmp_path / "starts"
    process = EncoderProcess(worker=worker(f"open({str(starts)!r}, 'a').write('x')\n", "sys.exit(3)\n"))

    with pytest.raises(EncoderUnavailable, match="its process ends before it answers"):
        process.encode(["x"])
    assert starts.read_text(encoding="ascii") == "xx"
    assert process.process_id is None


def test_a_process_that_hangs_is_ended(caplog: pytest.LogCaptureFixture) -> None:
    """E12: questions do not wait for ever behind one that is never answered."""
    process = EncoderProcess(worker=worker("encoder.encode = lambda texts: time.sleep(600)\n"), answer_seconds=0.5)

    with pytest.raises(EncoderUnavailable, match="its process ends before it answers"):
        process.encode(["x"])
    assert caplog.text.count("the encoder's process ended without an answer (exit code -9)") == 2
    assert not is_running(process)


def test_a_model_that_cannot_be_loaded_says_why() -> None:
    """E12: the reason reaches the answer, and nothing of the text does."""
    fails = "def encode(texts): raise {}\nencoder.encode = encode\n"
    missing = EncoderProcess(worker=worker(fails.format("EncoderUnavailable('m', 'its weights cannot be read')")))
    broken = EncoderProcess(worker=worker(fails.format("RuntimeError('secret')")))

    with pytest.raises(EncoderUnavailable, match="all-MiniLM-L6-v2 cannot be used: its weights cannot be read"):
        missing.encode(["x"])
    with pytest.raises(EncoderUnavailable, match="its process failed with RuntimeError at <string>:") as why:
        broken.encode(["x"])
    assert "secret" not in str(why.value)
    assert not is_running(missing)  # half loaded it is of no use, and would keep its memory
    assert not is_running(broken)


def test_what_libraries_print_is_no_answer() -> None:
    """A warning on standard output would be read as vectors."""
    process = EncoderProcess(
        worker=worker(then="out = own_output(); print('hello', flush=True)\n" + ANSWERS.replace("own_output()", "out"))
    )

    np.testing.assert_array_equal(process.encode(["x"]), expected(["x"]))
    process.close()


def test_it_is_not_given_the_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bot's settings stay with the bot; those of libraries are passed on."""
    monkeypatch.setenv("ERRATA_TOKEN", "a-secret")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    seen = tmp_path / "seen"
    process = EncoderProcess(worker=worker(f"open({str(seen)!r}, 'w').write(repr(sorted(os.environ)))\n"))
    process.encode(["x"])
    process.close()

    names = seen.read_text(encoding="utf-8")
    assert "'OMP_NUM_THREADS'" in names
    assert "ERRATA_" not in names


def test_closing_ends_it_in_the_middle_of_a_text(caplog: pytest.LogCaptureFixture) -> None:
    """E7: a bot that is stopped does not wait for a model; whoever waits for it is told, and no fault is logged."""
    process = EncoderProcess(worker=worker("encoder.encode = lambda texts: time.sleep(600)\n"))
    told: list[Exception] = []

    def ask() -> None:
        try:
            process.encode(["x"])
        except EncoderUnavailable as why:
            told.append(why)

    asking = threading.Thread(target=ask)
    asking.start()
    while not is_running(process):
        time.sleep(0.01)
    process.close()
    asking.join(timeout=20)

    assert [str(why) for why in told] == ["the encoder all-MiniLM-L6-v2 cannot be used: its process was ended"]
    assert not is_running(process)
    with pytest.raises(EncoderUnavailable, match="its process was ended"):
        process.encode(["y"])
    assert caplog.text == ""


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    """A bot that is killed leaves no half gigabyte behind."""
    told = tmp_path / "pid"
    code = (
        "import os, sys; from pathlib import Path; from embeddings.encoder_process import EncoderProcess\n"
        f"process = EncoderProcess(worker={worker()!r}); process.encode(['x'])\n"
        f"Path({str(told)!r}).write_text(str(process.process_id)); os._exit(0)\n"
    )
    os.spawnve(
        os.P_WAIT, sys.executable, [sys.executable, "-c", code], {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    pid = int(told.read_text(encoding="ascii"))

    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("it is still there after ten seconds")


@pytest.mark.model
def test_the_model_gives_the_same_vectors_there() -> None:
    """A11: where it computes changes no vector."""
    texts = ["Server disconnected during initialization", "the server hangs up " * 30, ""]
    process = EncoderProcess()

    np.testing.assert_array_equal(process.encode(texts), SentenceEncoder().encode(texts))
    process.close()


@pytest.mark.model
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what a process has loaded is read from /proc")
def test_the_model_leaves_out_what_only_training_needs() -> None:
    """G4: a small machine has no memory for libraries that are never asked anything."""
    process = EncoderProcess()
    process.encode(["x"])
    model = process.process_id
    assert model is not None

    assert has_mapped(model, "libtorch")
    assert not has_mapped(model, "/scipy/")
    assert not has_mapped(model, "/sklearn/")
    process.close()


@pytest.mark.model
def test_what_cannot_do_without_it_is_given_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another release of sentence-transformers may need what this one imports in vain."""
    (tmp_path / "sentence_transformers.py").write_text(
        "import sklearn.base\n"
        "class Derived(sklearn.base.BaseEstimator): pass\n"  # from a function it cannot be
        "raise ImportError('this one has everything')\n",
        encoding="ascii",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = EncoderProcess()

    with pytest.raises(EncoderUnavailable, match="this one has everything"):
        process.encode(["x"])
