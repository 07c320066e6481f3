"""Opening: what does not fit is refused with a sentence that says what differs and what repairs it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embeddings.build import build_index
from embeddings.errors import IndexDoesNotFit, IndexMissing
from embeddings.generations import POINTER, current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import open_index
from embeddings.manifest import MANIFEST, Manifest
from embeddings.passage import Facet, Passage

PASSAGES = [Passage("a", Facet.MESSAGE, "server disconnected"), Passage("b", Facet.MEANING, "the peer left")]


class LaterEncoder(HashedEncoder):
    """Another revision of the same encoder."""

    @property
    def revision(self) -> str:
        """One that never was."""
        return "later"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small index."""
    build_index(tmp_path, PASSAGES, HashedEncoder(16))
    return tmp_path


def test_no_index_is_another_matter_than_a_wrong_one(tmp_path: Path) -> None:
    """The sentence names the command that builds one."""
    with pytest.raises(IndexMissing, match=r"there is no index in .*`errata index`"):
        open_index(tmp_path, None)


@pytest.mark.parametrize(
    ("encoder", "difference"),
    [
        (LaterEncoder(16), "revision is error-text-2, the one in use has later"),
        (HashedEncoder(32), "dim is 16, the one in use has 32"),
    ],
)
def test_another_encoders_index_is_refused(folder: Path, encoder: HashedEncoder, difference: str) -> None:
    """A8: thresholds hold for one encoder and revision only; the refusal says which command repairs it."""
    with pytest.raises(IndexDoesNotFit, match=difference) as refused:
        open_index(folder, encoder)

    assert "`errata index`" in str(refused.value)


def test_words_alone_accept_any_encoders_index(folder: Path) -> None:
    """E12: without a model the words still serve."""
    assert open_index(folder, None).record_ids == ("a", "b")


def test_an_encoder_needs_vectors(tmp_path: Path) -> None:
    """An index of words alone is refused to an encoder."""
    build_index(tmp_path, PASSAGES, None)

    with pytest.raises(IndexDoesNotFit, match="holds no vectors"):
        open_index(tmp_path, HashedEncoder(16))


def _edited(**changes: Any) -> Callable[[Path], None]:
    def edit(generation: Path) -> None:
        manifest = json.loads((generation / MANIFEST).read_text())
        (generation / MANIFEST).write_text(json.dumps({**manifest, **changes}))

    return edit


@pytest.mark.parametrize(
    ("damage", "difference"),
    [
        (_edited(tokeniser="words-0"), "split by words-0"),
        (_edited(format_version=0), "its format is 0"),
        (_edited(encoder={"name": "other"}), "manifest.json cannot be read"),
        (_edited(surprise=1), "surprise"),
        (_edited(records=9), "it names 2 records, its manifest 9"),
        (lambda generation: (generation / MANIFEST).write_text("{"), "manifest.json cannot be read"),
        (lambda generation: (generation / MANIFEST).unlink(), "manifest.json cannot be read"),
        (lambda generation: (generation / "text_vectors.npy").unlink(), "text_vectors.npy is missing"),
        (lambda generation: (generation / "message.tokens.npy").write_bytes(b""), "has 0 bytes instead of"),
        (lambda generation: (generation.parent / POINTER).write_text("../elsewhere"), "does not name a generation"),
    ],
)
def test_a_damaged_index_is_refused_and_rebuilt(folder: Path, damage: Callable[[Path], None], difference: str) -> None:
    """G2: nothing half is served; building again repairs every damage."""
    damage(current_generation(folder))

    with pytest.raises(IndexDoesNotFit, match=difference):
        open_index(folder, HashedEncoder(16))
    build_index(folder, PASSAGES, HashedEncoder(16))

    assert open_index(folder, HashedEncoder(16)).is_complete


def test_files_of_the_right_size_that_are_no_arrays_are_refused(folder: Path) -> None:
    """An overwritten file is told from an array."""
    victim = current_generation(folder) / "vector_of.npy"
    victim.write_bytes(b"\0" * victim.stat().st_size)

    with pytest.raises(IndexDoesNotFit, match="cannot be read"):
        open_index(folder, HashedEncoder(16))


def test_an_open_index_outlives_its_generation(folder: Path) -> None:
    """G1: who is asking while a build ends goes on with the index it has."""
    index = open_index(folder, HashedEncoder(16))

    build_index(folder, PASSAGES[:1], HashedEncoder(16))

    assert index.record_ids == ("a", "b")
    assert index.lexical[Facet.MESSAGE].scores([]).tolist() == [0.0, 0.0]
    assert open_index(folder, None).record_ids == ("a",)


def test_a_manifest_survives_its_json(folder: Path) -> None:
    """Written and read again it is the same."""
    manifest = open_index(folder, None).manifest

    assert Manifest.from_json(manifest.to_json()) == manifest
