"""What tests of building share: an encoder that counts, passages by the hundred, and what a folder holds."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from embeddings.encoder import FloatMatrix
from embeddings.generations import FINGERPRINTS, current_generation
from embeddings.hashed_encoder import HashedEncoder
from embeddings.index_files import OpenIndex
from embeddings.manifest import MANIFEST
from embeddings.passage import Facet, Passage

DIM = 16


class CountingEncoder(HashedEncoder):
    """Remembers what it was asked to encode, and fails once it was asked for more than it may."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(DIM)
        self.seen: list[str] = []
        self.most = most

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """As `HashedEncoder`."""
        if self.most is not None and len(self.seen) + len(texts) > self.most:
            raise MemoryError
        self.seen += texts
        return super().encode(texts)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The files of the generation that serves, without the manifest, whose date differs."""
    generation = current_generation(folder)
    return {path.name: path.read_bytes() for path in generation.iterdir() if path.name != MANIFEST}


def names_in(folder: Path) -> set[str]:
    """What is in the folder of the index, save the vectors of texts that are gone."""
    return {path.name for path in folder.iterdir() if not path.name.startswith("retired-")}


def many(count: int, word: str = "failure") -> list[Passage]:
    """Messages that all differ."""
    return [Passage(f"{n:05}", Facet.MESSAGE, f"{word} of part {chr(97 + n % 26)}{n // 26}x") for n in range(count)]


def fingerprints_in(index: OpenIndex) -> dict[str, str]:
    """The `record_fingerprint` of the texts that each record was indexed with."""
    rows = np.load(index.folder / FINGERPRINTS)
    return {record_id: row.tobytes().hex() for record_id, row in zip(index.record_ids, rows, strict=True)}
