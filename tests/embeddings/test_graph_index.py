"""Approximate search: beside the exact one, never instead of it."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from embeddings.build import build_index
from embeddings.flat_index import FlatIndex
from embeddings.generations import current_generation
from embeddings.graph_index import GraphIndex, build_graph, graphs_in
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import OpenIndex, open_index
from embeddings.passage import Facet, Passage

ENCODER = HashedEncoder(32)
WORDS = ("socket", "handshake", "timeout", "gradient", "worker", "endpoint", "token", "buffer", "stream", "quota")


def passages(count: int, seed: int = 1) -> list[Passage]:
    """Messages of four words each."""
    random = Random(seed)
    return [
        Passage(f"{number:04}", Facet.MESSAGE, f"{' '.join(random.sample(WORDS, 4))} number{number % 60}x")
        for number in range(count)
    ]


def built(folder: Path, some: list[Passage]) -> OpenIndex:
    """An index with a graph, whatever its size."""
    build_index(folder, some, ENCODER)
    build_graph(folder, approximate_from=1)
    return open_index(folder, ENCODER)


async def test_the_graph_finds_what_the_scan_finds(tmp_path: Path) -> None:
    """Recall at 10 of 0.98 or more at small scale, and what is found has its exact cosine."""
    index = built(tmp_path, passages(600))
    assert isinstance(index.vectors, GraphIndex)
    queries = ENCODER.encode([one.text for one in passages(80, seed=2)])

    found = await index.vectors.search(queries, 10)
    exact = await index.vectors._flat.search(queries, 10)

    recalls = []
    for some, best in zip(found, exact, strict=True):
        least = best[-1].similarity
        recalls.append(sum(one.similarity >= least for one in some) / 10)
        by_id = {(one.record, one.facet): one.similarity for one in best}
        assert all(by_id.get((one.record, one.facet), one.similarity) == one.similarity for one in some)
        assert some == sorted(some, key=lambda one: (-one.similarity, one.record))
    assert np.mean(recalls) >= 0.98


async def test_the_order_of_records_never_matters(tmp_path: Path) -> None:
    """A11: three shuffles give one graph, byte for byte, and the same answers."""
    some = passages(300)
    queries = ENCODER.encode([one.text for one in passages(20, seed=3)])
    graphs, answers = [], []
    for shuffle in range(3):
        Random(shuffle).shuffle(some)
        folder = tmp_path / str(shuffle)
        index = built(folder, some)
        assert isinstance(index.vectors, GraphIndex)
        graphs.append({name: (folder / name).read_bytes() for name in graphs_in(folder)})
        answers.append(await index.vectors.search(queries, 10))

    assert graphs[0] == graphs[1] == graphs[2]
    assert answers[0] == answers[1] == answers[2]


def test_a_graph_of_other_vectors_is_not_asked(tmp_path: Path) -> None:
    """G2: after a build the old graph does not fit, search is exact until the new one is there, and the old is gone."""
    built(tmp_path, passages(50))
    before = graphs_in(tmp_path)

    build_index(tmp_path, passages(51), ENCODER)
    meanwhile = open_index(tmp_path, ENCODER)
    build_graph(tmp_path, approximate_from=1)

    assert isinstance(meanwhile.vectors, FlatIndex)
    assert isinstance(open_index(tmp_path, ENCODER).vectors, GraphIndex)
    assert len(before) == len(graphs_in(tmp_path)) == 1
    assert before != graphs_in(tmp_path)


@pytest.mark.parametrize("left", [0, 40, 1_000])
def test_a_damaged_graph_is_left_alone(tmp_path: Path, left: int) -> None:
    """G2: exact search needs none."""
    built(tmp_path, passages(50))
    (name,) = graphs_in(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:left])

    assert isinstance(open_index(tmp_path, ENCODER).vectors, FlatIndex)


async def test_a_graph_stays_readable_after_it_was_replaced(tmp_path: Path) -> None:
    """G1: a question in flight ends with the index it began with."""
    index = built(tmp_path, passages(50))
    assert index.vectors is not None
    queries = ENCODER.encode([passages(1)[0].text])
    before = await index.vectors.search(queries, 3)

    built(tmp_path, passages(5))

    assert await index.vectors.search(queries, 3) == before


def test_few_vectors_get_no_graph(tmp_path: Path) -> None:
    """The default switches by size: a scan of so few is quicker than loading a graph, and one that was there goes."""
    built(tmp_path, passages(50))

    assert build_graph(tmp_path) is None
    assert graphs_in(tmp_path) == frozenset()
    assert isinstance(open_index(tmp_path, ENCODER).vectors, FlatIndex)


def test_an_index_of_words_has_no_graph(tmp_path: Path) -> None:
    """There is nothing to connect."""
    build_index(tmp_path, passages(5), None)

    assert build_graph(tmp_path, approximate_from=1) is None
    assert not (current_generation(tmp_path) / "text_codes.npy").exists()
