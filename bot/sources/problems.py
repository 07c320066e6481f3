"""Everything that is wrong with an import, gathered until all of it was read."""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.records.entry import Entry
from bot.records.errors import InvalidRecord
from bot.sources.errors import InvalidSource

# Enough to repair a file by; all problems of a wholly wrong one of 153,000 lines would fill memory and screen.
MOST_PROBLEMS = 1_000


class Problems:
    """Collects problems, each as "file: field: what was wrong", and the places of ids and slugs to find twins by."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._left_out = 0
        self._ids: dict[str, str] = {}
        self._slugs: dict[tuple[str, str], str] = {}

    def add(self, *lines: str) -> None:
        """Keep these, or count them where there are too many already."""
        room = max(0, MOST_PROBLEMS - len(self._lines))
        self._lines += lines[:room]
        self._left_out += len(lines[room:])

    @contextmanager
    def collected(self) -> Iterator[None]:
        """What is invalid inside becomes a problem instead of an exception."""
        try:
            yield
        except InvalidRecord as invalid:
            self.add(*(f"{invalid.origin}: {problem}" for problem in invalid.problems))
        except InvalidSource as invalid:
            self.add(*invalid.problems)

    def is_first(self, entry: Entry, origin: str) -> bool:
        """Whether no entry before had this id, nor this slug in the same repository; else that is a problem."""
        earlier = self._ids.setdefault(entry.id, origin)
        if earlier is not origin:
            self.add(f"{origin}: id: {entry.id} stands already in {earlier}")
            return False
        if entry.slug is None:
            return True
        earlier = self._slugs.setdefault((entry.repo, entry.slug), origin)
        if earlier is not origin:
            self.add(f"{origin}: slug: {entry.slug} of {entry.repo} stands already in {earlier}")
            return False
        return True

    def raise_if_any(self) -> None:
        """Raises InvalidSource with all that was collected."""
        if not self._lines:
            return
        more = (f"… and {self._left_out} more problems",) if self._left_out else ()
        raise InvalidSource((*self._lines, *more))
