"""Messages of one moment are handed on together."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from bot.cogs.bursts import MOST_MESSAGES, Bursts

ANN, BEN = (1, 10), (1, 20)


@dataclass(frozen=True)
class Said:
    message_id: int
    text: str = ""


class Handled:
    """Remembers what was handed over."""

    def __init__(self, *, seconds: float = 0.0, breaks: bool = False) -> None:
        self.bursts: list[list[Said]] = []
        self.seconds, self.breaks = seconds, breaks

    async def __call__(self, pieces: Sequence[Said]) -> None:
        self.bursts.append(list(pieces))
        await asyncio.sleep(self.seconds)
        if self.breaks:
            raise RuntimeError("boom")


async def test_one_authors_messages_are_one_burst() -> None:
    """C4: what an author says within the pause is one question; others' messages are theirs."""
    handled = Handled()
    bursts = Bursts(handled, 0.05, 10)

    for number, key in enumerate((ANN, BEN, ANN)):
        assert bursts.add(key, Said(number))
    await asyncio.sleep(0.15)

    assert sorted(handled.bursts, key=len) == [[Said(1)], [Said(0), Said(2)]]


async def test_who_never_pauses_is_answered_all_the_same() -> None:
    """C4: the first message waits four pauses at most, and ten messages are enough."""
    handled = Handled()
    bursts = Bursts(handled, 0.05, 10)
    for number in range(12):
        bursts.add(ANN, Said(number))
        await asyncio.sleep(0.03)
    assert handled.bursts

    handled.bursts.clear()
    slow = Bursts(handled, 60, 10)
    for number in range(MOST_MESSAGES):
        slow.add(BEN, Said(number))
    await asyncio.sleep(0)

    assert len(handled.bursts[0]) == MOST_MESSAGES


async def test_more_than_the_bound_is_refused() -> None:
    """C6: bursts that wait and bursts in hand count; a message for a burst that waits already is welcome."""
    bursts = Bursts(Handled(seconds=60), 0.05, 2)

    assert bursts.add(ANN, Said(1))
    assert bursts.add(BEN, Said(2))
    assert not bursts.add((2, 10), Said(3))
    assert bursts.add(ANN, Said(4))
    await asyncio.sleep(0.1)
    assert not bursts.add((2, 10), Said(5))
    await bursts.finish(0)


async def test_finishing_hands_over_at_once_and_waits() -> None:
    """A graceful stop answers what waits, and cancels what takes too long."""
    handled = Handled(seconds=0.05)
    bursts = Bursts(handled, 60, 10)
    bursts.add(ANN, Said(1))

    await bursts.finish(1)

    assert handled.bursts == [[Said(1)]]


async def test_edited_and_deleted_messages_are_seen_as_they_are_then() -> None:
    """D8: what changes while it waits is handed over changed, or not at all."""
    handled = Handled()
    bursts = Bursts(handled, 60, 10)
    bursts.add(ANN, Said(1, "old"))
    bursts.add(BEN, Said(2))

    assert bursts.replace(Said(1, "new"))
    assert not bursts.replace(Said(3))
    bursts.drop(2)
    await bursts.finish(1)

    assert handled.bursts == [[Said(1, "new")]]


async def test_what_breaks_ends_there(caplog: pytest.LogCaptureFixture) -> None:
    """E7: an exception in one burst is logged with its incident, and the next burst is handled."""
    handled = Handled(breaks=True)
    bursts = Bursts(handled, 0, 10)

    bursts.add(ANN, Said(1))
    await asyncio.sleep(0.01)
    bursts.add(ANN, Said(2))
    await asyncio.sleep(0.01)

    assert handled.bursts == [[Said(1)], [Said(2)]]
    assert len([record for record in caplog.records if hasattr(record, "incident")]) == 2
