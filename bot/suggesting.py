"""Records by words of their message, from memory: for autocomplete, which may not wait, and for searching."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.matching.facts import Facts

_WORD = re.compile(r"[^\W_]+")
_LONGEST_TITLE = 100  # Discord's limit for the name of a choice
# A word of a few letters begins thousands of others; the rest of the query narrows them down.
_MOST_FOR_A_WORD = 20_000


@dataclass(frozen=True, slots=True)
class Found:
    """A record in one line. `title` is its code and message, at most 100 characters."""

    record_id: str
    repo: str
    slug: str | None
    title: str


class Suggestions:
    """An inverted index of the catalogue's messages, codes and slugs; its words are looked up by how they begin."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        """Takes about two seconds and 250 MB for 153,000 records."""
        self._found: list[Found] = []
        postings: dict[str, list[int]] = {}
        for number, one in enumerate(facts):
            self._found.append(Found(one.id, one.repo, one.slug, _title(one)))
            texts = (one.message, one.error_code or "", one.error_class or "", one.slug or "")
            for word in {word for text in texts for word in _words(text)}:
                postings.setdefault(word, []).append(number)
        self._vocabulary = sorted(postings)
        self._postings = [postings[word] for word in self._vocabulary]
        self._repos = sorted({found.repo for found in self._found})

    def __len__(self) -> int:
        return len(self._found)

    def search(self, text: str, *, repo: str | None = None, limit: int = 25) -> list[Found]:
        """Records that hold every word of the text, the last one as it begins; those with the shortest titles first.

        Where none holds all, those that hold most. Equal ones are ordered by id. An empty text finds the first ones.
        """
        words = _words(text)
        if not words:
            candidates: Sequence[int] = range(len(self._found))
        else:
            counts: dict[int, int] = {}
            for word in words:
                for number in self._beginning_with(word):
                    counts[number] = counts.get(number, 0) + 1
            most = max(counts.values(), default=0)
            candidates = [number for number, count in counts.items() if count == most]
        chosen = [number for number in candidates if repo is None or self._found[number].repo == repo]
        chosen.sort(key=lambda number: (len(self._found[number].title), self._found[number].record_id))
        return [self._found[number] for number in chosen[:limit]]

    def repositories(self, text: str, *, limit: int = 25) -> list[str]:
        """Repositories whose name holds the text."""
        wanted = text.strip().lower()
        return [repo for repo in self._repos if wanted in repo.lower()][:limit]

    def _beginning_with(self, word: str) -> set[int]:
        numbers: set[int] = set()
        place = bisect_left(self._vocabulary, word)
        while place < len(self._vocabulary) and self._vocabulary[place].startswith(word):
            numbers.update(self._postings[place])
            if len(numbers) > _MOST_FOR_A_WORD:
                break
            place += 1
        return numbers


def _title(facts: Facts) -> str:
    message = " ".join(facts.message.split())
    title = f"{facts.error_code}: {message}" if facts.error_code and facts.error_code not in message else message
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
