"""Every vector a build need not encode: those of the index that serves, of texts gone lately, of builds cut short."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from embeddings.codes import Codes, codes_of
from embeddings.disk import mapped
from embeddings.encoder import FloatMatrix
from embeddings.errors import EmbeddingsError
from embeddings.generations import CODES, TEXT_HASHES, VECTORS, current_generation
from embeddings.manifest import MANIFEST, EncoderIdentity, Manifest, encoder_in
from embeddings.row_blocks import RowBlocks
from embeddings.text_hashes import Hashes, are_ascending, hash_array, hashes_in, listed, places_in
from embeddings.vector_cache import ENCODED, RETIRED, SUFFIX, VectorCache

# A catalogue that goes back to what it was, or a repository taken out and in again, costs no encoding. 31 MB on disk at
# most; the oldest go first.
MOST_RETIRED: Final = 20_000
NOWHERE: Final = -1  # as a row of the index that serves


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
        with self._stack as opening:
            if self._served is not None:
                opening.enter_context(self._served.vectors)
            if self.encoder is not None:
                self._retired = opening.enter_context(VectorCache(self._folder, self.encoder, RETIRED))
                self._encoded = opening.enter_context(VectorCache(self._folder, self.encoder, ENCODED))
            self._stack = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def served(self) -> Hashes:
        """The texts of the index that serves, ascending; their places are its rows."""
        return self._served.hashes if self._served else hash_array(())

    @property
    def encoded(self) -> Collection[bytes]:
        """The texts whose vectors builds left that were cut short."""
        return frozenset(self._encoded.hashes() if self._encoded else ())

    def rows_of(self, hashes: Hashes) -> NDArray[np.intp]:
        """The row of each text in the index that serves; NOWHERE for one it does not hold."""
        return places_in(self.served, hashes)

    def is_kept_aside(self, text_hash: bytes) -> bool:
        """Whether there is a vector of this text beside those of the index that serves."""
        return any(text_hash in cache for cache in self._caches)

    def had_before(self, hashes: Sequence[bytes]) -> frozenset[bytes]:
        """Those of these texts whose vectors finished builds left."""
        retired = frozenset(self._retired.hashes() if self._retired else ())
        rows = self.rows_of(hash_array(hashes)).tolist()
        return frozenset(
            text_hash for text_hash, row in zip(hashes, rows, strict=True) if row != NOWHERE or text_hash in retired
        )

    def add(self, hashes: Sequence[bytes], vectors: FloatMatrix) -> None:
        """These survive the end of this process, however it ends. Raises WrongDimension."""
        assert self._encoded is not None
        self._encoded.add(hashes, vectors)

    def vectors(self, hashes: Hashes, rows: NDArray[np.intp]) -> FloatMatrix:
        """The vectors of these texts, all of which it holds, shape (len(hashes), dim), little-endian.

        rows: `rows_of` these texts.
        """
        assert self.encoder is not None
        vectors = np.empty((len(hashes), self.encoder.dim), dtype="<f4")
        is_served = rows != NOWHERE
        if self._served is not None:
            vectors[is_served] = self._served.vectors.rows(rows[is_served])
        others = list(zip(np.flatnonzero(~is_served).tolist(), listed(hashes[~is_served]), strict=True))
        for cache in self._caches:
            held = [(place, text_hash) for place, text_hash in others if text_hash in cache]
            if held:
                vectors[[place for place, _ in held]] = cache.vectors([text_hash for _, text_hash in held])
        return vectors

    def codes(self, vectors: FloatMatrix, rows: NDArray[np.intp]) -> Codes:
        """The codes of these vectors; those of the index that serves are taken over, as it kept them.

        rows: those of the vectors' texts. Computing all codes of 153,003 records takes two seconds.
        """
        if self._served is None or self._served.codes is None:
            return codes_of(vectors)
        is_new = rows == NOWHERE
        taken = Codes(*(array[rows] for array in _arrays(self._served.codes)))
        for array, computed in zip(_arrays(taken), _arrays(codes_of(vectors[is_new])), strict=True):
            array[is_new] = computed
        return taken

    def put_away(self, wanted: Hashes) -> None:
        """What no text wants any more is retired, and what the index holds now is kept here no longer.

        wanted: ascending. To be called when an index of all `wanted` texts serves.
        """
        if self.encoder is None or self._retired is None:
            return
        leaving = listed(self.served[places_in(wanted, self.served) < 0])
        before = self._retired.hashes()
        still_away = hash_array(before)[places_in(wanted, hash_array(before)) < 0]
        retired = list(dict.fromkeys([*listed(still_away), *leaving]))[-MOST_RETIRED:]
        if retired != before:
            hashes = hash_array(retired)
            self._retired.rewrite(retired, self.vectors(hashes, self.rows_of(hashes)))
        own = {self._retired.path} if retired else set()
        for cache in self._folder.glob(f"*{SUFFIX}"):
            if cache not in own:
                cache.unlink()

    @property
    def _caches(self) -> list[VectorCache]:
        return [cache for cache in (self._retired, self._encoded) if cache is not None]


@dataclass(frozen=True, slots=True)
class _ServedVectors:
    """The vectors of the index that serves. `codes` are there where this version would compute the same."""

    encoder: EncoderIdentity
    hashes: Hashes
    vectors: RowBlocks
    codes: Codes | None


def _served_vectors(folder: Path, encoder: EncoderIdentity | None) -> _ServedVectors | None:
    """Those of the index that serves, if this encoder made them, or whoever made them (None); None where nothing fits.

    Vectors depend on the encoder alone: an index of another tokeniser is no reason to encode everything again.
    """
    try:
        generation = current_generation(folder)
        manifest = (generation / MANIFEST).read_text(encoding="utf-8")
        made_by = encoder_in(manifest)
        if made_by is None or encoder not in {None, made_by}:
            return None
        hashes = hashes_in(mapped(generation / TEXT_HASHES))
        vectors = RowBlocks(generation / VECTORS)
    except (EmbeddingsError, OSError, ValueError, TypeError, KeyError):
        return None  # missing or damaged: everything is encoded
    if vectors.shape != (len(hashes), made_by.dim) or vectors.dtype != np.dtype("<f4") or not are_ascending(hashes):
        return None
    return _ServedVectors(made_by, hashes, vectors, _served_codes(generation, manifest, vectors.shape))


def _served_codes(generation: Path, manifest: str, shape: tuple[int, ...]) -> Codes | None:
    try:
        Manifest.from_json(manifest)  # of this format
        codes = Codes(**{field: mapped(generation / name) for field, name in CODES.items()})
    except (OSError, ValueError, TypeError, KeyError):
        return None  # they are computed again
    found = [(array.dtype, array.shape) for array in _arrays(codes)]
    expected = [
        (array.dtype, (shape[0], *array.shape[1:])) for array in _arrays(codes_of(np.empty((0, shape[1]), "<f4")))
    ]
    return codes if found == expected and shape[0] else None


def _arrays(codes: Codes) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return codes.codes, codes.steps, codes.errors
