"""Records by words of their message, from memory: for autocomplete, which may not wait, and for searching."""

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.errors import BotError
from bot.matching.facts import Facts
from bot.matching.scope import EVERYTHING, Scope

_WORD = re.compile(r"[^\W_]+")
_LONGEST_TITLE = 100  # Discord's limit for the name of a choice
# A word of a few letters begins thousands of others; the rest of the query narrows them down.
_MOST_FOR_A_WORD = 20_000
# What a scope holds is worked out once, not at each letter that somebody types.
_MOST_SCOPES = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A record in one line. `title` is its code and message, at most 100 characters."""

    record_id: str
    repo: str
    slug: str | None
    title: str
    family: str | None = None


class Suggestions:
    """An inverted index of the catalogue's messages, codes and slugs; its words are looked up by how they begin."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        """Takes about two seconds and 250 MB for 153,000 records."""
        self._found: list[Found] = []
        postings: dict[str, list[int]] = {}
        for number, one in enumerate(facts):
            self._found.append(Found(one.id, one.repo, one.slug, _title(one), one.family))
            texts = (one.message, one.error_code or "", one.error_class or "", one.slug or "")
            for word in {word for text in texts for word in _words(text)}:
                postings.setdefault(word, []).append(number)
        self._vocabulary = sorted(postings)
        self._postings = [postings[word] for word in self._vocabulary]
        self._all_places = frozenset((found.repo, found.family) for found in self._found)
        self._places_of: dict[Scope, frozenset[tuple[str, str | None]]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def search(self, text: str, *, repo: str | None = None, limit: int = 25, scope: Scope = EVERYTHING) -> list[Found]:
        """Records of the scope that hold every word of the text, as it begins; those with the shortest titles first.

        Where none holds all, those that hold most. Equal ones are ordered by id. An empty text finds the first ones.
        """
        words = _words(text)
        places = self._places(scope)
        if not words:
            chosen = [number for number in range(len(self._found)) if self._is_in(number, repo, places)]
        else:
            counts: dict[int, int] = {}
            for word in words:
                for number in self._beginning_with(word):
                    counts[number] = counts.get(number, 0) + 1
            seen = [number for number in counts if self._is_in(number, repo, places)]
            most = max((counts[number] for number in seen), default=0)
            chosen = [number for number in seen if counts[number] == most]
        chosen.sort(key=lambda number: (len(self._found[number].title), self._found[number].record_id))
        return [self._found[number] for number in chosen[:limit]]

    def repositories(self, text: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        """Repositories with records in the scope whose name holds the text, by name."""
        wanted = text.strip().lower()
        return sorted({repo for repo, _ in self._places(scope) if wanted in repo.lower()})[:limit]

    def families(self, text: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        """Families of errors with records in the scope whose name holds the text, by name."""
        wanted = text.strip().lower()
        return sorted({family for _, family in self._places(scope) if family and wanted in family.lower()})[:limit]

    def _places(self, scope: Scope) -> frozenset[tuple[str, str | None]]:
        """The repositories and families of the scope's records, a pair once."""
        if scope.is_everything:
            return self._all_places
        if scope not in self._places_of:
            if len(self._places_of) >= _MOST_SCOPES:
                self._places_of.clear()
            self._places_of[scope] = frozenset(place for place in self._all_places if scope.holds(*place))
        return self._places_of[scope]

    def _is_in(self, number: int, repo: str | None, places: frozenset[tuple[str, str | None]]) -> bool:
        found = self._found[number]
        return repo in {None, found.repo} and (places is self._all_places or (found.repo, found.family) in places)

    def _beginning_with(self, word: str) -> set[int]:
        numbers: set[int] = set()
        place = bisect_left(self._vocabulary, word)
        while place < len(self._vocabulary) and self._vocabulary[place].startswith(word):
            numbers.update(self._postings[place])
            if len(numbers) > _MOST_FOR_A_WORD:
                break
            place += 1
        return numbers


class UnknownNames(BotError):
    """Repositories that are not in the catalogue; `near` are those that may have been meant by each."""

    def __init__(self, near: Mapping[str, Sequence[str]]) -> None:
        sentences = [
            f"the catalogue has no repository {name}" + (f"; did you mean {', '.join(names)}?" if names else "")
            for name, names in near.items()
        ]
        super().__init__("\n".join(sentences))
        self.near = near


def spelled_names(wanted: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """These repositories as the catalogue spells them, in whatever case they were given, each once.

    Raises UnknownNames with all that are not known.
    """
    spelled = {name.lower(): name for name in known}
    names = tuple(dict.fromkeys(wanted))
    unknown = [name for name in names if name.lower() not in spelled]
    if unknown:
        raise UnknownNames({name: near_names(name, known) for name in unknown})
    return tuple(dict.fromkeys(spelled[name.lower()] for name in names))


def near_names(name: str, known: Sequence[str], most: int = 5) -> list[str]:
    """Of the known names those that a person may have meant: such as hold what was typed, then such as look like it."""
    wanted = name.strip().lower()
    last = wanted.rpartition("/")[2]
    lowered = {each.lower(): each for each in known}
    near = [each for each in lowered if wanted and (wanted in each or (last and last == each.rpartition("/")[2]))]
    near += difflib.get_close_matches(wanted, lowered, n=most, cutoff=0.6)
    return [lowered[each] for each in dict.fromkeys(near)][:most]


def _title(facts: Facts) -> str:
    message = " ".join(facts.message.split())
    title = f"{facts.error_code}: {message}" if facts.error_code and facts.error_code not in message else message
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
