"""Building an index: only what is new is encoded, and what serves is replaced in one step when all is on disk."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from embeddings.build_lock import BuildLock
from embeddings.build_plan import Chunk, plan
from embeddings.codes import Codes, codes_of
from embeddings.disk import sync_file, write_array, write_text
from embeddings.encoder import Encoder
from embeddings.flat_index import NO_VECTOR
from embeddings.generations import (
    CODES,
    FINGERPRINTS,
    RECORD_IDS,
    TEXT_HASHES,
    VECTOR_OF,
    VECTORS,
    new_generation,
    postings_file,
    put_in_place,
    remove_leftovers,
)
from embeddings.index_files import OpenIndex
from embeddings.known_vectors import KnownVectors
from embeddings.lexical import Postings, build_postings
from embeddings.manifest import FORMAT_VERSION, MANIFEST, TOKENISER, EncoderIdentity, Manifest
from embeddings.passage import FACETS, HASH_BYTES, Facet, Passage
from embeddings.passage_table import PassageTable

Progress = Callable[[int, int], None]

COPY_ROWS: Final = 8_192  # rows moved at once from an old generation or the cache: 13 MB
# Where so many texts are still to be encoded, which takes a minute or so, what there is goes into service before.
WORTH_SERVING_FIRST: Final = 10_000


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
    source: str = "",
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    worth_serving_first: int = WORTH_SERVING_FIRST,
) -> BuildReport:
    """The index in `folder` holds exactly these passages, and it is the one that serves.

    passages: in any order, read once; empty texts count as absent, their records are kept. Two builds from the same
    passages write the same bytes into every file but the manifest, however often one of them was killed.
    encoder: None encodes nothing; texts that have a vector keep it, the others are found by their words.
    facets: those to encode now; texts of others keep the vectors they have, a later build completes them.
    source: what the passages were taken from; stands in the manifest.
    progress: called with (done, total) from this thread: the share of the work that is done, in texts. It may raise to
    stop the build.
    worth_serving_first: where more texts than these are still to be encoded, an index of what there is serves before:
    first of all words, then messages, then meanings. Each is whole, and says how much of it lacks vectors.

    Until then the old index serves; a build that ends early, or is killed, leaves it as it was, and the next one
    goes on with what had been encoded. Memory: the texts and their tokens (about 0.6 GB for 153,000 records with
    three passages each), never the vectors. Computes and waits for the disk: call it in a worker thread, or in a
    process of its own.

    Raises IndexBusy while another process builds here, DuplicatePassage, WrongDimension, and what the encoder raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with BuildLock(folder):
        remove_leftovers(folder)
        identity = EncoderIdentity.of(encoder) if encoder else None
        with KnownVectors(folder, identity) as known:
            build = _Build(folder, PassageTable.of(passages), known, source, now)
            chunks = plan(build.table, facets, known.had_before, known.encoded) if encoder else []
            total = sum(len(chunk.texts) for chunk in chunks)
            work = sum(chunk.work for chunk in chunks)
            left, done = total, 0.0
            facet: Facet | None = None
            for chunk in chunks:
                if chunk.facet is not facet:
                    facet = chunk.facet
                    if left > worth_serving_first:
                        build.serve()
                if progress:
                    progress(round(total * done / work), total)
                assert encoder is not None
                build.encode(chunk, encoder)
                left -= len(chunk.texts)
                done += chunk.work
            if progress and encoder:
                progress(total, total)
            manifest = build.serve()
            known.put_away(build.served_hashes)
        return BuildReport(manifest, encoded=total, reused=manifest.vectors - total)


