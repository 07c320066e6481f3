"""The index on disk: what its folder holds, what built it, and whether it still fits. See README.md for the files."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embeddings.encoder import Encoder, FloatMatrix
from embeddings.errors import EmbeddingsError, IndexDoesNotFit, IndexMissing
from embeddings.flat_index import FlatIndex, place_of
from embeddings.lexical import LexicalIndex, Postings
from embeddings.passage import FACETS, HASH_BYTES, Facet
from embeddings.tokens import TOKENISER_NAME, TOKENISER_VERSION

FORMAT_VERSION: Final = 1
POINTER: Final = "current"
GENERATION_PREFIX: Final = "generation-"
MANIFEST: Final = "manifest.json"
RECORD_IDS: Final = "record_ids.json"
FINGERPRINTS: Final = "record_fingerprints.npy"
VECTORS: Final = "text_vectors.npy"
TEXT_HASHES: Final = "text_hashes.npy"
VECTOR_OF: Final = "vector_of.npy"
TOKENISER: Final = f"{TOKENISER_NAME}-{TOKENISER_VERSION}"
_OPENING_ATTEMPTS: Final = 3  # a build may put a new generation in place and remove the old one while we open it


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Which encoder made the vectors."""

    name: str
    revision: str
    dim: int

    @classmethod
    def of(cls, encoder: Encoder) -> "EncoderIdentity":
        """The identity of this encoder; loads nothing."""
        return cls(encoder.name, encoder.revision, encoder.dim)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What built a generation and what it holds."""

    format_version: int
    created_at: str  # ISO 8601, UTC
    tokeniser: str
    encoder: EncoderIdentity | None  # None: words only, no vectors
    records: int
    passages: int
    vectors: int  # one for each different text that was encoded
    unencoded: int  # passages that have no vector yet
    fingerprint: str  # of all records' fingerprints
    files: Mapping[str, int]  # name to bytes

    def to_json(self) -> str:
        """One object, indented, for people as well."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read `to_json` again. Raises ValueError, TypeError or KeyError when it is something else."""
        raw: dict[str, Any] = json.loads(text)
        unknown = raw.keys() ^ {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"fields missing or unknown: {', '.join(sorted(unknown))}")
        encoder = raw["encoder"]
        return cls(
            **{
                **raw,
                "encoder": None if encoder is None else EncoderIdentity(**encoder),
            }
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """How wanted records differ from those in the index; each ascending by id."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


class OpenIndex:
    """One generation, memory-mapped. It stays whole for its holder even after a later build replaced it on disk."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Map the files of one generation folder. Raises OSError or ValueError when they are not what they say."""
        self.folder, self.manifest = folder, manifest
        self.record_ids: tuple[str, ...] = tuple(json.loads((folder / RECORD_IDS).read_text(encoding="utf-8")))
        self._fingerprints: NDArray[np.uint8] = _mapped(folder / FINGERPRINTS)
        self.lexical: dict[Facet, LexicalIndex] = {
            facet: LexicalIndex(_mapped_postings(folder, facet)) for facet in FACETS
        }
        self.vectors: FlatIndex | None = None
        if manifest.encoder is not None:
            self.vectors = FlatIndex(_mapped(folder / VECTORS), _mapped(folder / VECTOR_OF), self.record_ids)

    @property
    def is_complete(self) -> bool:
        """Whether every passage has its vector."""
        return self.manifest.unencoded == 0

    def number_of(self, record_id: str) -> int:
        """The record's number in every array, or -1."""
        return place_of(self.record_ids, record_id)

    def fingerprint_of(self, record_id: str) -> str | None:
        """The `record_fingerprint` of the texts the index was given for this record; None where it knows none."""
        number = self.number_of(record_id)
        return None if number < 0 else self._fingerprints[number].tobytes().hex()

    def changes_to(self, fingerprints: Mapping[str, str]) -> Changes:
        """What a build would have to do to hold exactly these records (id to `record_fingerprint`)."""
        known = dict(zip(self.record_ids, _hex_rows(self._fingerprints), strict=True))
        return Changes(
            added=tuple(sorted(fingerprints.keys() - known.keys())),
            changed=tuple(sorted(id_ for id_, print_ in fingerprints.items() if known.get(id_, print_) != print_)),
            removed=tuple(sorted(known.keys() - fingerprints.keys())),
        )


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


def current_generation(folder: Path) -> Path:
    """The folder of the generation that serves. Raises IndexMissing or IndexDoesNotFit."""
    try:
        name = (folder / POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise IndexMissing(folder) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise IndexDoesNotFit(folder, (f"{POINTER} cannot be read ({problem})",)) from problem
    if not name.removeprefix(GENERATION_PREFIX).isdecimal() or not name.startswith(GENERATION_PREFIX):
        raise IndexDoesNotFit(folder, (f"{POINTER} does not name a generation",))
    return folder / name


def _open_generation(generation: Path, encoder: Encoder | None) -> OpenIndex:
    folder = generation.parent
    try:
        manifest = Manifest.from_json((generation / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError) as problem:
        raise IndexDoesNotFit(folder, (f"its {MANIFEST} cannot be read ({problem})",)) from problem
    differences = tuple(_differences(generation, manifest, encoder))
    if differences:
        raise IndexDoesNotFit(folder, differences)
    try:
        index = OpenIndex(generation, manifest)
    except (OSError, ValueError, TypeError) as problem:
        raise IndexDoesNotFit(folder, (f"a file of it cannot be read ({problem})",)) from problem
    if len(index.record_ids) != manifest.records:
        raise IndexDoesNotFit(folder, (f"it names {len(index.record_ids)} records, its manifest {manifest.records}",))
    return index


def _differences(generation: Path, manifest: Manifest, encoder: Encoder | None) -> Iterable[str]:
    if manifest.format_version != FORMAT_VERSION:
        yield f"its format is {manifest.format_version}, this version reads {FORMAT_VERSION}"
        return
    if manifest.tokeniser != TOKENISER:
        yield f"its words were split by {manifest.tokeniser}, texts are now split by {TOKENISER}"
    if encoder is not None:
        yield from _encoder_differences(manifest.encoder, EncoderIdentity.of(encoder))
    for name, size in manifest.files.items():
        path = generation / name
        found = path.stat().st_size if path.exists() else None
        if found != size:
            yield f"{name} is missing" if found is None else f"{name} has {found} bytes instead of {size}"


@dataclass(frozen=True, slots=True)
class OldVectors:
    """Vectors that an earlier build left: those of the index that serves, or none."""

    encoder: EncoderIdentity | None
    rows: Mapping[bytes, int]  # content hash to row
    vectors: FloatMatrix


def old_vectors(folder: Path, encoder: EncoderIdentity | None) -> OldVectors:
    """The vectors that serve, if this encoder made them, or whoever made them (None); none where nothing fits.

    Vectors depend on the encoder alone: an index of another tokeniser is no reason to encode everything again.
    """
    nothing = OldVectors(encoder, {}, np.empty((0, encoder.dim if encoder else 0), dtype=np.float32))
    try:
        generation = current_generation(folder)
        manifest = Manifest.from_json((generation / MANIFEST).read_text(encoding="utf-8"))
        if manifest.format_version != FORMAT_VERSION or manifest.encoder is None:
            return nothing
        if encoder not in {None, manifest.encoder}:
            return nothing
        hashes: NDArray[np.uint8] = _mapped(generation / TEXT_HASHES)
        vectors: FloatMatrix = _mapped(generation / VECTORS)
    except (EmbeddingsError, OSError, ValueError, TypeError, KeyError):
        return nothing  # missing or damaged: everything is encoded
    if vectors.shape != (len(hashes), manifest.encoder.dim):
        return nothing
    rows = {row.tobytes(): number for number, row in enumerate(hashes)}
    return OldVectors(manifest.encoder, rows, vectors)


def _encoder_differences(built: EncoderIdentity | None, asked: EncoderIdentity) -> Iterable[str]:
    if built is None:
        yield f"it holds no vectors, {asked.name} needs them"
        return
    for what in ("name", "revision", "dim"):
        old, new = getattr(built, what), getattr(asked, what)
        if old != new:
            yield f"its encoder's {what} is {old}, the one in use has {new}"


def postings_file(facet: Facet, array: str) -> str:
    """The name of one array of one facet's postings."""
    return f"{facet}.{array}.npy"


def _mapped_postings(folder: Path, facet: Facet) -> Postings:
    return Postings(**{field.name: _mapped(folder / postings_file(facet, field.name)) for field in fields(Postings)})


def _mapped(path: Path) -> Any:
    array = np.load(path, allow_pickle=False, mmap_mode="r")
    # A plain view: memmap's own indexing costs several times that of an array, and the postings are sliced per token.
    return array.view(np.ndarray)


def _hex_rows(rows: NDArray[np.uint8]) -> list[str]:
    text = rows.tobytes().hex()
    return [text[start : start + 2 * HASH_BYTES] for start in range(0, len(text), 2 * HASH_BYTES)]


def write_array(path: Path, array: NDArray[Any]) -> None:
    """The array is on disk as .npy, little-endian, when this returns."""
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")), allow_pickle=False)
        sync_file(file.fileno())


def write_text(path: Path, text: str) -> None:
    """The text is on disk, in UTF-8, when this returns."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        sync_file(file.fileno())


def sync_file(descriptor: int) -> None:
    """What was written to this descriptor survives a loss of power."""
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """The folder's names survive a loss of power; where folders cannot be synced (Windows) nothing is done."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
