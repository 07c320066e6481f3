"""Two rankings into one: cosines and token weights of the same records. Figures for the choices are in README.md."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


# A record whose every passage is near is likelier than one with a single lucky passage.
BEST_SHARE: Final = 0.5
MEAN_SHARE: Final = 0.5


def best_passage(cosines: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The highest cosine of each record's passages, and which facet gave it; equal ones: the first facet.

    cosines: shape (records, facets), NaN where a passage is missing. A record without passages has -1.
    """
    present = np.where(np.isnan(cosines), np.float32(-1.0), cosines)
    best = present.argmax(axis=1)
    return present[np.arange(len(present)), best], best


def record_similarity(cosines: Floats) -> Floats:
    """What ranks records by meaning, -1 to 1: half the best cosine, half the mean of those of its passages.

    cosines: shape (records, facets), NaN where a passage is missing. A record without passages has -1.
    """
    best, _ = best_passage(cosines)
    present = ~np.isnan(cosines)
    counts = np.maximum(present.sum(axis=1), 1)
    mean = np.where(present, cosines, 0).sum(axis=1) / counts
    blended = np.where(present.any(axis=1), BEST_SHARE * best + MEAN_SHARE * mean, -1.0)
    return blended.astype(np.float32)


def fused(lexical: Floats, similarity: Floats, most_lexical: float) -> Floats:
    """Token weights divided by the highest, plus the similarity, from -1 to 2; higher is nearer.

    most_lexical: the highest token weight among all records for this question. It makes the best record's share 1
    however little it shares with the question, so `fused` ranks and never tells whether to speak.
    """
    share = lexical / np.float32(most_lexical) if most_lexical > 0 else np.zeros_like(lexical)
    return share + similarity