class _Build:
    """One build: the texts, the vectors there are, and what it has put into service so far."""

    def __init__(
        self, folder: Path, table: PassageTable, known: KnownVectors, source: str, now: Callable[[], datetime]
    ) -> None:
        self._folder, self.table, self._known, self._source, self._now = folder, table, known, source, now
        self._before: Path | None = None
        self.served_hashes: frozenset[bytes] = frozenset()

    def encode(self, chunk: Chunk, encoder: Encoder) -> None:
        """The texts of the chunk have vectors that outlive this process."""
        texts = [self.table.texts[text] for text in chunk.texts]
        self._known.add([self.table.hashes[text] for text in chunk.texts], encoder.encode(texts))

    def serve(self) -> Manifest:
        """An index of all passages, with the vectors there are, serves from now on."""
        generation = new_generation(self._folder)
        order = self._write_vectors(generation)
        if self._before is None:
            _write_words(generation, self.table)
        else:
            for path in self._before.iterdir():
                if path.name != MANIFEST and not (generation / path.name).exists():
                    _same_file(path, generation / path.name)
        manifest = self._manifest(generation, order)
        write_text(generation / MANIFEST, manifest.to_json())
        OpenIndex(generation, manifest)  # it can be read
        put_in_place(generation)
        remove_leftovers(self._folder)
        self._before = generation
        self.served_hashes = frozenset(self.table.hashes[text] for text in order)
        return manifest

    def _write_vectors(self, generation: Path) -> list[int]:
        """Every text that has a vector anywhere gets its row, in the order of the content hashes."""
        encoder = self._known.encoder
        if encoder is None:
            return []
        table = self.table
        order = [
            text
            for text in sorted(range(len(table.texts)), key=table.hashes.__getitem__)
            if table.hashes[text] in self._known
        ]
        hashes = [table.hashes[text] for text in order]
        parts: list[Codes] = [codes_of(np.empty((0, encoder.dim), dtype=np.float32))]
        with (generation / VECTORS).open("wb") as file:
            header = {"descr": "<f4", "fortran_order": False, "shape": (len(hashes), encoder.dim)}
            np.lib.format.write_array_header_1_0(file, header)
            for start in range(0, len(hashes), COPY_ROWS):
                vectors = self._known.gathered(hashes[start : start + COPY_ROWS])
                file.write(vectors.tobytes())
                parts.append(codes_of(vectors))
            file.flush()
            sync_file(file.fileno())
        for field, name in CODES.items():
            write_array(generation / name, np.concatenate([getattr(part, field) for part in parts]))
        write_array(generation / TEXT_HASHES, _byte_rows(b"".join(hashes)))
        write_array(generation / VECTOR_OF, table.rows_of_texts(order))
        return order

    def _manifest(self, generation: Path, order: Sequence[int]) -> Manifest:
        table = self.table
        has_vector = table.rows_of_texts(order) != NO_VECTOR
        unencoded = table.has_text & ~has_vector
        prints = table.fingerprints()
        identity = blake2b(prints, digest_size=HASH_BYTES)
        for record_id in table.record_ids:
            identity.update(record_id.encode("utf-8", "surrogatepass") + b"\0")
        return Manifest(
            format_version=FORMAT_VERSION,
            created_at=self._now().astimezone(UTC).isoformat(timespec="seconds"),
            source=self._source,
            tokeniser=TOKENISER,
            encoder=self._known.encoder,
            records=len(table.record_ids),
            passages=int(table.has_text.sum()),
            vectors=len(order),
            unencoded=int(unencoded.sum()),
            messages_unencoded=int(unencoded[:, FACETS.index(Facet.MESSAGE)].sum()),
            fingerprint=identity.hexdigest(),
            files={path.name: path.stat().st_size for path in sorted(generation.iterdir())},
        )


def _write_words(generation: Path, table: PassageTable) -> None:
    """All that does not depend on vectors."""
    for facet in FACETS:
        postings = build_postings(*table.tokens_of(facet), len(table.record_ids))
        for field in fields(Postings):
            write_array(generation / postings_file(facet, field.name), getattr(postings, field.name))
    write_text(generation / RECORD_IDS, json.dumps(table.record_ids, ensure_ascii=True))
    write_array(generation / FINGERPRINTS, _byte_rows(table.fingerprints()))


def _same_file(path: Path, name: Path) -> None:
    try:
        os.link(path, name)
    except OSError:  # this file system has no second names for a file
        shutil.copy2(path, name)


def _byte_rows(joined: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(joined, np.uint8).reshape(len(joined) // HASH_BYTES, HASH_BYTES)
