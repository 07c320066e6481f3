"""The records nearest to some texts, by meaning and by words; by words alone where there is no model."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.batching import Batching
from embeddings.encoder import Encoder, FloatMatrix
from embeddings.fusion import best_passage, fused, record_similarity
from embeddings.index_files import OpenIndex
from embeddings.lexical import Floats, LexicalIndex, Lookup, best_records
from embeddings.passage import FACETS, Facet
from embeddings.selected import Selection, nearest_selected
from embeddings.tokens import token_hashes
from embeddings.vector_index import VectorIndex

FEWEST_CANDIDATES: Final = 50  # of each ranking: what one puts low the other may put first
CANDIDATES_PER_RESULT: Final = 5

# What a facet's BM25 adds to a record's, measured in README.md.
LEXICAL_FACTORS: Final = {Facet.MESSAGE: 1.0, Facet.MEANING: 0.5, Facet.TRIGGER: 0.5}


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
        words = await asyncio.to_thread(_Words, self._index.lexical, texts, wanted, only)
        if self._encoding is None or self._vectors is None:
            return await asyncio.to_thread(self._ranked, words, np.array(words.candidates, dtype=np.intp), None, k)
        queries = await self._encoding.answer(texts)
        if only is None:
            found = await self._vectors.search(queries, wanted)
            near = {self._index.number_of(neighbour.record_id) for row in found for neighbour in row}
        else:
            near = await nearest_selected(self._vectors, self._index.record_ids, queries, wanted, only)
        candidates = np.array(sorted(near.union(words.candidates) - {-1}), dtype=np.intp)
        ids = [self._index.record_ids[number] for number in candidates.tolist()]
        cosines = await self._vectors.similarities(queries, ids)
        return await asyncio.to_thread(self._ranked, words, candidates, cosines, k)

    def _ranked(
        self, words: "_Words", candidates: NDArray[np.intp], cosines: FloatMatrix | None, k: int
    ) -> list[NearRecord]:
        if not len(candidates):
            return []
        lexical = words.scores[candidates]
        coverage, query_coverage, facets = words.coverages(candidates)
        similarity, by_meaning = None, np.zeros_like(lexical)
        if cosines is not None:
            nearest = np.fmax.reduce(cosines, axis=0)  # of all texts, NaN where a passage is missing
            similarity, facets = best_passage(nearest)
            by_meaning = record_similarity(nearest)
        rank = fused(lexical, by_meaning, words.most)
        # The highest candidates are cut before the rest is made; numbers ascend with ids, so ties are by id.
        order = np.lexsort((candidates, -rank))[:k]
        return [
            NearRecord(
                record_id=self._index.record_ids[candidates[i]],
                similarity=None if similarity is None else float(similarity[i]),
                lexical=float(lexical[i]),
                coverage=float(coverage[i]),
                query_coverage=float(query_coverage[i]),
                fused=float(rank[i]),
                facet=FACETS[facets[i]],
            )
            for i in order.tolist()
        ]


def _encoded_together(encoder: Encoder, questions: Sequence[Sequence[str]]) -> list[FloatMatrix]:
    """The vectors of each question's texts; a text that several bring is encoded once."""
    row_of = {text: row for row, text in enumerate(dict.fromkeys(text for texts in questions for text in texts))}
    vectors = encoder.encode(list(row_of))
    return [vectors[[row_of[text] for text in texts]] for texts in questions]


class _Words:
    """The words of a question's texts against all records."""

    def __init__(
        self, indexes: dict[Facet, LexicalIndex], texts: Sequence[str], wanted: int, only: Selection | None
    ) -> None:
        self._indexes = indexes
        self._lookups: list[dict[Facet, Lookup]] = []
        self.scores: Floats = np.zeros(next(iter(indexes.values())).record_count, dtype=np.float32)
        candidates: set[int] = set()
        for text in texts:
            hashes = set(token_hashes(text))
            lookups = {facet: index.look_up(hashes) for facet, index in indexes.items()}
            scores = np.zeros_like(self.scores)
            for facet, index in indexes.items():
                index.add_scores(lookups[facet], scores, LEXICAL_FACTORS[facet])
            if only is not None:
                scores[~only] = 0
            candidates.update(best_records(scores, wanted).tolist())
            np.maximum(self.scores, scores, out=self.scores)
            self._lookups.append(lookups)
        self.candidates = sorted(candidates)
        self.most = float(self.scores.max(initial=0.0))

    def coverages(self, candidates: NDArray[np.intp]) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Each candidate's coverage, query coverage, and the facet that shares most of the question's words."""
        coverage = np.zeros(len(candidates), dtype=np.float32)
        query_coverage = np.zeros(len(candidates), dtype=np.float32)
        shared = np.zeros((len(candidates), len(FACETS)), dtype=np.float64)
        for lookups in self._lookups:
            # A token counts as it does in the facet where it is commonest.
            rarities = np.min([lookup.rarities for lookup in lookups.values()], axis=0)
            held_anywhere = np.zeros((len(candidates), len(rarities)), dtype=bool)
            for facet, lookup in lookups.items():
                held = self._indexes[facet].holds(lookup, candidates)
                held_anywhere |= held
                place = FACETS.index(facet)
                np.maximum(shared[:, place], held @ rarities, out=shared[:, place])
                if facet is Facet.MESSAGE:
                    np.maximum(coverage, self._indexes[facet].coverage(lookup, candidates, held), out=coverage)
            total = rarities.sum()
            if total > 0:
                np.maximum(query_coverage, (held_anywhere @ rarities / total).astype(np.float32), out=query_coverage)
        return coverage, query_coverage, shared.argmax(axis=1)
