"""Building an index: only what is new is encoded, and what serves is replaced in one step when all is on disk."""

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.build_lock import BuildLock
from embeddings.encoder import Encoder, FloatMatrix
from embeddings.flat_index import NO_VECTOR
from embeddings.index_files import (
    FINGERPRINTS,
    FORMAT_VERSION,
    GENERATION_PREFIX,
    MANIFEST,
    POINTER,
    RECORD_IDS,
    TEXT_HASHES,
    TOKENISER,
    VECTOR_OF,
    VECTORS,
    EncoderIdentity,
    Manifest,
    OldVectors,
    OpenIndex,
    old_vectors,
    postings_file,
    sync_file,
    sync_folder,
    write_array,
    write_text,
)
from embeddings.lexical import Postings, build_postings
from embeddings.passage import FACETS, HASH_BYTES, Facet, Passage
from embeddings.passage_table import PassageTable
from embeddings.vector_cache import SUFFIX, VectorCache

Progress = Callable[[int, int], None]

CHUNK: Final = 256  # texts between two entries into the cache: a killed build loses a few seconds of work
COPY_ROWS: Final = 8_192  # rows moved at once from an old generation or the cache: 13 MB


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did."""

    manifest: Manifest
    encoded: int  # texts the encoder saw in this run
    reused: int  # texts whose vectors were there already


def build_index(
    folder: Path,
    passages: Iterable[Passage],
    encoder: Encoder | None,
    *,
    progress: Progress | None = None,
    facets: Sequence[Facet] = FACETS,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> BuildReport:
    """The index in `folder` holds exactly these passages, and it is the one that serves.

    passages: in any order, read once; empty texts count as absent, their records are kept. Two builds from the same
    passages write the same bytes into every file but the manifest (and up to the encoder's rounding in other batches).
    encoder: None encodes nothing; texts that have a vector keep it, the others are found by their words.
    facets: those to encode now; texts of others keep the vectors they have, a later build completes them.
    progress: called with (done, total) texts of those that need encoding, messages first, from this thread. It may
    raise to stop the build.

    Until the last step the old index serves; a build that ends early, or is killed, leaves it as it was, and the next
    one goes on with what had been encoded. Memory: the texts and their tokens (about 0.5 GB for 153,000 records with
    three passages each), never the vectors. Computes and waits for the disk: call it in a worker thread.

    Raises IndexBusy while another process builds here, DuplicatePassage, WrongDimension, and what the encoder raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with BuildLock(folder):
        _remove_leftovers(folder)
        table = PassageTable.of(passages)
        generation = folder / f"{GENERATION_PREFIX}{_next_number(folder)}"
        generation.mkdir()
        vectors = _write_vectors(folder, generation, table, encoder, facets, progress=progress)
        _write_postings(generation, table)
        manifest = _write_records(generation, table, vectors, now())
        sync_folder(generation)
        _put_in_place(folder, generation)
        _remove_leftovers(folder)
        if encoder is not None:
            for cache in folder.glob(f"*{SUFFIX}"):
                cache.unlink()  # what is wanted of it is in the index now
        return BuildReport(manifest, encoded=vectors.new, reused=vectors.count - vectors.new)


@dataclass(frozen=True, slots=True)
class _Vectors:
    encoder: EncoderIdentity | None
    count: int
    new: int
    unencoded: int


def _write_vectors(
    folder: Path,
    generation: Path,
    table: PassageTable,
    encoder: Encoder | None,
    facets: Sequence[Facet],
    *,
    progress: Progress | None,
) -> _Vectors:
    identity = EncoderIdentity.of(encoder) if encoder else None
    old = old_vectors(folder, identity)
    if encoder is None or identity is None:
        if old.encoder is None:
            return _Vectors(None, count=0, new=0, unencoded=table.passage_count)
        return _write_matrix(generation, table, old, cache=None, new=0)
    with VectorCache(folder, identity) as cache:
        pending = [
            text
            for text in table.texts_of([facet for facet in FACETS if facet in facets])
            if table.hashes[text] not in old.rows and table.hashes[text] not in cache
        ]
        for done in range(0, len(pending), CHUNK):
            if progress:
                progress(done, len(pending))
            some = pending[done : done + CHUNK]
            cache.add([table.hashes[text] for text in some], encoder.encode([table.texts[text] for text in some]))
        if progress:
            progress(len(pending), len(pending))
        return _write_matrix(generation, table, replace(old, encoder=identity), cache, new=len(pending))


def _write_matrix(
    generation: Path, table: PassageTable, old: OldVectors, cache: VectorCache | None, new: int
) -> _Vectors:
    """Every text that has a vector anywhere gets its row, in the order of the content hashes."""
    assert old.encoder is not None
    order = [
        text
        for text in sorted(range(len(table.texts)), key=table.hashes.__getitem__)
        if table.hashes[text] in old.rows or (cache is not None and table.hashes[text] in cache)
    ]
    hashes = [table.hashes[text] for text in order]
    with (generation / VECTORS).open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (len(hashes), old.encoder.dim)}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, len(hashes), COPY_ROWS):
            file.write(_gathered(hashes[start : start + COPY_ROWS], old.encoder.dim, old, cache).tobytes())
        file.flush()
        sync_file(file.fileno())
    write_array(generation / TEXT_HASHES, _byte_rows(b"".join(hashes)))
    rows = table.rows_of_texts(order)
    write_array(generation / VECTOR_OF, rows)
    encoded_passages = int((rows != NO_VECTOR).sum())
    return _Vectors(old.encoder, len(order), new, unencoded=table.passage_count - encoded_passages)


