"""The records nearest to some texts, by meaning and by words; by words alone where there is no model."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from embeddings.batching import Batching
from embeddings.encoder import Encoder, FloatMatrix
from embeddings.fusion import best_passage, fused, record_similarity
from embeddings.index_files import OpenIndex
from embeddings.passage import FACETS, Facet
from embeddings.question_words import QuestionWords
from embeddings.selected import Selection, nearest_selected
from embeddings.vector_index import Numbers, VectorIndex

FEWEST_CANDIDATES: Final = 50  # of each ranking: what one puts low the other may put first
CANDIDATES_PER_RESULT: Final = 5


@dataclass(frozen=True, slots=True)
class NearRecord:
    """A record near the question. Each figure is the best any of the question's texts reached."""

    record_id: str
    similarity: float | None  # cosine of its nearest passage, -1 to 1; None where only words were compared
    lexical: float  # BM25, from 0 up, not scaled: comparable between questions to one index
    coverage: float  # rarity-weighted share of the message's words found in the question, 0 to 1
    query_coverage: float  # rarity-weighted share of the question's words found in the record's passages, 0 to 1
    fused: float  # what ranks: lexical divided by the highest of all records, plus `fusion.record_similarity`; -1 to 2
    facet: Facet  # which passage is nearest; where only words were compared, which shares most


class NearestRecords:
    """Asks one open index."""

    def __init__(self, index: OpenIndex, encoder: Encoder | None, vectors: VectorIndex | None = None) -> None:
        """Remember the parts. encoder: None compares words alone, and never loads a model.

        vectors: another place where the index's vectors lie, by default its own file.
        """
        self._index, self._encoder = index, encoder
        self._vectors = vectors or index.vectors
        self._encoding: Batching[Sequence[str], FloatMatrix] | None = None
        if encoder is not None:
            self._encoding = Batching(partial(_encoded_together, encoder))

    @property
    def compares_meaning(self) -> bool:
        """Whether vectors are compared; if not, `similarity` is None and thresholds for cosines do not hold."""
        return self._encoder is not None and self._vectors is not None

    def selection(self, record_ids: Iterable[str]) -> Selection:
        """What `nearest` is held to, of these records; those the index does not hold are passed over."""
        chosen = np.zeros(len(self._index.record_ids), dtype=np.bool_)
        numbers = np.array([self._index.number_of(record_id) for record_id in record_ids], dtype=np.intp)
        chosen[numbers[numbers >= 0]] = True
        return chosen

    async def nearest(self, texts: Sequence[str], k: int, only: Selection | None = None) -> list[NearRecord]:
        """Return the k nearest records to a question, nearest first.

        texts: what the question consists of, for example a whole paste and each of its error lines; a record counts
        with its best. Equal records are ordered by id. Records that share no word and are among no text's nearest
        vectors are left out. Computes in worker threads; time grows with texts * passages. Questions asked meanwhile
        are encoded together, and compared together.
        only: as if the index held no other records, save that a word is as rare as it is in all of them.

        Raises EncoderUnavailable when the model cannot be loaded, WrongDimension when it did not make the vectors.
        """
        if not texts or k <= 0 or not self._index.record_ids:
            return []
        wanted = max(FEWEST_CANDIDATES, CANDIDATES_PER_RESULT * k)
        counting = asyncio.to_thread(QuestionWords, self._index.lexical, texts, wanted, only)
        if self._encoding is None or self._vectors is None:
            words = await counting
            return await asyncio.to_thread(self._ranked, words, k, words.candidates, None)
        words, queries = await asyncio.gather(counting, self._encoding.answer(texts))
        ranked = partial(self._ranked, words, k)
        if only is None:
            return await self._vectors.nearest_records(queries, wanted, words.candidates, ranked)
        near = await nearest_selected(self._vectors, queries, wanted, only)
        candidates = np.union1d(words.candidates, np.fromiter(near, dtype=np.intp, count=len(near)))
        return await asyncio.to_thread(ranked, candidates, await self._vectors.similarities(queries, candidates))

    def _ranked(
        self, words: QuestionWords, k: int, candidates: Numbers, cosines: FloatMatrix | None
    ) -> list[NearRecord]:
        if not len(candidates):
            return []
        lexical = words.scores[candidates]
        # Of all texts, NaN where a passage is missing.
        nearest = None if cosines is None else np.fmax.reduce(cosines, axis=0)
        by_meaning = np.zeros_like(lexical) if nearest is None else record_similarity(nearest)
        rank = fused(lexical, by_meaning, words.most)
        # The highest candidates are cut before the rest is made; numbers ascend with ids, so ties are by id.
        order = np.lexsort((candidates, -rank))[:k]
        best = candidates[order]
        coverage, query_coverage, facets = words.coverages(best)
        similarity = None
        if nearest is not None:
            similarity, facets = best_passage(nearest[order])
        return [
            NearRecord(
                record_id=self._index.record_ids[best[i]],
                similarity=None if similarity is None else float(similarity[i]),
                lexical=float(lexical[order[i]]),
                coverage=float(coverage[i]),
                query_coverage=float(query_coverage[i]),
                fused=float(rank[order[i]]),
                facet=FACETS[facets[i]],
            )
            for i in range(len(best))
        ]


def _encoded_together(encoder: Encoder, questions: Sequence[Sequence[str]]) -> list[FloatMatrix]:
    """The vectors of each question's texts; a text that several bring is encoded once."""
    row_of = {text: row for row, text in enumerate(dict.fromkeys(text for texts in questions for text in texts))}
    vectors = encoder.encode(list(row_of))
    return [vectors[[row_of[text] for text in texts]] for texts in questions]
