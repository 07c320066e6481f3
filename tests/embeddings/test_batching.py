"""Questions that come while another is answered are answered together."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from embeddings.batching import Batching

PATIENCE = 5.0  # seconds until a call that nobody lets go is given up


class Doubling:
    """Twice each number, as soon as it is let go; remembers who was asked about together."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.asked, self.go_on = threading.Event(), threading.Event()

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.calls.append(list(numbers))
        self.asked.set()
        assert self.go_on.wait(PATIENCE)
        if 13 in numbers:
            raise ArithmeticError("13 is not doubled")
        return [2 * number for number in numbers]


async def first_and_others(
    batching: Batching[int, int], doubling: Doubling, numbers: Sequence[int]
) -> list[asyncio.Task[int]]:
    """Tasks that ask: the first is being answered, the others came meanwhile."""
    asking = [asyncio.create_task(batching.answer(numbers[0]))]
    assert await asyncio.to_thread(doubling.asked.wait, PATIENCE)
    asking += [asyncio.create_task(batching.answer(number)) for number in numbers[1:]]
    await asyncio.sleep(0.01)
    return asking


async def test_the_first_goes_alone_and_the_others_go_together() -> None:
    """No question waits for company, and what came meanwhile is one call, in the order it came in."""
    doubling = Doubling()
    asking = await first_and_others(Batching(doubling), doubling, [1, 2, 3, 4])

    doubling.go_on.set()

    assert await asyncio.gather(*asking) == [2, 4, 6, 8]
    assert doubling.calls == [[1], [2, 3, 4]]


async def test_no_more_go_together_than_may() -> None:
    """Who comes after many does not wait for all of them at once."""
    doubling = Doubling()
    asking = await first_and_others(Batching(doubling, most_together=2), doubling, [1, 2, 3, 4])

    doubling.go_on.set()

    assert await asyncio.gather(*asking) == [2, 4, 6, 8]
    assert doubling.calls == [[1], [2, 3], [4]]


async def test_a_failure_reaches_everybody_of_its_call_and_nobody_else() -> None:
    """E4: the calls before and after it are answered."""
    doubling = Doubling()
    batching = Batching(doubling)
    asking = await first_and_others(batching, doubling, [1, 13, 3])

    doubling.go_on.set()
    first, *failed = await asyncio.gather(*asking, return_exceptions=True)

    assert first == 2
    assert [str(problem) for problem in failed] == ["13 is not doubled"] * 2
    assert await batching.answer(5) == 10


@pytest.mark.parametrize("leaving", [0, 1])
async def test_who_leaves_takes_nobody_along(leaving: int) -> None:
    """Neither the one that is being answered nor one that waits; the latter is not asked about any more."""
    doubling = Doubling()
    asking = await first_and_others(Batching(doubling), doubling, [1, 2, 3])

    asking[leaving].cancel()
    await asyncio.sleep(0)
    doubling.go_on.set()
    answers = await asyncio.gather(*asking, return_exceptions=True)

    expected: list[object] = [2, 4, 6]
    assert isinstance(answers[leaving], asyncio.CancelledError)
    assert [answer for number, answer in enumerate(answers) if number != leaving] == [
        answer for number, answer in enumerate(expected) if number != leaving
    ]
    assert doubling.calls == ([[1], [2, 3]] if leaving == 0 else [[1], [3]])


async def test_too_few_answers_are_a_failure() -> None:
    """Nobody waits for ever for an answer the function forgot."""
    batching: Batching[int, int] = Batching(lambda _numbers: [])

    with pytest.raises(ValueError, match="shorter"):
        await asyncio.wait_for(batching.answer(1), PATIENCE)


def test_it_serves_one_event_loop_after_another() -> None:
    """Nothing of the first loop is left when it ends, not even a question that was cut short with it."""
    doubling = Doubling()
    batching = Batching(doubling)

    async def leave_early() -> None:
        await first_and_others(batching, doubling, [1, 2])
        doubling.go_on.set()

    asyncio.run(leave_early())

    assert asyncio.run(batching.answer(3)) == 6
