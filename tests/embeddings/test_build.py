"""Building: what is new is encoded, and what serves is replaced in one step."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.build import build_index
from embeddings.build_lock import BuildLock
from embeddings.build_plan import CHUNK
from embeddings.errors import DuplicatePassage, IndexBusy
from embeddings.generations import current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.manifest import MANIFEST
from embeddings.passage import FACETS, Facet, Passage, record_fingerprint
from tests.embeddings.build_bench import DIM, CountingEncoder, bytes_of, fingerprints_in, many, names_in

BUILDING = settings(max_examples=40, deadline=None)  # an example writes an index or three
RECORDS = st.dictionaries(
    st.text(min_size=1, max_size=3),
    st.fixed_dictionaries({facet: st.text(alphabet="abc é", max_size=6) for facet in FACETS}),
    max_size=6,
)


def passages_of(records: dict[str, dict[Facet, str]]) -> list[Passage]:
    """All of them, empty ones too."""
    return [Passage(id_, facet, text) for id_, texts in records.items() for facet, text in texts.items()]


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
    """G2: the index says of each record from which texts it was built."""
    folder = tmp_path_factory.mktemp("index")
    wanted = {
        id_: record_fingerprint(Passage(id_, facet, text) for facet, text in texts.items())
        for id_, texts in records.items()
    }

    build_index(folder, passages_of(records), HashedEncoder(DIM))

    assert fingerprints_in(open_index(folder, None)) == wanted


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


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    """The second says who is in the way; once the first is done it may build."""
    with BuildLock(tmp_path), pytest.raises(IndexBusy, match="another process is building"):
        build_index(tmp_path, many(1), HashedEncoder(DIM))

    build_index(tmp_path, many(1), HashedEncoder(DIM))

    assert open_index(tmp_path, None).record_ids == ("00000",)


def test_the_manifest_says_what_built_it(tmp_path: Path) -> None:
    """Plain JSON with model, revision, dimension, tokeniser, counts and the files with their sizes."""
    build_index(tmp_path, [*many(2), Passage("twin", Facet.MESSAGE, many(1)[0].text)], HashedEncoder(DIM))

    manifest = json.loads((current_generation(tmp_path) / MANIFEST).read_text())

    assert manifest["encoder"] == {"name": "hashed-tokens", "revision": HashedEncoder().revision, "dim": DIM}
    assert (manifest["records"], manifest["passages"], manifest["vectors"]) == (3, 3, 2)
    assert manifest["tokeniser"].startswith("error-text-")
    sizes = {path.name: path.stat().st_size for path in current_generation(tmp_path).iterdir()}
    assert manifest["files"] == {name: size for name, size in sizes.items() if name != MANIFEST}


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
