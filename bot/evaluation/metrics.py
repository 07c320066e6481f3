"""Figures about judged pastes, in whole numbers first: shares are made of them, and they compare without rounding."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.evaluation.runner import Expected, Judged

RECALL_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Counts:
    """How some pastes went. `pastes` is all of them, of which `expected` have an answer in the catalogue.

    Of the expected: `right_first`, the answer posted unasked is right; `right_on_request`, the first thing found is,
    posted or not; `right_within`, one of the first five is; `wrong`, the answer posted unasked is not right.
    Of the others, where silence is right: `answered`, something was posted unasked; `answered_on_request`, something
    would be shown to who asks.
    """

    pastes: int = 0
    expected: int = 0
    right_first: int = 0
    right_on_request: int = 0
    right_within: int = 0
    wrong: int = 0
    answered: int = 0
    answered_on_request: int = 0

    @property
    def silence_expected(self) -> int:
        return self.pastes - self.expected

    @property
    def recall_at_1(self) -> float | None:
        """0 to 1; None where no answer is expected."""
        return _share(self.right_first, self.expected)

    @property
    def recall_at_1_on_request(self) -> float | None:
        """0 to 1; None where no answer is expected."""
        return _share(self.right_on_request, self.expected)

    @property
    def recall_at_5(self) -> float | None:
        """0 to 1; None where no answer is expected."""
        return _share(self.right_within, self.expected)

    @property
    def silence(self) -> float | None:
        """The share of pastes that were rightly left alone, 0 to 1; None where an answer is expected of all."""
        return _share(self.silence_expected - self.answered, self.silence_expected)


@dataclass(frozen=True, slots=True)
class Figures:
    """All there is to say about a run.

    `records` holds the counts by record (its id, the first of a paste's gold); only records of the catalogue.
    `out_of_catalogue` are pastes whose records this catalogue has not: they are in `kinds`, not in `total`.
    """

    total: Counts
    out_of_catalogue: Counts
    kinds: dict[str, Counts]
    records: dict[str, Counts]

    @property
    def mean_record_recall(self) -> float | None:
        """The mean over records of the record's recall at 1: pastes of one record are not independent."""
        shares = [counts.recall_at_1 for counts in self.records.values() if counts.recall_at_1 is not None]
        return sum(shares) / len(shares) if shares else None

    @property
    def never_found(self) -> tuple[str, ...]:
        """Ids of the records that were posted unasked for none of their pastes; ascending."""
        return tuple(sorted(record for record, counts in self.records.items() if not counts.right_first))


def figures(judged: Sequence[Judged]) -> Figures:
    """Count everything once."""
    kinds: dict[str, list[Judged]] = defaultdict(list)
    records: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        kinds[one.paste.kind].append(one)
        if one.expected is Expected.ANSWER:
            records[one.paste.gold[0]].append(one)
    return Figures(
        total=count(one for one in judged if one.expected is not Expected.OUT_OF_CATALOGUE),
        out_of_catalogue=count(one for one in judged if one.expected is Expected.OUT_OF_CATALOGUE),
        kinds={kind: count(members) for kind, members in sorted(kinds.items())},
        records={record: count(members) for record, members in sorted(records.items())},
    )


def count(judged: Iterable[Judged]) -> Counts:
    """The counts of these pastes."""
    members = list(judged)
    expected = [one for one in members if one.expected is Expected.ANSWER]
    others = [one for one in members if one.expected is not Expected.ANSWER]
    return Counts(
        pastes=len(members),
        expected=len(expected),
        right_first=sum(one.is_right for one in expected),
        right_on_request=sum(one.is_right_on_request(1) for one in expected),
        right_within=sum(one.is_right_on_request(RECALL_DEPTH) for one in expected),
        wrong=sum(one.is_wrong_answer for one in expected),
        answered=sum(one.is_wrong_answer for one in others),
        answered_on_request=sum(bool(one.verdict.matches) for one in others),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
