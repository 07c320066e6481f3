"""The files of one generation, written from what it is to hold. See README.md for what each is."""

import json
from contextlib import ExitStack
from dataclasses import fields
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.disk import write_array, write_text
from embeddings.flat_index import NO_VECTOR
from embeddings.generations import (
    CODES,
    FINGERPRINTS,
    RECORD_FACETS,
    RECORD_IDS,
    RECORD_KEYS,
    TEXT_HASHES,
    VECTOR_OF,
    VECTORS,
    postings_file,
)
from embeddings.index_contents import IndexContents, TextRows
from embeddings.known_vectors import KnownVectors
from embeddings.lexical import Postings
from embeddings.manifest import FORMAT_VERSION, TOKENISER, EncoderIdentity, Manifest
from embeddings.passage import FACETS, HASH_BYTES, Facet
from embeddings.row_blocks import matrix_written
from embeddings.text_hashes import byte_rows

# Rows moved at once, 1.5 MB. Blocks of 13 MB take three times as long: the system clears fresh memory for each.
COPY_ROWS: Final = 1_024


def write_vectors(generation: Path, rows: TextRows, known: KnownVectors) -> None:
    """All that depends on vectors; nothing where there are none."""
    if known.encoder is None:
        return
    shape = (len(rows.hashes), known.encoder.dim)
    lengths: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = [(np.empty(0, "<f4"), np.empty(0, "<f4"))]
    with ExitStack() as files:
        put_vectors = files.enter_context(matrix_written(generation / VECTORS, np.dtype("<f4"), shape))
        put_codes = files.enter_context(matrix_written(generation / CODES["codes"], np.dtype("i1"), shape))
        for start in range(0, shape[0], COPY_ROWS):
            block = slice(start, start + COPY_ROWS)
            vectors = known.vectors(rows.hashes[block], rows.served_rows[block])
            codes = known.codes(vectors, rows.served_rows[block])
            put_vectors(vectors)
            put_codes(codes.codes)
            lengths.append((codes.steps, codes.errors))
    for name, parts in zip(("steps", "errors"), zip(*lengths, strict=True), strict=True):
        write_array(generation / CODES[name], np.concatenate(parts))
    write_array(generation / TEXT_HASHES, byte_rows(rows.hashes))
    write_array(generation / VECTOR_OF, rows.vector_of)


def write_words(generation: Path, contents: IndexContents) -> None:
    """All that does not depend on vectors."""
    keys = contents.keys
    for facet in FACETS:
        terms, postings = contents.words_of(facet)
        for field in fields(Postings):
            write_array(generation / postings_file(facet, field.name), getattr(postings, field.name))
        if keys is not None:
            write_array(generation / postings_file(facet, "counts"), terms.counts)
    write_text(generation / RECORD_IDS, json.dumps(contents.record_ids, ensure_ascii=True))
    write_array(generation / FINGERPRINTS, contents.fingerprints)
    if keys is not None:
        write_array(generation / RECORD_KEYS, keys)
        write_array(generation / RECORD_FACETS, contents.has_text)


def manifest_of(
    generation: Path,
    contents: IndexContents,
    rows: TextRows,
    *,
    encoder: EncoderIdentity | None,
    source: str,
    now: datetime,
) -> Manifest:
    """What the generation says of itself once all its other files are there. now: aware."""
    unencoded = contents.has_text & (rows.vector_of == NO_VECTOR)
    identity = blake2b(contents.fingerprints.tobytes(), digest_size=HASH_BYTES)
    for record_id in contents.record_ids:
        identity.update(record_id.encode("utf-8", "surrogatepass") + b"\0")
    return Manifest(
        format_version=FORMAT_VERSION,
        created_at=now.astimezone(UTC).isoformat(timespec="seconds"),
        source=source,
        tokeniser=TOKENISER,
        encoder=encoder,
        records=len(contents.record_ids),
        passages=int(contents.has_text.sum()),
        vectors=len(rows.hashes),
        unencoded=int(unencoded.sum()),
        messages_unencoded=int(unencoded[:, FACETS.index(Facet.MESSAGE)].sum()),
        fingerprint=identity.hexdigest(),
        files={path.name: path.stat().st_size for path in sorted(generation.iterdir())},
    )
