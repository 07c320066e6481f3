"""Bringing an index up to its records reads those that changed, and ends with the bytes of a build from nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.build import build_index, refresh_index
from embeddings.generations import RECORD_FACETS, RECORD_KEYS, VECTOR_OF, current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.passage import FACETS, Facet, Passage
from tests.embeddings.build_bench import DIM, CountingEncoder, bytes_of, names_in

BUILDING = settings(max_examples=40, deadline=None)  # an example writes two indexes or more
Texts = Mapping[Facet, str]
# Few words, so that records share texts with each other and with those of before, and lose them again.
RECORDS = st.dictionaries(
    st.text(alphabet="abé", min_size=1, max_size=2),
    st.fixed_dictionaries(
        {facet: st.sampled_from(["", "gone", "gone away", "broken", "é broken é"]) for facet in FACETS}
    ),
    max_size=6,
)
ONE = {Facet.MESSAGE: "gone", Facet.MEANING: "the peer left", Facet.TRIGGER: ""}


class Records:
    """A catalogue in memory, which notes whose passages were asked for."""

    version = "now"

    def __init__(self, records: Mapping[str, Texts]) -> None:
        self._records = records
        self.read: list[str] = []
        self.closed = 0

    @contextmanager
    def opened(self) -> Iterator["Records"]:
        yield self
        self.closed += 1

    def keys(self) -> Mapping[str, int]:
        return {id_: key_of(texts) for id_, texts in self._records.items()}

    def passages(self, record_ids: Collection[str]) -> Iterable[Passage]:
        self.read += record_ids
        return [Passage(id_, facet, text) for id_ in record_ids for facet, text in self._records[id_].items()]


def key_of(texts: Texts) -> int:
    """64 bits that differ when a text does."""
    return int.from_bytes(blake2b(repr(sorted(texts.items())).encode(), digest_size=8).digest())


def many(count: int, word: str = "failure") -> dict[str, Texts]:
    """Records whose texts all differ."""
    return {
        f"{n:05}": {facet: f"{facet} of {word} {chr(97 + n % 26)}{n // 26}x" for facet in FACETS} for n in range(count)
    }


@BUILDING
@given(RECORDS, RECORDS, RECORDS)
def test_a_refreshed_index_is_one_built_from_nothing(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, Texts], second: dict[str, Texts], third: dict[str, Texts]
) -> None:
    """G1: whatever was added, changed or removed, and however often: every file has the bytes of a fresh build."""
    onto, fresh = tmp_path_factory.mktemp("onto"), tmp_path_factory.mktemp("fresh")
    encoder = CountingEncoder()

    for records in (first, second, third):
        refresh_index(onto, Records(records).opened, encoder)
    refresh_index(fresh, Records(third).opened, HashedEncoder(DIM))

    assert bytes_of(onto) == bytes_of(fresh)
    assert len(encoder.seen) == len(set(encoder.seen))
    assert names_in(onto) == {"current", "building.lock", current_generation(onto).name}


@BUILDING
@given(RECORDS, RECORDS)
def test_a_refreshed_index_is_that_of_its_passages(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, Texts], new: dict[str, Texts]
) -> None:
    """A build that is given all passages writes the same, save what only a refresh reads."""
    onto, fresh = tmp_path_factory.mktemp("onto"), tmp_path_factory.mktemp("fresh")

    refresh_index(onto, Records(old).opened, HashedEncoder(DIM))
    refresh_index(onto, Records(new).opened, HashedEncoder(DIM))
    build_index(fresh, Records(new).passages(new), HashedEncoder(DIM))

    found, expected = bytes_of(onto), bytes_of(fresh)
    assert {name: found[name] for name in expected} == expected
    assert found.keys() - expected.keys() == {RECORD_KEYS, RECORD_FACETS, *(f"{facet}.counts.npy" for facet in FACETS)}


@BUILDING
@given(RECORDS, RECORDS, st.lists(st.booleans(), min_size=3, max_size=3))
def test_with_and_without_a_model_in_turn(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, Texts], new: dict[str, Texts], with_model: list[bool]
) -> None:
    """E12: words are brought up to date without a model, vectors once there is one again, nothing is encoded twice."""
    onto, fresh = tmp_path_factory.mktemp("onto"), tmp_path_factory.mktemp("fresh")
    encoder = CountingEncoder()

    for records, has_model in zip((old, new, old), with_model, strict=True):
        refresh_index(onto, Records(records).opened, encoder if has_model else None)
    words = bytes_of(onto)
    refresh_index(onto, Records(new).opened, encoder)
    refresh_index(fresh, Records(old).opened, HashedEncoder(DIM) if any(with_model) else None)
    fresh_words = bytes_of(fresh)
    refresh_index(fresh, Records(new).opened, HashedEncoder(DIM))

    of_vectors = {name for name in fresh_words if name.startswith("text_")} | {VECTOR_OF}
    assert {name: content for name, content in words.items() if name not in of_vectors} == {
        name: content for name, content in fresh_words.items() if name not in of_vectors
    }
    assert bytes_of(onto) == bytes_of(fresh)
    assert len(encoder.seen) == len(set(encoder.seen))


def test_only_what_changed_is_read(tmp_path: Path) -> None:
    """Added and changed records, and nothing of the others; the source is closed before anything is encoded."""
    before = many(9)
    after = {**before, "00003": ONE, "new": ONE}
    del after["00007"]
    refresh_index(tmp_path, Records(before).opened, HashedEncoder(DIM))
    records = Records(after)
    closed: list[int] = []

    report = refresh_index(
        tmp_path, records.opened, HashedEncoder(DIM), progress=lambda _done, _total: closed.append(records.closed)
    )

    assert sorted(records.read) == ["00003", "new"]
    assert set(closed) == {1}
    assert (report.encoded, report.reused) == (2, 7 * 3)
    assert (report.manifest.source, report.manifest.records) == ("now", 9)
    assert open_index(tmp_path, None).record_ids == tuple(sorted(after))


def test_a_record_that_lacks_a_vector_is_read_again(tmp_path: Path) -> None:
    """What an earlier build left for later is encoded; records that are whole stay unread."""
    refresh_index(tmp_path, Records({"whole": ONE}).opened, HashedEncoder(DIM))
    refresh_index(tmp_path, Records({"whole": ONE, "late": many(1)["00000"]}).opened, None)
    records = Records({"whole": ONE, "late": many(1)["00000"]})

    report = refresh_index(tmp_path, records.opened, HashedEncoder(DIM))

    assert (records.read, report.encoded) == (["late"], 3)
    assert open_index(tmp_path, HashedEncoder(DIM)).is_complete


def test_words_alone_are_refreshed_as_well(tmp_path: Path) -> None:
    """Where there never was a model, unchanged records are not read either."""
    refresh_index(tmp_path, Records(many(5)).opened, None)
    records = Records({**many(5), "00002": ONE})

    refresh_index(tmp_path, records.opened, None)

    assert records.read == ["00002"]
    fresh = tmp_path / "fresh"
    refresh_index(fresh, Records({**many(5), "00002": ONE}).opened, None)
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_parts_are_served_and_go_on(tmp_path: Path) -> None:
    """A refresh of much serves words first, then messages; what it keeps outlives the index it is from."""
    after = {**many(40), **{f"x{id_}": texts for id_, texts in many(30, "something else").items()}}
    refresh_index(tmp_path, Records(many(40)).opened, HashedEncoder(DIM))
    served: list[tuple[int, int]] = []

    def look(_done: int, _total: int) -> None:
        manifest = open_index(tmp_path, None).manifest
        served.append((manifest.records, manifest.unencoded))

    refresh_index(tmp_path, Records(after).opened, HashedEncoder(DIM), progress=look, worth_serving_first=20)

    assert served == [(70, 90), (70, 60), (70, 30), (70, 30)]
    fresh = tmp_path / "fresh"
    refresh_index(fresh, Records(after).opened, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def _zeros(path: Path) -> None:
    path.write_bytes(b"\0" * path.stat().st_size)


def _saved(values: object) -> Callable[[Path], None]:
    def save(path: Path) -> None:
        before = np.load(path)
        np.save(path, np.full_like(before, values))

    return save


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (RECORD_KEYS, Path.unlink),
        (RECORD_KEYS, _zeros),
        (RECORD_FACETS, Path.unlink),
        ("meaning.counts.npy", Path.unlink),
        ("meaning.counts.npy", lambda path: np.save(path, np.zeros(3, np.uint8))),
        ("meaning.records.npy", _saved(4_000_000_000)),
        ("meaning.starts.npy", _saved(7)),
        ("meaning.tokens.npy", _saved(7)),
        (VECTOR_OF, _saved(4_000_000)),
        ("text_hashes.npy", _saved(7)),
        ("text_codes.npy", lambda path: np.save(path, np.load(path).astype(np.int16))),
        ("record_ids.json", lambda path: path.write_text("[]")),
        ("manifest.json", Path.unlink),
    ],
)
def test_what_is_damaged_is_built_anew(tmp_path: Path, name: str, damage: Callable[[Path], object]) -> None:
    """G2: nothing is kept of an index whose parts do not fit each other, and nothing of it stops a build."""
    refresh_index(tmp_path, Records(many(9)).opened, HashedEncoder(DIM))
    damage(current_generation(tmp_path) / name)

    refresh_index(tmp_path, Records({**many(9), "00004": ONE}).opened, HashedEncoder(DIM))

    fresh = tmp_path / "fresh"
    refresh_index(fresh, Records({**many(9), "00004": ONE}).opened, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)


def test_an_index_of_given_passages_is_refreshed_by_reading_all(tmp_path: Path) -> None:
    """It says nothing of keys; its vectors are kept all the same."""
    build_index(tmp_path, Records(many(4)).passages(many(4)), HashedEncoder(DIM))
    records, encoder = Records(many(4)), CountingEncoder()

    refresh_index(tmp_path, records.opened, encoder)

    assert (sorted(records.read), encoder.seen) == (sorted(many(4)), [])


def test_another_encoder_reads_and_encodes_all(tmp_path: Path) -> None:
    """Vectors of two encoders are never mixed."""
    refresh_index(tmp_path, Records(many(4)).opened, HashedEncoder(DIM))

    report = refresh_index(tmp_path, Records(many(4)).opened, HashedEncoder(2 * DIM))

    assert (report.encoded, report.reused) == (12, 0)
    assert open_index(tmp_path, HashedEncoder(2 * DIM)).is_complete


KILLED = """
import os, signal, sys
from pathlib import Path
from embeddings import build
from embeddings.hashed_encoder import HashedEncoder
from tests.embeddings.test_refresh import DIM, Records, many

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "encoding":
    progress = lambda done, total: die() if done else None
