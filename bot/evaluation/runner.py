"""Labelled pastes through the real matcher."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.evaluation.labelled import LabelledPaste
from bot.matching.verdict import Match, Verdict
from bot.pastes.paste import Paste


class Explainer(Protocol):
    """Whoever turns a paste into a verdict; `Answering` does."""

    async def explain(self, paste: Paste) -> Verdict:
        """What is found in the paste."""
        ...


class Expected(StrEnum):
    """What would be right for a paste, given what the catalogue holds."""

    ANSWER = "answer"
    SILENCE = "silence"
    OUT_OF_CATALOGUE = "out_of_catalogue"  # a record answers it, but this catalogue has none of them: silence is right


@dataclass(frozen=True, slots=True)
class Judged:
    """A paste, what was found, and how it compares with what was expected."""

    paste: LabelledPaste
    verdict: Verdict
    expected: Expected

    @property
    def posted(self) -> Match | None:
        """What the bot would have posted unasked."""
        return self.verdict.best if self.verdict.shown else None

    @property
    def is_right(self) -> bool:
        """Whether the bot, unasked, would have done the right thing."""
        if self.expected is Expected.ANSWER:
            return self.posted is not None and self.posted.record_id in self.paste.right
        return self.posted is None

    @property
    def is_wrong_answer(self) -> bool:
        """Whether the bot, unasked, would have said something wrong; silence never is."""
        return self.posted is not None and not self.is_right

    def is_right_on_request(self, within: int) -> bool:
        """Whether a right record is among the first `within` of all that was found, posted or not."""
        return any(match.record_id in self.paste.right for match in self.verdict.matches[:within])


async def judge(
    pastes: Sequence[LabelledPaste],
    explainer: Explainer,
    known: Collection[str],
    *,
    at_once: int = 2,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Judged]:
    """Every paste with its verdict, in the order given.

    known: the ids of the catalogue's records, those of `gold` and `acceptable` at least.
    at_once: how many pastes are asked about at a time. progress: called with (done, total) after each paste.

    Raises what the explainer raises; the pastes that are still asked about are given up.
    Each paste counts as asked about, so that a verdict holds what a person would be shown on request; what would be
    posted unasked is `verdict.shown`.
    """
    places = asyncio.Semaphore(at_once)
    done = 0

    async def one(paste: LabelledPaste) -> Judged:
        nonlocal done
        async with places:
            verdict = await explainer.explain(Paste.of_text(paste.text))
        done += 1
        progress(done, len(pastes))
        return Judged(paste, verdict, expected_for(paste, known))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(paste)) for paste in pastes]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None  # one paste's failure ends the others; the caller knows its kind
    return [task.result() for task in tasks]


def expected_for(paste: LabelledPaste, known: Collection[str]) -> Expected:
    """What would be right for a paste where the catalogue holds the records `known`."""
    if not paste.gold:
        return Expected.SILENCE
    return Expected.ANSWER if any(record_id in known for record_id in paste.right) else Expected.OUT_OF_CATALOGUE
