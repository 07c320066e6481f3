"""The words of a question against all records."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.lexical import Floats, LexicalIndex, Lookup, best_records, different, summed_scores
from embeddings.passage import FACETS, Facet
from embeddings.selected import Selection
from embeddings.tokens import token_hashes

# What a facet's BM25 adds to a record's, measured in README.md.
LEXICAL_FACTORS: Final = {Facet.MESSAGE: 1.0, Facet.MEANING: 0.5, Facet.TRIGGER: 0.5}


class QuestionWords:
    """The words of a question's texts against all records."""

    def __init__(
        self, indexes: Mapping[Facet, LexicalIndex], texts: Sequence[str], wanted: int, only: Selection | None
    ) -> None:
        """Look the words up, and add up what they say of each record.

        wanted: how many records each text brings in. only: the others share no word with the question. Computes.
        """
        self._indexes = indexes
        self._lookups: list[dict[Facet, Lookup]] = []
        self.scores: Floats = np.zeros(next(iter(indexes.values())).record_count, dtype=np.float32)
        candidates = [np.empty(0, dtype=np.intp)]
        for text in texts:
            asked = different(token_hashes(text))
            lookups = {facet: index.look_up(asked) for facet, index in indexes.items()}
            scores = summed_scores(
                [(index, lookups[facet], LEXICAL_FACTORS[facet]) for facet, index in indexes.items()]
            )
            if only is not None:
                scores *= only
            candidates.append(best_records(scores, wanted))
            np.maximum(self.scores, scores, out=self.scores)
            self._lookups.append(lookups)
        self.candidates: NDArray[np.intp] = np.unique(np.concatenate(candidates))
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
