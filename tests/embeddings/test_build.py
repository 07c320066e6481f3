"""Building: what is new is encoded, what serves is replaced in one step, and a killed build loses nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import known_vectors
from embeddings.build import build_index
from embeddings.build_lock import BuildLock
from embeddings.build_plan import CHUNK
from embeddings.encoder import FloatMatrix
from embeddings.errors import DuplicatePassage, IndexBusy
from embeddings.generations import current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.manifest import MANIFEST
from embeddings.passage import FACETS, Facet, Passage, record_fingerprint

DIM = 16
BUILDING = settings(max_examples=40, deadline=None)  # an example writes an index or three
RECORDS = st.dictionaries(
    st.text(min_size=1, max_size=3),
    st.fixed_dictionaries({facet: st.text(alphabet="abc é", max_size=6) for facet in FACETS}),
    max_size=6,
)


class CountingEncoder(HashedEncoder):
    """Remembers what it was asked to encode, and fails once it was asked for more than it may."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(DIM)
        self.seen: list[str] = []
        self.most = most

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """As `HashedEncoder`."""
        if self.most is not None and len(self.seen) + len(texts) > self.most:
            raise MemoryError
        self.seen += texts
        return super().encode(texts)


def passages_of(records: dict[str, dict[Facet, str]]) -> list[Passage]:
    """All of them, empty ones too."""
    return [Passage(id_, facet, text) for id_, texts in records.items() for facet, text in texts.items()]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The files of the generation that serves, without the manifest, whose date differs."""
    generation = current_generation(folder)
    return {path.name: path.read_bytes() for path in generation.iterdir() if path.name != MANIFEST}


def names_in(folder: Path) -> set[str]:
    """What is in the folder of the index, save the vectors of texts that are gone."""
    return {path.name for path in folder.iterdir() if not path.name.startswith("retired-")}


def many(count: int, word: str = "failure") -> list[Passage]:
    """Messages that all differ."""
    return [Passage(f"{n:05}", Facet.MESSAGE, f"{word} of part {chr(97 + n % 26)}{n // 26}x") for n in range(count)]


@BUILDING
@given(RECORDS, st.randoms())
def test_the_order_of_passages_never_matters(
    tmp_path_factory: pytest.TempPathFactory, records: dict[str, dict[Facet, str]], random: Random
) -> None:
    """A11: the same passages in any order give the same bytes."""
    one, other = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")
    passages = passages_of(records)

    build_index(one, passages, HashedEncoder(DIM))
    random.shuffle(passages)
    build_index(other, passages, HashedEncoder(DIM))

    assert bytes_of(one) == bytes_of(other)


@BUILDING
@given(RECORDS, RECORDS)
def test_building_onto_an_old_index_is_building_anew(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, dict[Facet, str]], new: dict[str, dict[Facet, str]]
) -> None:
    """Whatever was there before: the files are those of a fresh build, and only new texts were encoded."""
    onto, fresh = tmp_path_factory.mktemp("onto"), tmp_path_factory.mktemp("fresh")
    encoder = CountingEncoder()

    build_index(onto, passages_of(old), encoder)
    report = build_index(onto, passages_of(new), encoder)
    build_index(fresh, passages_of(new), HashedEncoder(DIM))

    assert bytes_of(onto) == bytes_of(fresh)
    assert len(encoder.seen) == len(set(encoder.seen))
    assert report.encoded + report.reused == report.manifest.vectors
    assert names_in(onto) == {"current", "building.lock", current_generation(onto).name}


@BUILDING
@given(RECORDS)
def test_fingerprints_are_those_of_the_records(
    tmp_path_factory: pytest.TempPathFactory, records: dict[str, dict[Facet, str]]
) -> None:
    """G2: the index says of each record from which texts it was built, and what a build would change."""
    folder = tmp_path_factory.mktemp("index")
    wanted = {
        id_: record_fingerprint(Passage(id_, facet, text) for facet, text in texts.items())
        for id_, texts in records.items()
    }

    build_index(folder, passages_of(records), HashedEncoder(DIM))
    index = open_index(folder, None)

    assert {id_: index.fingerprint_of(id_) for id_ in records} == wanted
    assert not index.changes_to(wanted)
    assert index.changes_to({}).removed == tuple(sorted(wanted))
    assert index.changes_to({**wanted, "added": "00"}).added == ("added",)
    assert index.changes_to(dict.fromkeys(wanted, "00")).changed == tuple(sorted(wanted))


def test_messages_are_encoded_first(tmp_path: Path) -> None:
    """A search is useful before the long texts are done; progress counts from nothing to all."""
    encoder = CountingEncoder()
    steps: list[tuple[int, int]] = []
    passages = [
        Passage(record_id, facet, f"{facet} of {record_id}") for record_id in ("a", "b") for facet in reversed(FACETS)
    ]

    build_index(tmp_path, passages, encoder, progress=lambda done, total: steps.append((done, total)))

    assert [text.split()[0] for text in encoder.seen] == ["message"] * 2 + ["meaning"] * 2 + ["trigger"] * 2
    assert (steps[0], steps[-1]) == ((0, 6), (6, 6))


def test_facets_can_be_completed_later(tmp_path: Path) -> None:
    """Messages alone serve first; the second build encodes what is left and nothing twice."""
    encoder = CountingEncoder()
    passages = [Passage("a", Facet.MESSAGE, "gone"), Passage("a", Facet.MEANING, "the peer left")]

    build_index(tmp_path, passages, encoder, facets=[Facet.MESSAGE])
    half = open_index(tmp_path, encoder)
    build_index(tmp_path, passages, encoder)
    whole = open_index(tmp_path, encoder)

    assert (half.is_complete, half.manifest.unencoded, whole.is_complete) == (False, 1, True)
    assert encoder.seen == ["gone", "the peer left"]


def test_words_alone_keep_the_vectors_there_are(tmp_path: Path) -> None:
    """E12: a record imported while there is no model is found by its words; the others keep their vectors."""
    encoder = CountingEncoder()
    build_index(tmp_path, many(3), encoder)

    report = build_index(tmp_path, [*many(3), Passage("new", Facet.MESSAGE, "something new")], None)

    assert report.manifest.encoder is not None
    assert (report.manifest.vectors, report.manifest.unencoded, report.encoded) == (3, 1, 0)
    assert open_index(tmp_path, encoder).number_of("new") >= 0


def test_two_texts_for_one_facet_are_refused(tmp_path: Path) -> None:
    """A11: which of them counted would depend on their order. The old index goes on serving."""
    build_index(tmp_path, many(2), HashedEncoder(DIM))
    before = bytes_of(tmp_path)

    with pytest.raises(DuplicatePassage, match="record a has two message passages"):
        build_index(tmp_path, [Passage("a", Facet.MESSAGE, "x"), Passage("a", Facet.MESSAGE, "y")], HashedEncoder(DIM))

    assert bytes_of(tmp_path) == before


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


def test_a_torn_cache_gives_what_is_whole(tmp_path: Path) -> None:
    """A write that a crash cut in half, or damaged, costs its own rows only."""
    with pytest.raises(MemoryError):
        build_index(tmp_path, many(2 * CHUNK), CountingEncoder(most=CHUNK))
    (cache,) = tmp_path.glob("vectors-*.cache")
    content = bytearray(cache.read_bytes())
    row = len(content) // CHUNK
    content[-3 * row + 20] ^= 0xFF  # the third row from the end no longer has its checksum
    cache.write_bytes(content[:-5])
    encoder = CountingEncoder()

    report = build_index(tmp_path, many(2 * CHUNK), encoder)

    assert report.reused == CHUNK - 3
    fresh = tmp_path / "fresh"
    build_index(fresh, many(2 * CHUNK), HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    """The second says who is in the way; once the first is done it may build."""
    with BuildLock(tmp_path), pytest.raises(IndexBusy, match="another process is building"):
        build_index(tmp_path, many(1), HashedEncoder(DIM))

    build_index(tmp_path, many(1), HashedEncoder(DIM))

    assert open_index(tmp_path, None).record_ids == ("00000",)


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
@pytest.mark.parametrize("where", ["encoding", "_write_words", "write_text", "put_in_place"])
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


def test_the_manifest_says_what_built_it(tmp_path: Path) -> None:
    """Plain JSON with model, revision, dimension, tokeniser, counts and the files with their sizes."""
    build_index(tmp_path, [*many(2), Passage("twin", Facet.MESSAGE, many(1)[0].text)], HashedEncoder(DIM))

    manifest = json.loads((current_generation(tmp_path) / MANIFEST).read_text())

    assert manifest["encoder"] == {"name": "hashed-tokens", "revision": HashedEncoder().revision, "dim": DIM}
    assert (manifest["records"], manifest["passages"], manifest["vectors"]) == (3, 3, 2)
    assert manifest["tokeniser"].startswith("error-text-")
    sizes = {path.name: path.stat().st_size for path in current_generation(tmp_path).iterdir()}
    assert manifest["files"] == {name: size for name, size in sizes.items() if name != MANIFEST}


def test_going_back_costs_nothing(tmp_path: Path) -> None:
    """A catalogue in another order, with a record changed, removed, and back again encodes each text once."""
    encoder = CountingEncoder()
    whole = many(40)
    changed = [*many(39), Passage(whole[-1].record_id, Facet.MESSAGE, "another failure altogether")]

    for some in (whole, whole[::-1], changed, whole[:20], [], whole, changed):
        build_index(tmp_path, some, encoder)

    assert len(encoder.seen) == 41
    assert len(set(encoder.seen)) == 41
    fresh = tmp_path / "fresh"
    build_index(fresh, changed, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_what_is_kept_of_texts_that_are_gone_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vectors of texts gone longest are forgotten first, and a text that is back is kept in one place only."""
    monkeypatch.setattr(known_vectors, "MOST_RETIRED", 30)
    encoder = CountingEncoder()
    sizes = []
    for number in range(6):
        build_index(tmp_path, many(20, f"round {chr(97 + number)} of"), encoder)
        sizes.append(sum(path.stat().st_size for path in tmp_path.glob("*.cache")))
    seen = len(encoder.seen)

    build_index(tmp_path, many(20, "round e of"), encoder)
    build_index(tmp_path, many(20, "round a of"), encoder)

    row = sizes[1] // 20
    assert sizes == [0, 20 * row, 30 * row, 30 * row, 30 * row, 30 * row]
    assert len(encoder.seen) == seen + 20  # round e was kept, round a was forgotten


