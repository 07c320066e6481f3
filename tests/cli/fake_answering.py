"""Answers that are decided beforehand."""

from collections.abc import Mapping, Sequence

from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from bot.records.article import Article
from bot.records.entry import Entry
from tests.sample_entries import GRADIENT_SYNC, SERVER_DISCONNECTED

NOTHING = Verdict((), (), is_error=False, why_error="no sign of an error", shown=False)


class FakeAnswering:
    """Gives every paste the same verdict and knows the sample entries; remembers what it was asked."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.asked: list[Paste] = []
        self._entries: dict[str, Entry] = {entry.id: entry for entry in (GRADIENT_SYNC, SERVER_DISCONNECTED)}

    async def explain(self, paste: Paste) -> Verdict:
        self.asked.append(paste)
        return self.verdict

    async def entry(self, record_id: str) -> Entry | None:
        return self._entries.get(record_id)

    async def entries(self, record_ids: Sequence[str]) -> Mapping[str, Entry]:
        return {record_id: self._entries[record_id] for record_id in record_ids if record_id in self._entries}

    async def article(self, _entry: Entry) -> Article | None:
        return None

    async def warm(self) -> None:
        """Nothing to load."""