else:
    progress = None
    setattr(build, sys.argv[2], die)
records = Records({**many(300), **many(150, "something else")})
build.refresh_index(Path(sys.argv[1]), records.opened, HashedEncoder(DIM), progress=progress)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("where", ["encoding", "write_words", "write_text", "put_in_place"])
def test_a_killed_refresh_leaves_the_old_index_serving(tmp_path: Path, where: str) -> None:
    """G1, E15: SIGKILL at any step; the old index serves, and the next refresh goes on with what was encoded."""
    refresh_index(tmp_path, Records(many(300)).opened, HashedEncoder(DIM))
    before = bytes_of(tmp_path)
    command = [sys.executable, "-c", KILLED, str(tmp_path), where]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    ended = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    served_meanwhile = bytes_of(tmp_path)
    records, encoder = Records({**many(300), **many(150, "something else")}), CountingEncoder()
    refresh_index(tmp_path, records.opened, encoder)

    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert served_meanwhile == before
    assert len(encoder.seen) == (300 if where == "encoding" else 0)  # messages were done
    assert len(records.read) == 150
    fresh = tmp_path / "fresh"
    refresh_index(fresh, Records({**many(300), **many(150, "something else")}).opened, HashedEncoder(DIM))
    assert bytes_of(tmp_path) == bytes_of(fresh)
    assert names_in(tmp_path) == {"current", "building.lock", current_generation(tmp_path).name, "fresh"}
