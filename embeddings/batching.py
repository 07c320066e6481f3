"""Questions that come while another is answered are answered together, where that costs less than one by one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")

# A question is two or three texts; 16 of them keep both cores busy for 0.2 s, which is as long as anyone should wait.
MOST_TOGETHER: Final = 16


class Batching(Generic[Question, Answer]):
    """Asks a plain function for several answers at once, in a worker thread, one call at a time.

    The first question starts at once and alone. What is asked until it is answered goes together into the next call, in
    the order it came in. Nothing is kept between calls, so one batching serves one event loop after another.
    """

    def __init__(
        self, answers: Callable[[Sequence[Question]], Sequence[Answer]], *, most_together: int = MOST_TOGETHER
    ) -> None:
        """Remember the function: as many answers as questions, in their order."""
        self._answers, self._most = answers, most_together
        self._waiting: deque[tuple[Question, asyncio.Future[Answer]]] = deque()
        self._working: asyncio.Task[None] | None = None

    async def answer(self, question: Question) -> Answer:
        """The answer to this question; cancelling it leaves the others be.

        Raises what the function raises, as does everybody who was asked about in the same call.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answer))
        if self._working is None:
            # A task of its own: whoever came first may be cancelled while the others wait.
            self._working = asyncio.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        asked: list[tuple[Question, asyncio.Future[Answer]]] = []
        try:
            while asked := self._next():
                await self._answer_together(asked)
        finally:
            # Reached with questions left only when this task is cancelled, as at the end of the event loop.
            for _, answer in (*asked, *self._waiting):
                answer.cancel()
            self._waiting.clear()
            self._working = None

    def _next(self) -> list[tuple[Question, asyncio.Future[Answer]]]:
        """The questions of the next call, without those nobody waits for any more; none when all are answered."""
        asked: list[tuple[Question, asyncio.Future[Answer]]] = []
        while self._waiting and len(asked) < self._most:
            question, answer = self._waiting.popleft()
            if not answer.done():
                asked.append((question, answer))
        return asked

    async def _answer_together(self, asked: Sequence[tuple[Question, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await asyncio.to_thread(self._answers, [question for question, _ in asked])
            answered = list(zip(asked, answers, strict=True))
        except Exception as problem:  # noqa: BLE001 -- whatever it is, it reaches everybody who asked
            for _, answer in asked:
                if not answer.done():
                    answer.set_exception(problem)
            return
        for (_, answer), found in answered:
            if not answer.done():
                answer.set_result(found)
