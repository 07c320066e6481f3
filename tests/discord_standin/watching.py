"""How a test waits for what the bot does, and asserts that it does nothing."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tests.discord_standin.payloads import Payload, visible_text
from tests.discord_standin.stage import Call, Stage

T = TypeVar("T")
_POLL_SECONDS = 0.05  # for conditions on the bot itself, of which the stand-in is not told


class Watching(Stage):
    """Waits end as soon as they can; their timeouts only bound a test that fails."""

    async def until(
        self, condition: Callable[[], T | None], *, timeout_seconds: float = 5.0, what: str = "the condition"
    ) -> T:
        """The first true value of `condition`, asked again whenever anything happens here.

        Raises AssertionError, with the latest calls, where it stays false.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout_seconds
        while True:
            changed = self.changed
            if value := condition():
                return value
            left = end - loop.time()
            if left <= 0:
                latest = "\n".join(f"  {call}" for call in self.calls[-12:])
                raise AssertionError(f"{what} did not come true within {timeout_seconds} s; latest calls:\n{latest}")
            try:
                async with asyncio.timeout(min(left, _POLL_SECONDS)):
                    await changed.wait()
            except TimeoutError:
                continue

    async def wait_call(
        self,
        method: str,
        path_ends: str = "",
        *,
        since: int = 0,
        where: Callable[[Call], bool] = lambda _: True,
        timeout_seconds: float = 5.0,
    ) -> Call:
        """The first REST call with this method and end of path, from `calls[since]` on."""

        def found() -> Call | None:
            fitting = (c for c in self.calls[since:] if c.method == method and c.path.endswith(path_ends) and where(c))
            return next(fitting, None)

        return await self.until(found, timeout_seconds=timeout_seconds, what=f"a call {method} …{path_ends}")

    def bot_messages(self, channel: Payload, after: Payload | None = None) -> list[Payload]:
        """What the bot has posted in a channel for everybody, oldest first, as it reads now."""
        since = int(after["id"]) if after else 0
        mine = [m for m in self.world.history(channel["id"]) if m["author"]["id"] == self.bot["id"]]
        return [m for m in mine if int(m["id"]) > since and m["type"] not in (18, 21)]

    async def bot_message(
        self, channel: Payload, after: Payload | None = None, *, timeout_seconds: float = 5.0
    ) -> Payload:
        """The bot's first message in a channel, after the given message; it goes on changing as it is edited."""
        mine = await self.until(
            lambda: self.bot_messages(channel, after), timeout_seconds=timeout_seconds, what="a message by the bot"
        )
        return mine[0]

    async def answer_to(self, question: Payload, *, timeout_seconds: float = 5.0) -> Payload:
        """The bot's reply to a message, in the same channel."""
        return await self.until(
            lambda: next(iter(self.answers_to(question)), None),
            timeout_seconds=timeout_seconds,
            what=f"an answer to {question['content'][:60]!r}",
        )

    def answers_to(self, question: Payload) -> list[Payload]:
        """Every reply of the bot to a message so far."""
        channel = self.world.channels[question["channel_id"]]
        refers = (m for m in self.bot_messages(channel) if "message_reference" in m)
        return [m for m in refers if m["message_reference"].get("message_id") == question["id"]]

    async def quiet(self, channel: Payload, seconds: float = 0.3, *, after: Payload | None = None) -> None:
        """The bot posts nothing and does not type in a channel for so long; nor has it since `after`.

        Raises AssertionError with what it said.
        """
        before = {m["id"] for m in self.bot_messages(channel)} if after is None else set()
        typed = len(self.calls)
        await asyncio.sleep(seconds)
        said = [m for m in self.bot_messages(channel, after) if m["id"] not in before]
        assert not said, f"the bot was not quiet: {[visible_text(message)[:200] for message in said]}"
        typing = [c for c in self.calls[typed:] if c.path == f"/channels/{channel['id']}/typing"]
        assert not typing, "the bot was typing"

    @property
    def refused_requests(self) -> list[Call]:
        """The calls Discord counts towards its ban of an address: those answered 401, 403 or 429."""
        return [call for call in self.calls if call.status in (401, 403, 429)]
