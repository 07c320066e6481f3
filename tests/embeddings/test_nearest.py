"""The records nearest to a question."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.build import build_index
from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.nearest import NearestRecords
from embeddings.passage import Facet, Passage

ENCODER = HashedEncoder(64)
BUILDING = settings(max_examples=40, deadline=None)  # an example writes an index
PASSAGES = [
    Passage("disconnected", Facet.MESSAGE, "Server disconnected during initialization"),
    Passage("disconnected", Facet.MEANING, "The peer closed the stream before the handshake was answered"),
    Passage("gradient", Facet.MESSAGE, "Gradient sync worker is gone"),
    Passage("endpoint", Facet.MESSAGE, "Failed to bind the iroh endpoint"),
    Passage("endpoint", Facet.TRIGGER, "Offline machines and taken ports"),
    Passage("empty", Facet.MESSAGE, ""),
]


class RememberingEncoder(HashedEncoder):
    """Remembers what it was asked to encode; slow enough that others ask meanwhile."""

    def __init__(self, dim: int) -> None:
        super().__init__(dim)
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """As ever."""
        self.calls.append(list(texts))
        time.sleep(0.05)
        return super().encode(texts)


class BrokenEncoder(HashedEncoder):
    """A model that cannot be loaded."""

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Never."""
        raise EncoderUnavailable(self.name, "its package is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small index."""
    build_index(tmp_path, PASSAGES, ENCODER)
    return tmp_path


async def test_the_best_text_of_a_question_counts(folder: Path) -> None:
    """A line that says the error finds it, whatever else the question holds."""
    nearest = NearestRecords(open_index(folder, ENCODER), ENCODER)
    texts = ["log of the morning, nothing to see", "server disconnected during initialization", ""]

    found = await nearest.nearest(texts, 3)

    assert found[0].record_id == "disconnected"
    assert found[0].facet is Facet.MESSAGE
    assert found[0].similarity == pytest.approx(1.0)
    assert found[0].coverage == pytest.approx(1.0)
    assert found[0].query_coverage == pytest.approx(1.0)
    assert 1.0 <= found[0].fused <= 2.0


async def test_absolute_figures_tell_a_sharing_question_from_a_foreign_one(folder: Path) -> None:
    """A9: the best record's share of the highest is always 1; BM25 and the coverages are not."""
    nearest = NearestRecords(open_index(folder, None), None)

    (right, *_), (wrong, *_) = [
        await nearest.nearest([text], 1) for text in ("Failed to bind the iroh endpoint", "the endpoint of my story")
    ]

    assert right.record_id == wrong.record_id == "endpoint"
    assert right.fused == wrong.fused == pytest.approx(1.0)
    assert right.lexical > 2 * wrong.lexical
    assert right.coverage > 2 * wrong.coverage
    assert right.query_coverage > wrong.query_coverage


async def test_words_alone_answer_without_a_model(folder: Path) -> None:
    """E12: no encoder, no similarity, the same record; a question without any known word finds nothing."""
    nearest = NearestRecords(open_index(folder, None), None)

    found = await nearest.nearest(["handshake not answered"], 5)

    assert [(record.record_id, record.facet, record.similarity) for record in found] == [
        ("disconnected", Facet.MEANING, None)
    ]
    assert not nearest.compares_meaning
    assert await nearest.nearest(["zebra"], 5) == []


async def test_a_model_that_cannot_be_loaded_says_so(folder: Path) -> None:
    """E12: the caller is told, and may ask by words instead; nothing is hidden."""
    broken = BrokenEncoder(64)

    with pytest.raises(EncoderUnavailable, match="not installed"):
        await NearestRecords(open_index(folder, broken), broken).nearest(["server"], 1)


@pytest.mark.parametrize(("texts", "k"), [([], 3), (["server"], 0)])
async def test_asking_nothing_finds_nothing(folder: Path, texts: list[str], k: int) -> None:
    """No texts, or no wish."""
    assert await NearestRecords(open_index(folder, ENCODER), ENCODER).nearest(texts, k) == []


async def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    """The first day of a bot without records."""
    build_index(tmp_path, [], ENCODER)

    assert await NearestRecords(open_index(tmp_path, ENCODER), ENCODER).nearest(["server"], 3) == []


async def test_a_record_without_vectors_yet_is_found_by_its_words(folder: Path) -> None:
    """E12: after an import without a model the new record is there, with the lowest similarity."""
    build_index(folder, [*PASSAGES, Passage("zlib", Facet.MESSAGE, "incorrect header check in zlib")], None)

    found = await NearestRecords(open_index(folder, ENCODER), ENCODER).nearest(["zlib: incorrect header check"], 5)

    (zlib,) = [record for record in found if record.record_id == "zlib"]
    assert zlib.similarity == -1.0
    assert zlib.coverage == pytest.approx(1.0)


@BUILDING
@given(
    st.lists(st.text(alphabet="abcd ", max_size=8), min_size=1, max_size=6),
    st.lists(st.text(alphabet="abcd ", max_size=8), min_size=1, max_size=2),
    st.booleans(),
)
async def test_equal_records_are_ordered_by_id(
    tmp_path_factory: pytest.TempPathFactory, messages: list[str], question: list[str], with_encoder: bool
) -> None:
    """A11: figures stay in their ranges, ranks descend, and ties are by id, not by place."""
    folder = tmp_path_factory.mktemp("index")
    build_index(folder, [Passage(f"{n}", Facet.MESSAGE, text) for n, text in enumerate(messages)], ENCODER)
    encoder = ENCODER if with_encoder else None

    found = await NearestRecords(open_index(folder, encoder), encoder).nearest(question, 10)

    assert found == sorted(found, key=lambda record: (-record.fused, record.record_id))
    for record in found:
        assert 0 <= record.coverage <= 1
        assert 0 <= record.query_coverage <= 1 + 1e-6
        assert record.lexical >= 0
        assert -1 <= record.fused <= 2


@pytest.mark.parametrize("encoder", [ENCODER, None], ids=["meaning", "words"])
async def test_a_selection_is_asked_as_if_nothing_else_were_there(folder: Path, encoder: HashedEncoder | None) -> None:
    """A11: the best of the selection is found however many outside are nearer, with its share of the highest at 1."""
    nearest = NearestRecords(open_index(folder, encoder), encoder)
    text = "Server disconnected during initialization, or the gradient worker failed to bind"
    only = nearest.selection(["endpoint", "nobody knows this one"])

    first_of_all = (await nearest.nearest([text], 1))[0]
    found = await nearest.nearest([text], 5, only)

    assert first_of_all.record_id == "disconnected"
    assert [one.record_id for one in found] == ["endpoint"]
    assert found[0].fused - (found[0].similarity or 0) <= 1.0 + 1e-6
    assert await nearest.nearest([text], 5, nearest.selection([])) == []


async def test_questions_at_the_same_time_are_encoded_together_and_answered_each(tmp_path: Path) -> None:
    """E4, A11: the answers are those of asking one by one; a text that several ask about is encoded once."""
    build_index(tmp_path, PASSAGES, ENCODER)
    encoder = RememberingEncoder(64)
    nearest = NearestRecords(open_index(tmp_path, encoder), encoder)
    questions = [
        ["server disconnected", "handshake"],
        ["gradient worker gone"],
        ["iroh endpoint", "handshake"],
        ["", "taken ports"],
        ["gradient worker gone"],
    ]
    one_by_one = [await nearest.nearest(question, 3) for question in questions]
    encoder.calls.clear()

    together = await asyncio.gather(*(nearest.nearest(question, 3) for question in questions))

    assert together == one_by_one
    assert len(encoder.calls) < len(questions)
    assert all(len(texts) == len(set(texts)) for texts in encoder.calls)


async def test_searches_at_the_same_time_keep_their_own_numbers(folder: Path) -> None:
    """E4: each search gets as many as it asked for, of its own queries."""
    vectors = open_index(folder, ENCODER).vectors
    assert vectors is not None
    asked = [(ENCODER.encode(["server disconnected", "taken ports"][: 1 + k % 2]), k) for k in (1, 4, 2, 3, 0)]
    one_by_one = [await vectors.search(queries, k) for queries, k in asked]

    together = await asyncio.gather(*(vectors.search(queries, k) for queries, k in asked))

    assert together == one_by_one
    assert [[len(row) for row in rows] for rows in together] == [[k] * (1 + k % 2) for _, k in asked]
