"""A build that fails or is killed leaves the old index serving, and loses nothing of its work."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from embeddings.build import build_index
from embeddings.build_plan import CHUNK
from embeddings.generations import current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.passage import Facet, Passage
from tests.embeddings.build_bench import DIM, CountingEncoder, bytes_of, many, names_in


def test_a_build_that_fails_leaves_the_old_index_and_goes_on_later(tmp_path: Path) -> None:
    """G1: an encoder that fails midway changes nothing that serves; what it had encoded is not encoded again."""
    build_index(tmp_path, many(3, "old"), HashedEncoder(DIM))
    before = bytes_of(tmp_path)
    failing, going_on = CountingEncoder(most=2 * CHUNK), CountingEncoder()

    with pytest.raises(MemoryError):
        build_index(tmp_path, many(3 * CHUNK), failing)
    served_meanwhile = bytes_of(tmp_path)
    report = build_index(tmp_path, many(3 * CHUNK), going_on)

    assert served_meanwhile == before
    assert (report.encoded, report.reused) == (CHUNK, 2 * CHUNK)
    assert not set(failing.seen) & set(going_on.seen)
    assert open_index(tmp_path, going_on).is_complete


KILLED = """
import os, signal, sys
from pathlib import Path
from random import Random
from embeddings import build
from embeddings.hashed_encoder import HashedEncoder
from embeddings.passage import Facet, Passage

where = sys.argv[2]
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if where == "encoding":
    progress = lambda done, total: die() if done else None
else:
    progress = None
    setattr(build, where, die)
passages = [Passage(f"{n:05}", Facet.MESSAGE, f"new failure {chr(97 + n % 26)}{n // 26}x") for n in range(600)]
build.build_index(Path(sys.argv[1]), passages, HashedEncoder(16), progress=progress)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("where", ["encoding", "write_words", "write_text", "put_in_place"])
def test_a_killed_process_leaves_the_old_index_serving(tmp_path: Path, where: str) -> None:
    """G1, E15: SIGKILL at any step; the old index serves, the next build ends the work and removes the remains."""
    build_index(tmp_path, many(3, "old"), HashedEncoder(DIM))
    before = bytes_of(tmp_path)
    command = [sys.executable, "-c", KILLED, str(tmp_path), where]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    ended = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    served_meanwhile = bytes_of(tmp_path)
    report = build_index(tmp_path, many(600, "new failure"), HashedEncoder(DIM))

    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert served_meanwhile == before
    assert report.manifest.records == 600
    assert names_in(tmp_path) == {"current", "building.lock", current_generation(tmp_path).name}


def test_a_killed_process_had_not_worked_for_nothing(tmp_path: Path) -> None:
    """What a killed build had encoded is reused by the next."""
    command = [sys.executable, "-c", KILLED, str(tmp_path), "put_in_place"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    passages = [Passage(f"{n:05}", Facet.MESSAGE, f"new failure {chr(97 + n % 26)}{n // 26}x") for n in range(600)]

    report = build_index(tmp_path, passages, HashedEncoder(DIM))

    assert (report.encoded, report.reused) == (0, 600)


KILLED_AT_RANDOM = """
import os, signal, sys, threading, time
from pathlib import Path
from embeddings import known_vectors
from embeddings.build import build_index
from embeddings.hashed_encoder import HashedEncoder
from embeddings.passage import FACETS, Passage

class SlowEncoder(HashedEncoder):
    def encode(self, texts):
        time.sleep(0.002)
        return super().encode(texts)

os.fsync = lambda descriptor: None
passages = [
    Passage(f"{n:05}", facet, f"{facet} of failure {chr(97 + n % 26)}{n // 26}x" + " more" * (n % 7))
    for n in range(1500) for facet in FACETS
]
delay = float(sys.argv[2])
def begin(done, total):
    if delay and done == 0:
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()
build_index(Path(sys.argv[1]), passages, SlowEncoder(16), progress=begin, worth_serving_first=100)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_kills_at_random_moments_change_nothing_in_the_end(tmp_path: Path) -> None:
    """SIGKILL whenever it comes: what serves can always be opened, and the end is that of an undisturbed build."""
    random = Random(11)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    killed = 0

    for _ in range(6):
        command = [sys.executable, "-c", KILLED_AT_RANDOM, str(disturbed), str(random.uniform(0.005, 0.4))]
        ended = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
        assert ended.returncode in {0, -signal.SIGKILL}, ended.stderr
        killed += ended.returncode == -signal.SIGKILL
        assert open_index(disturbed, None).manifest.records == 1500
    for folder in (disturbed, undisturbed):
        command = [sys.executable, "-c", KILLED_AT_RANDOM, str(folder), "0"]
        subprocess.run(command, env=environment, check=True, timeout=60)

    assert killed
    assert bytes_of(disturbed) == bytes_of(undisturbed)
    assert names_in(disturbed) == {"current", "building.lock", current_generation(disturbed).name}
