"""Records by words of their message, from memory: for autocomplete, which may not wait, and for searching."""

import difflib
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.errors import BotError
from bot.matching.scope import EVERYTHING, Scope

_WORD = re.compile(r"[^\W_]+")
_LONGEST_TITLE = 100  # Discord's limit for the name of a choice
# A word of a few letters begins thousands of others; the rest of the query narrows them down.
_MOST_FOR_A_WORD = 20_000
# What a scope holds is worked out once, not at each letter that somebody types.
_MOST_SCOPES = 100

# A word and a record in one number, so that sorting is quick.
_HALF = np.uint64(32)

Numbers = NDArray[np.uint32]
Mask = NDArray[np.bool_]


class Named(Protocol):
    """What a record is found by. Values are the record's own; None where it has none."""

    @property
    def id(self) -> str: ...

    @property
    def repo(self) -> str: ...

    @property
    def message(self) -> str: ...

    @property
    def slug(self) -> str | None: ...

    @property
    def error_class(self) -> str | None: ...

    @property
    def error_code(self) -> str | None: ...

    @property
    def family(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A record in one line. `title` is its code and message, at most 100 characters."""

    record_id: str
    repo: str
    slug: str | None
    title: str
    family: str | None = None


class Suggestions:
    """An inverted index of the catalogue's messages, codes and slugs; its words are looked up by how they begin.

    Records are numbered in the order they are offered in: shortest title first, equal ones by id.
    """

    def __init__(self, records: Iterable[Named]) -> None:
        """Takes them one by one: 153,000 take two seconds and 28 MB, 40 MB more for a moment at the end."""
        numbered: dict[str, int] = {}
        ids, lengths, place_of, words_of, words = array("Q"), array("I"), array("I"), array("I"), array("I")
        places: dict[tuple[str, str | None], int] = {}
        # Objects of their own would take four times as much: a line each, one after the other.
        self._lines, starts = bytearray(), array("I", [0])
        for one in records:
            title = _title(one)
            self._lines += f"{one.slug or ''}\n{title}".encode("utf-8", "surrogatepass")
            starts.append(len(self._lines))
            ids.append(int(one.id, 16))
            lengths.append(len(title))
            place_of.append(places.setdefault((one.repo, one.family), len(places)))
            distinct = set(_words(f"{one.message} {one.error_code or ''} {one.error_class or ''} {one.slug or ''}"))
            words.extend(numbered.setdefault(word, len(numbered)) for word in distinct)
            words_of.append(len(distinct))
        self._places = list(places)
        self._allowed: dict[Scope, Mask] = {}
        self._enough: dict[str, int] = {}
        order = np.lexsort((np.array(ids), np.array(lengths)))
        self._ids, self._place_of = np.array(ids)[order], np.array(place_of)[order]
        self._starts, self._ends = np.array(starts)[:-1][order], np.array(starts)[1:][order]
        self._vocabulary = _sorted(numbered)
        new_word = _places_in_order([numbered[word] for word in self._vocabulary])
        pairs = new_word[np.array(words)] << _HALF | np.repeat(_places_in_order(order), np.array(words_of))
        pairs.sort()
        # The lower half of a pair is the record; those of one word stand together, ascending.
        self._postings = pairs.astype(np.uint32)
        self._postings_from = np.searchsorted(pairs >> _HALF, np.arange(len(numbered) + 1, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self._ids)

    def search(self, text: str, *, repo: str | None = None, limit: int = 25, scope: Scope = EVERYTHING) -> list[Found]:
        """Records of the scope that hold every word of the text, as it begins; those with the shortest titles first.

        Where none holds all, those that hold most. Equal ones are ordered by id. An empty text finds the first ones.
        """
        allowed = self._allowed_places(scope)
        if repo is not None:
            allowed = allowed & np.array([name == repo for name, _ in self._places], dtype=np.bool_)
        words = _words(text)
        counts = np.zeros(len(self), dtype=np.uint32)
        for word in words:
            # A record that holds several words with this beginning is counted once all the same.
            counts[self._beginning_with(word)] += 1
        seen = np.flatnonzero(allowed[self._place_of])
        if words:
            most = counts[seen].max(initial=0)
            seen = seen[counts[seen] == most] if most else seen[:0]
        return [self._found(number) for number in seen[:limit]]

    def repositories(self, text: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        """Repositories with records in the scope whose name holds the text, by name."""
        wanted = text.strip().lower()
        return sorted({repo for repo, _ in self._places_in(scope) if wanted in repo.lower()})[:limit]

    def families(self, text: str, *, limit: int = 25, scope: Scope = EVERYTHING) -> list[str]:
        """Families of errors with records in the scope whose name holds the text, by name."""
        wanted = text.strip().lower()
        return sorted({family for _, family in self._places_in(scope) if family and wanted in family.lower()})[:limit]

    def _places_in(self, scope: Scope) -> list[tuple[str, str | None]]:
        """The repositories and families of the scope's records, a pair once."""
        return [self._places[place] for place in np.flatnonzero(self._allowed_places(scope))]

    def _allowed_places(self, scope: Scope) -> Mask:
        """Of each pair of repository and family, whether the scope holds it."""
        allowed = self._allowed.get(scope)
        if allowed is None:
            allowed = np.array([scope.holds(*place) for place in self._places], dtype=np.bool_)
            if len(self._allowed) >= _MOST_SCOPES:
                self._allowed.clear()
            self._allowed[scope] = allowed
        return allowed

    def _beginning_with(self, word: str) -> Numbers:
        """The records of the words that begin like this, some more than once.

        The words are taken in the order of the alphabet, until they have more than `_MOST_FOR_A_WORD` records.
        """
        first = bisect_left(self._vocabulary, word)
        last = bisect_left(self._vocabulary, True, first, key=lambda each: not each.startswith(word))
        if self._postings_from[last] - self._postings_from[first] > _MOST_FOR_A_WORD:
            # A few hundred beginnings at most, and each takes milliseconds.
            if word not in self._enough:
                self._enough[word] = self._until_enough(first, last)
            last = self._enough[word]
        records: Numbers = self._postings[self._postings_from[first] : self._postings_from[last]]
        return records

    def _until_enough(self, first: int, last: int) -> int:
        """The first word after those that have more than `_MOST_FOR_A_WORD` records together; `last` at most."""
        begin = self._postings_from[first]
        records = self._postings[begin : self._postings_from[last]]
        met_at = np.empty(len(self), dtype=np.uint32)
        # Of several assignments to one place the last stays, so backwards it is where a record is met first.
        met_at[records[::-1]] = np.arange(len(records), dtype=np.uint32)[::-1]
        is_new = met_at[records] == np.arange(len(records), dtype=np.uint32)
        enough = np.searchsorted(np.cumsum(is_new), _MOST_FOR_A_WORD + 1)
        return min(int(np.searchsorted(self._postings_from, begin + enough, side="right")), last)

    def _found(self, number: int) -> Found:
        line = self._lines[self._starts[number] : self._ends[number]].decode("utf-8", "surrogatepass")
        slug, _, title = line.partition("\n")
        repo, family = self._places[self._place_of[number]]
        return Found(f"{self._ids[number]:016x}", repo, slug or None, title, family)


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


def _title(record: Named) -> str:
    message = " ".join(record.message.split())
    title = f"{record.error_code}: {message}" if record.error_code and record.error_code not in message else message
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _places_in_order(order: Sequence[int] | NDArray[np.intp]) -> NDArray[np.uint64]:
    """For each number its place in the order."""
    places = np.empty(len(order), dtype=np.uint64)
    places[order] = np.arange(len(order), dtype=np.uint64)
    return places


def _sorted(words: Iterable[str]) -> list[str]:
    # By their first letter first: one call for 35,000 words would hold up the event loop for 20 ms.
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[0], []).append(word)
    return [word for letter in sorted(by_letter) for word in sorted(by_letter[letter])]