def _gathered(hashes: Sequence[bytes], dim: int, old: OldVectors, cache: VectorCache | None) -> FloatMatrix:
    vectors = np.empty((len(hashes), dim), dtype="<f4")
    is_old = np.array([text_hash in old.rows for text_hash in hashes], dtype=bool)
    if is_old.any():
        vectors[is_old] = old.vectors[[old.rows[text_hash] for text_hash in hashes if text_hash in old.rows]]
    if cache is not None and not is_old.all():
        vectors[~is_old] = cache.vectors([text_hash for text_hash in hashes if text_hash not in old.rows])
    return vectors


def _write_postings(generation: Path, table: PassageTable) -> None:
    for facet in FACETS:
        postings = build_postings(*table.tokens_of(facet), len(table.record_ids))
        for field in fields(Postings):
            write_array(generation / postings_file(facet, field.name), getattr(postings, field.name))


def _write_records(generation: Path, table: PassageTable, vectors: _Vectors, now: datetime) -> Manifest:
    write_text(generation / RECORD_IDS, json.dumps(table.record_ids, ensure_ascii=True))
    prints = table.fingerprints()
    write_array(generation / FINGERPRINTS, _byte_rows(prints))
    identity = blake2b(prints, digest_size=HASH_BYTES)
    for record_id in table.record_ids:
        identity.update(record_id.encode("utf-8", "surrogatepass") + b"\0")
    manifest = Manifest(
        format_version=FORMAT_VERSION,
        created_at=now.astimezone(UTC).isoformat(timespec="seconds"),
        tokeniser=TOKENISER,
        encoder=vectors.encoder,
        records=len(table.record_ids),
        passages=table.passage_count,
        vectors=vectors.count,
        unencoded=vectors.unencoded,
        fingerprint=identity.hexdigest(),
        files={path.name: path.stat().st_size for path in sorted(generation.iterdir())},
    )
    write_text(generation / MANIFEST, manifest.to_json())
    return manifest


def _byte_rows(joined: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(joined, np.uint8).reshape(len(joined) // HASH_BYTES, HASH_BYTES)


def _put_in_place(folder: Path, generation: Path) -> None:
    OpenIndex(generation, Manifest.from_json((generation / MANIFEST).read_text(encoding="utf-8")))  # it can be read
    new = folder / f"{POINTER}.new"
    write_text(new, generation.name + "\n")
    new.replace(folder / POINTER)
    sync_folder(folder)


def _generations(folder: Path) -> dict[int, Path]:
    found = folder.glob(f"{GENERATION_PREFIX}*")
    return {int(tail): path for path in found if (tail := path.name.removeprefix(GENERATION_PREFIX)).isdecimal()}


def _next_number(folder: Path) -> int:
    return max(_generations(folder), default=0) + 1


def _remove_leftovers(folder: Path) -> None:
    """Generations that do not serve are gone. On Windows one that another process reads stays until the next build."""
    pointer = folder / POINTER
    serving = pointer.read_text(encoding="utf-8", errors="replace").strip() if pointer.exists() else None
    for generation in _generations(folder).values():
        if generation.name != serving:
            shutil.rmtree(generation, ignore_errors=True)