def test_a_removed_text_is_kept_by_a_build_without_a_model(tmp_path: Path) -> None:
    """E12: a record taken out by a build of words alone and in again costs no encoding."""
    encoder = CountingEncoder()
    build_index(tmp_path, many(5), encoder)

    build_index(tmp_path, many(3), None)
    report = build_index(tmp_path, many(5), encoder)

    assert (report.encoded, report.reused, len(encoder.seen)) == (0, 5, 5)


def test_a_long_build_serves_each_part_as_soon_as_it_is_done(tmp_path: Path) -> None:
    """Words first, then messages, then meanings; each part is whole and says what it lacks."""
    passages = [
        Passage(f"{number:03}", facet, f"{facet} number {chr(97 + number % 26)}{number // 26}x")
        for number in range(60)
        for facet in FACETS
    ]
    served: list[tuple[int, int, str]] = []

    def look(done: int, total: int) -> None:
        index = open_index(tmp_path, None)
        served.append((index.manifest.messages_unencoded, index.manifest.unencoded, index.manifest.source))
        assert index.lexical[Facet.MESSAGE].scores([1]).shape == (60,)

    build_index(tmp_path, passages, HashedEncoder(DIM), progress=look, source="now", worth_serving_first=50)

    # One chunk a facet: before each the part before it serves.
    assert served == [(60, 180, "now"), (0, 120, "now"), (0, 60, "now"), (0, 60, "now")]
    assert open_index(tmp_path, HashedEncoder(DIM)).is_complete
    fresh = tmp_path / "fresh"
    build_index(fresh, passages, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_progress_is_the_share_of_the_work(tmp_path: Path) -> None:
    """What is told as done grows from nothing to all, and half of the texts in their mixed order is about half of it."""
    random = Random(5)
    passages = [
        Passage(f"{n:05}", Facet.MESSAGE, f"part {chr(97 + n % 26)}{n // 26}x " + "long " * random.choice([1, 5, 80]))
        for n in range(20 * CHUNK)
    ]
    told: list[tuple[int, int]] = []

    build_index(tmp_path, passages, HashedEncoder(DIM), progress=lambda done, total: told.append((done, total)))

    done = [one for one, _ in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 20 * CHUNK)
    assert abs(done[10] / done[-1] - 0.5) < 0.25


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
