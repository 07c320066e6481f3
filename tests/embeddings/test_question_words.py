"""The words of a question against the records' words."""

import numpy as np
import pytest

from embeddings.build import build_index
from embeddings.index_files import OpenIndex, open_index
from embeddings.passage import FACETS, Facet, Passage
from embeddings.question_words import LEXICAL_FACTORS, QuestionWords
from embeddings.tokens import token_hashes

PASSAGES = [
    Passage("a", Facet.MESSAGE, "gradient worker gone"),
    Passage("b", Facet.MESSAGE, "server disconnected"),
    Passage("b", Facet.MEANING, "gradient of the server"),
    Passage("c", Facet.TRIGGER, "worker gone away"),
    Passage("d", Facet.MESSAGE, "checksum mismatch"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> OpenIndex:
    """Four records, numbered 0 to 3."""
    folder = tmp_path_factory.mktemp("index")
    build_index(folder, PASSAGES, None)
    return open_index(folder, None)


def test_a_record_counts_with_the_text_that_says_most(index: OpenIndex) -> None:
    """Each text's BM25s are added up facet by facet, meaning and trigger by half; of several texts the best counts."""
    texts = ["gradient server", "worker"]
    by_text = np.stack(
        [
            np.stack(
                [index.lexical[facet].scores(token_hashes(text)) * LEXICAL_FACTORS[facet] for facet in FACETS]
            ).sum(axis=0)
            for text in texts
        ]
    )

    words = QuestionWords(index.lexical, texts, 10, None)

    np.testing.assert_allclose(words.scores, by_text.max(axis=0), rtol=1e-6)
    assert words.candidates.tolist() == [0, 1, 2]
    assert words.most == words.scores.max()


def test_each_text_brings_in_so_many_records(index: OpenIndex) -> None:
    """The best of every text, each once, ascending."""
    words = QuestionWords(index.lexical, ["worker gone", "disconnected", "server", "checksum"], 1, None)

    assert words.candidates.tolist() == [0, 1, 3]


def test_what_is_not_selected_shares_nothing(index: OpenIndex) -> None:
    """A11: neither its score nor the highest is that of a record outside."""
    only = np.array([False, False, True, True])

    words = QuestionWords(index.lexical, ["gradient worker gone"], 10, only)

    assert words.candidates.tolist() == [2]
    assert words.scores[:2].tolist() == [0.0, 0.0]
    assert words.most == words.scores[2] > 0


def test_shares_of_words_are_those_of_the_records_asked_about(index: OpenIndex) -> None:
    """Coverage is of the record's message, query coverage of the question in any facet; the facet shares most."""
    words = QuestionWords(index.lexical, ["gradient worker gone"], 10, None)

    coverage, query_coverage, facets = words.coverages(np.array([2, 0, 3]))

    assert coverage.tolist() == [0.0, 1.0, 0.0]
    assert query_coverage.tolist() == [pytest.approx(query_coverage[0]), 1.0, 0.0]
    assert 0 < query_coverage[0] < 1
    assert [FACETS[facet] for facet in facets[:2]] == [Facet.TRIGGER, Facet.MESSAGE]
