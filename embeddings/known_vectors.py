"""Every vector a build need not encode: those of the index that serves, of texts gone lately, of builds cut short."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from embeddings.disk import mapped
from embeddings.encoder import FloatMatrix
from embeddings.errors import EmbeddingsError
from embeddings.generations import TEXT_HASHES, VECTORS, current_generation
from embeddings.manifest import MANIFEST, EncoderIdentity, encoder_in
from embeddings.row_file import RowFile
from embeddings.vector_cache import ENCODED, RETIRED, SUFFIX, VectorCache

# A catalogue that goes back to what it was, or a repository taken out and in again, costs no encoding. 31 MB on disk at
# most; the oldest go first.
MOST_RETIRED: Final = 20_000


class KnownVectors:
    """Vectors of one encoder by content hash, open within `with`."""

    def __init__(self, folder: Path, encoder: EncoderIdentity | None) -> None:
        """Remember where. encoder: None takes that of the index that serves, if it has one."""
        self._folder = folder
        self._served = _served_vectors(folder, encoder)
        self.encoder = encoder if self._served is None else self._served.encoder

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._retired: VectorCache | None = None
        self._encoded: VectorCache | None = None
        if self.encoder is not None:
            with self._stack as opening:
                self._retired = opening.enter_context(VectorCache(self._folder, self.encoder, RETIRED))
                self._encoded = opening.enter_context(VectorCache(self._folder, self.encoder, ENCODED))
                self._stack = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def __contains__(self, text_hash: bytes) -> bool:
        return self._place(text_hash) is not None

    @property
    def had_before(self) -> Collection[bytes]:
        """The texts whose vectors finished builds left."""
        served: Collection[bytes] = self._served.rows.keys() if self._served else ()
        return frozenset(served) | frozenset(self._retired.hashes() if self._retired else ())

    @property
    def encoded(self) -> Collection[bytes]:
        """The texts whose vectors builds left that were cut short."""
        return frozenset(self._encoded.hashes() if self._encoded else ())

    def add(self, hashes: Sequence[bytes], vectors: FloatMatrix) -> None:
        """These survive the end of this process, however it ends. Raises WrongDimension."""
        assert self._encoded is not None
        self._encoded.add(hashes, vectors)

    def gathered(self, hashes: Sequence[bytes]) -> FloatMatrix:
        """The vectors of these texts, all of which it holds, shape (len(hashes), dim), little-endian."""
        assert self.encoder is not None
        vectors = np.empty((len(hashes), self.encoder.dim), dtype="<f4")
        sources = np.array([self._place(text_hash) for text_hash in hashes], dtype=np.int64)
        if self._served is not None and (served := np.flatnonzero(sources == 0)).size:
            rows = [self._served.rows[hashes[place]] for place in served.tolist()]
            vectors[served] = self._served.vectors.rows(np.array(rows, dtype=np.intp))
        for number, cache in enumerate((self._retired, self._encoded), 1):
            if cache is not None and (held := np.flatnonzero(sources == number)).size:
                vectors[held] = cache.vectors([hashes[place] for place in held.tolist()])
        return vectors

    def put_away(self, wanted: Collection[bytes]) -> None:
        """What no text wants any more is retired, and what the index holds now is kept here no longer.

        To be called when an index of all `wanted` texts serves.
        """
        if self.encoder is None or self._retired is None or self._encoded is None:
            return
        leaving = sorted(self._served.rows.keys() - wanted) if self._served else []
        before = self._retired.hashes()
        kept = [text_hash for text_hash in before if text_hash not in wanted]
        retired = list(dict.fromkeys([*kept, *leaving]))[-MOST_RETIRED:]
        if retired != before:
            vectors = self.gathered(retired)
            self._retired.rewrite(retired, vectors)
        own = {self._retired.path} if retired else set()
        for cache in self._folder.glob(f"*{SUFFIX}"):
            if cache not in own:
                cache.unlink()

    def _place(self, text_hash: bytes) -> int | None:
        if self._served is not None and text_hash in self._served.rows:
            return 0
        if self._retired is not None and text_hash in self._retired:
            return 1
        return 2 if self._encoded is not None and text_hash in self._encoded else None


class _ServedVectors:
    """The vectors of the index that serves."""

    def __init__(self, encoder: EncoderIdentity, rows: Mapping[bytes, int], vectors: RowFile) -> None:
        self.encoder, self.rows, self.vectors = encoder, rows, vectors


def _served_vectors(folder: Path, encoder: EncoderIdentity | None) -> _ServedVectors | None:
    """Those of the index that serves, if this encoder made them, or whoever made them (None); None where nothing fits.

    Vectors depend on the encoder alone: an index of another tokeniser is no reason to encode everything again.
    """
    try:
        generation = current_generation(folder)
        made_by = encoder_in((generation / MANIFEST).read_text(encoding="utf-8"))
        if made_by is None or encoder not in {None, made_by}:
            return None
        hashes: NDArray[np.uint8] = mapped(generation / TEXT_HASHES)
        vectors = RowFile(generation / VECTORS)
    except (EmbeddingsError, OSError, ValueError, TypeError, KeyError):
        return None  # missing or damaged: everything is encoded
    if vectors.shape != (len(hashes), made_by.dim):
        return None
    return _ServedVectors(made_by, {row.tobytes(): number for number, row in enumerate(hashes)}, vectors)
