"""Pastes through a matcher, and what each outcome counts as."""

import asyncio

import pytest

from bot.errors import BotError
from bot.evaluation.labelled import LabelledPaste
from bot.evaluation.runner import Expected, expected_for, judge
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from tests.evaluation.judged_pastes import found, judged


class Repeating:
    """Finds the record whose id is the paste's text; keeps how many were asked about at a time."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def explain(self, paste: Paste) -> Verdict:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        if paste.parts[0].text == "broken":
            raise BotError("it is broken")
        return found(paste.parts[0].text)


async def test_every_paste_is_asked_about_in_order() -> None:
    """Verdicts stand in the order of the pastes, so many are asked about at a time, and progress is told."""
    told: list[tuple[int, int]] = []
    explainer = Repeating()
    pastes = [LabelledPaste(str(number), str(number), "exact", (str(number),)) for number in range(5)]

    done = await judge(pastes, explainer, {"0", "1"}, at_once=2, progress=lambda *step: told.append(step))

    assert [one.verdict.matches[0].record_id for one in done] == ["0", "1", "2", "3", "4"]
    assert [one.expected for one in done] == [Expected.ANSWER] * 2 + [Expected.OUT_OF_CATALOGUE] * 3
    assert told == [(number, 5) for number in range(1, 6)]
    assert explainer.most == 2


async def test_a_failure_is_raised_as_it_is() -> None:
    """What the matcher raises comes out by itself, not in a group."""
    with pytest.raises(BotError, match="it is broken"):
        await judge([LabelledPaste("a", "broken", "exact"), LabelledPaste("b", "x", "exact")], Repeating(), ())


def test_silence_is_expected_where_no_record_is_known() -> None:
    """Without gold silence is right; with gold it is right too where the catalogue has none of the records."""
    negative = LabelledPaste("a", "", "chat")
    positive = LabelledPaste("b", "", "exact", ("r1",), ("r2",))

    assert expected_for(negative, {"r1"}) is Expected.SILENCE
    assert expected_for(positive, {"r1"}) is Expected.ANSWER
    assert expected_for(positive, {"r2"}) is Expected.ANSWER
    assert expected_for(positive, {"r3"}) is Expected.OUT_OF_CATALOGUE


def test_an_answer_is_right_where_its_first_record_is() -> None:
    """Gold and acceptable records are right, the second place is not, and silence is a miss but no wrong answer."""
    assert judged(found("r1"), ["r1"]).is_right
    assert judged(found("r2"), ["r1"], acceptable=["r2"]).is_right
    second = judged(found("r2", "r1"), ["r1"])
    assert not second.is_right
    assert second.is_wrong_answer
    assert second.is_right_on_request(5)
    missed = judged(found("r1", shown=False), ["r1"])
    assert not missed.is_right
    assert not missed.is_wrong_answer
    assert missed.is_right_on_request(1)


def test_silence_is_right_where_nothing_is_posted() -> None:
    """On a negative only what would be posted unasked is wrong."""
    assert judged(found()).is_right
    assert judged(found("r1", shown=False)).is_right
    assert judged(found("r1")).is_wrong_answer
