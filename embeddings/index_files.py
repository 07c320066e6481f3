"""The index on disk: opening it, and whether it still fits what asks. See README.md for the files."""

import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Final

from embeddings.codes import Codes
from embeddings.disk import mapped
from embeddings.encoder import Encoder
from embeddings.errors import IndexDoesNotFit
from embeddings.flat_index import FlatIndex, place_of
from embeddings.generations import (
    CODES,
    RECORD_IDS,
    TEXT_HASHES,
    VECTOR_OF,
    VECTORS,
    current_generation,
    postings_file,
)
from embeddings.graph_index import GraphIndex, graphs_in
from embeddings.lexical import LexicalIndex, Postings
from embeddings.manifest import MANIFEST, TOKENISER, EncoderIdentity, Manifest
from embeddings.passage import FACETS, Facet
from embeddings.row_file import RowFile

_OPENING_ATTEMPTS: Final = 3  # a build may put a new generation in place and remove the old one while we open it


class OpenIndex:
    """One generation, memory-mapped. It stays whole for its holder even after a later build replaced it on disk."""

    def __init__(self, folder: Path, manifest: Manifest, *, with_vectors: bool = True) -> None:
        """Map the files of one generation folder. Raises OSError or ValueError when they are not what they say.

        with_vectors: without them `vectors` is None, and what searching them takes is not loaded.
        """
        self.folder, self.manifest = folder, manifest
        self.record_ids: tuple[str, ...] = tuple(json.loads((folder / RECORD_IDS).read_text(encoding="utf-8")))
        self.lexical: dict[Facet, LexicalIndex] = {
            facet: LexicalIndex(_mapped_postings(folder, facet)) for facet in FACETS
        }
        self.graphs = graphs_in(folder.parent)  # there when it was opened
        self.vectors: FlatIndex | GraphIndex | None = None
        if manifest.encoder is not None and with_vectors:
            flat = FlatIndex(
                RowFile(folder / VECTORS),
                Codes(**{field: mapped(folder / name) for field, name in CODES.items()}),
                mapped(folder / VECTOR_OF),
            )
            self.vectors = GraphIndex.beside(flat, folder / TEXT_HASHES) or flat

    @property
    def is_complete(self) -> bool:
        """Whether every passage has its vector."""
        return self.manifest.unencoded == 0

    def number_of(self, record_id: str) -> int:
        """The record's number in every array, or -1."""
        return place_of(self.record_ids, record_id)


def open_index(folder: Path, encoder: Encoder | None) -> OpenIndex:
    """Open the generation that serves, for this encoder, or for words alone (None, which accepts any encoder's index).

    Costs milliseconds: the arrays are mapped, not read.

    Raises IndexMissing where none was completed, and IndexDoesNotFit when another encoder, tokeniser or format
    made it, when it has no vectors though an encoder asks, or when its files are not whole.
    """
    for _ in range(_OPENING_ATTEMPTS - 1):
        generation = current_generation(folder)
        try:
            return _open_generation(generation, encoder)
        except IndexDoesNotFit:
            if current_generation(folder) == generation:
                raise
    return _open_generation(current_generation(folder), encoder)


def current_manifest(folder: Path) -> Manifest:
    """The manifest of the generation that serves. Raises IndexMissing or IndexDoesNotFit."""
    return _manifest_of(current_generation(folder))


def _manifest_of(generation: Path) -> Manifest:
    try:
        return Manifest.from_json((generation / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError) as problem:
        raise IndexDoesNotFit(generation.parent, (f"its {MANIFEST} cannot be read ({problem})",)) from problem


def _open_generation(generation: Path, encoder: Encoder | None) -> OpenIndex:
    folder = generation.parent
    manifest = _manifest_of(generation)
    differences = tuple(_differences(generation, manifest, encoder))
    if differences:
        raise IndexDoesNotFit(folder, differences)
    try:
        index = OpenIndex(generation, manifest, with_vectors=encoder is not None)
    except (OSError, ValueError, TypeError) as problem:
        raise IndexDoesNotFit(folder, (f"a file of it cannot be read ({problem})",)) from problem
    if len(index.record_ids) != manifest.records:
        raise IndexDoesNotFit(folder, (f"it names {len(index.record_ids)} records, its manifest {manifest.records}",))
    return index


def _differences(generation: Path, manifest: Manifest, encoder: Encoder | None) -> Iterable[str]:
    if manifest.tokeniser != TOKENISER:
        yield f"its words were split by {manifest.tokeniser}, texts are now split by {TOKENISER}"
    if encoder is not None:
        yield from _encoder_differences(manifest.encoder, EncoderIdentity.of(encoder))
    for name, size in manifest.files.items():
        path = generation / name
        found = path.stat().st_size if path.exists() else None
        if found != size:
            yield f"{name} is missing" if found is None else f"{name} has {found} bytes instead of {size}"


def _encoder_differences(built: EncoderIdentity | None, asked: EncoderIdentity) -> Iterable[str]:
    if built is None:
        yield f"it holds no vectors, {asked.name} needs them"
        return
    for what in ("name", "revision", "dim"):
        old, new = getattr(built, what), getattr(asked, what)
        if old != new:
            yield f"its encoder's {what} is {old}, the one in use has {new}"


def _mapped_postings(folder: Path, facet: Facet) -> Postings:
    return Postings(**{field.name: mapped(folder / postings_file(facet, field.name)) for field in fields(Postings)})
