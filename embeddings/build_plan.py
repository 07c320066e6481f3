"""In which order texts are encoded, and how much of the work each part is."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from embeddings.passage import FACETS, Facet
from embeddings.passage_table import PassageTable

CHUNK: Final = 256  # texts between two entries into the cache: a killed build loses a second or two of work
# What a text costs beside its length, in characters: 14 word pieces take 2 ms, 46 take 5 ms.
CHARACTERS_OF_ANY_TEXT: Final = 24


@dataclass(frozen=True, slots=True)
class Chunk:
    """Texts of about one length that are encoded and kept together."""

    facet: Facet
    texts: tuple[int, ...]  # numbers in the table
    work: int  # comparable between chunks


def plan(
    table: PassageTable, facets: Sequence[Facet], had_before: Container[bytes], encoded: Container[bytes]
) -> list[Chunk]:
    """Every text of these facets that has no vector yet, once: messages first, then meanings, then triggers.

    Within a facet chunks of short and of long texts alternate by chance (that of their hashes), so that what is done is
    a fair sample of what is left. Which texts share a chunk does not depend on those that builds cut short have encoded
    already: a build that goes on where another was killed encodes the chunks the other would have encoded.
    """
    chunks: list[Chunk] = []
    seen: set[int] = set()
    for facet in FACETS:
        if facet not in facets:
            continue
        new = {text for text in table.texts_of(facet) - seen if table.hashes[text] not in had_before}
        seen |= new
        by_length = sorted(new, key=lambda text: (len(table.texts[text]), table.hashes[text]))
        cut = [by_length[start : start + CHUNK] for start in range(0, len(by_length), CHUNK)]
        for chunk in sorted(cut, key=lambda texts: table.hashes[texts[0]]):
            left = tuple(text for text in chunk if table.hashes[text] not in encoded)
            if left:
                chunks.append(Chunk(facet, left, sum(len(table.texts[text]) + CHARACTERS_OF_ANY_TEXT for text in left)))
    return chunks
