"""The few stand-ins of the whole suite, each readable by eye."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

from bot.matching.facts import Facts
from bot.matching.scope import EVERYTHING, Scope
from bot.records.template import derive_pattern
from embeddings.encoder import FloatMatrix
from embeddings.errors import EncoderUnavailable
from embeddings.hashed_encoder import HashedEncoder
from embeddings.nearest import NearRecord


class ListedFacts:
    """A catalogue in a dictionary."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        self.by_id = {one.id: one for one in facts}

    async def facts_of(self, record_ids: Sequence[str]) -> Mapping[str, Facts]:
        return {record_id: self.by_id[record_id] for record_id in record_ids if record_id in self.by_id}

    async def all_facts(self) -> AsyncIterator[Facts]:
        for record_id in sorted(self.by_id):
            yield self.by_id[record_id]


class ListedNearest:
    """An index that always finds the same records, whatever is asked; `asked` keeps the questions."""

    def __init__(self, found: Sequence[NearRecord], compared_by: str | None) -> None:
        self.found, self.compared_by = list(found), compared_by
        self.asked: list[Sequence[str]] = []

    async def nearest(self, texts: Sequence[str], k: int, scope: Scope = EVERYTHING) -> list[NearRecord]:
        self.asked.append(texts)
        return self.found[:k]


def invented_facts(record_id: str, message: str, **more: object) -> Facts:
    """Facts with a message and the pattern upstream would derive for it, where none is given."""
    values: dict[str, object] = {"repo": "example/project", "pattern": derive_pattern(message), **more}
    return Facts(id=record_id, message=message, **values)  # type: ignore[arg-type]


class CountingEncoder(HashedEncoder):
    """The readable encoder under another name, that keeps every text it was given; `lost`: it cannot be loaded."""

    def __init__(self, *, lost: bool = False) -> None:
        super().__init__()
        self.lost, self.seen = lost, list[str]()

    @property
    def name(self) -> str:
        return "counting"

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        if self.lost:
            raise EncoderUnavailable(self.name, "its file is gone")
        self.seen += texts
        return super().encode(texts)
