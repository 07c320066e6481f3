"""The passages of a build, in an order that does not depend on how they came."""

from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from embeddings.errors import DuplicatePassage
from embeddings.passage import FACETS, Facet, Passage, texts_fingerprint
from embeddings.tokens import token_hashes


class PassageTable:
    """Records ascending by id; for each, the number of the text it has in each facet. Equal texts are kept once."""

    def __init__(
        self, record_ids: list[str], text_of: NDArray[np.int64], texts: list[str], hashes: list[bytes]
    ) -> None:
        """Remember the parts. text_of: (records, facets), a number of `texts` or -1; hashes: those of the texts."""
        self.record_ids, self.text_of, self.texts, self.hashes = record_ids, text_of, texts, hashes

    @classmethod
    def of(cls, passages: Iterable[Passage], record_ids: Iterable[str] = ()) -> "PassageTable":
        """Read the passages once. Raises DuplicatePassage when a record has two texts for one facet.

        record_ids: records that are there whether or not they have a passage.
        """
        numbers = {record_id: number for number, record_id in enumerate(record_ids)}
        known: dict[bytes, int] = {}
        texts: list[str] = []
        rows = [[-1] * len(FACETS) for _ in numbers]
        column = {facet: number for number, facet in enumerate(FACETS)}
        for passage in passages:
            number = numbers.setdefault(passage.record_id, len(rows))
            if number == len(rows):
                rows.append([-1] * len(FACETS))
            if not passage.text:
                continue
            text = known.setdefault(passage.content_hash, len(texts))
            if text == len(texts):
                texts.append(passage.text)
            if rows[number][column[passage.facet]] >= 0:
                raise DuplicatePassage(passage.record_id, passage.facet)
            rows[number][column[passage.facet]] = text
        in_order = sorted(numbers)
        text_of = np.array([rows[numbers[id_]] for id_ in in_order], dtype=np.int64).reshape(-1, len(FACETS))
        return cls(in_order, text_of, texts, list(known))

    def texts_of(self, facet: Facet) -> set[int]:
        """The numbers of the different texts of a facet."""
        return {number for number in self._column(facet).tolist() if number >= 0}

    def tokens_of(self, facet: Facet) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Record numbers and token hashes of one facet, as pairs."""
        column = self._column(facet)
        tokens = array("Q")
        ends = array("Q", [0])
        place: dict[int, int] = {}
        for text in column.tolist():
            if text >= 0 and text not in place:
                place[text] = len(place)
                tokens.extend(token_hashes(self.texts[text]))
                ends.append(len(tokens))
        limits = np.frombuffer(ends, dtype=np.uint64).astype(np.int64)
        records = np.flatnonzero(column >= 0)
        spots = np.array([place[text] for text in column[records].tolist()], dtype=np.int64)
        lengths = limits[spots + 1] - limits[spots]
        starts = np.cumsum(lengths) - lengths
        at = np.arange(int(lengths.sum())) + np.repeat(limits[spots] - starts, lengths)
        flat = np.frombuffer(tokens, dtype=np.uint64) if tokens else np.empty(0, np.uint64)
        return np.repeat(records, lengths).astype(np.uint32), flat[at]

    def fingerprints(self) -> bytes:
        """The `record_fingerprint` of each record, 16 bytes each, one after the other."""
        return b"".join(
            bytes.fromhex(
                texts_fingerprint(
                    (facet, self.hashes[text]) for facet, text in zip(FACETS, row, strict=True) if text >= 0
                )
            )
            for row in self.text_of.tolist()
        )

    def _column(self, facet: Facet) -> NDArray[np.int64]:
        return self.text_of[:, FACETS.index(facet)]
