"""Pastes typed or pasted into a terminal, or piped in with empty lines between them."""

import asyncio
import os
import select
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator

# What is pasted arrives at once: lines that wait already after an empty one belong to the same paste.
_PASTE_GAP_SECONDS = 0.15
_READ_BYTES = 65_536


class LineReader:
    """Lines of a file descriptor, with a look at whether more is waiting.

    The descriptor is read directly, since a buffered stream hides what it has read ahead.
    """

    def __init__(self, descriptor: int, decode: Callable[[bytes], str]) -> None:
        self._descriptor, self._decode = descriptor, decode
        self._waiting = bytearray()
        self._end_is_due = False  # the end came behind a line without its line end

    def line(self) -> str | None:
        """The next line without its end; None at the end of the input, or for a Ctrl-D on an empty line."""
        if self._end_is_due:
            self._end_is_due = False
            return None
        while b"\n" not in self._waiting:
            if not self._read():
                self._end_is_due = bool(self._waiting)
                break
        if not self._waiting:
            return None
        line, _, rest = bytes(self._waiting).partition(b"\n")
        self._waiting = bytearray(rest)
        return self._decode(line.removesuffix(b"\r"))

    def more_is_waiting(self) -> bool:
        """Whether more text has arrived, or does within an instant."""
        # Windows cannot wait for a console.
        if not self._waiting and os.name != "nt":
            readable, _, _ = select.select([self._descriptor], [], [], _PASTE_GAP_SECONDS)
            if readable:
                self._read()
        return bool(self._waiting)

    def _read(self) -> bool:
        data = os.read(self._descriptor, _READ_BYTES)
        self._waiting += data
        return bool(data)


def pastes(reader: LineReader, *, is_terminal: bool) -> Iterator[str | None]:
    """The pastes, each ended by an empty line or the end of the input.

    On a terminal an empty line in the middle of a paste does not end it, and None stands for a Ctrl-D or an empty line
    with nothing before it.
    """
    lines: list[str] = []
    while True:
        line = reader.line()
        if line is not None and (line.strip() or (is_terminal and lines and reader.more_is_waiting())):
            lines.append(line)
            continue
        text = "\n".join(lines).strip("\n")
        lines.clear()
        if text.strip():
            yield text
        elif is_terminal:
            yield None
        if line is None and not is_terminal:
            return


async def typed_pastes() -> AsyncIterator[str | None]:
    """The pastes on standard input, as they come; see `pastes`.

    A thread of its own reads, which nobody waits for at the end: Ctrl-C works while it is blocked.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | BaseException | None] = asyncio.Queue()
    is_terminal = sys.stdin.isatty()
    reader = LineReader(sys.stdin.fileno(), lambda line: line.decode(sys.stdin.encoding or "utf-8", "replace"))
    ended = StopAsyncIteration()

    def read() -> None:
        last: BaseException = ended
        try:
            for text in pastes(reader, is_terminal=is_terminal):
                loop.call_soon_threadsafe(queue.put_nowait, text)
        except OSError as error:
            last = error
        loop.call_soon_threadsafe(queue.put_nowait, last)

    threading.Thread(target=read, daemon=True, name="standard input").start()
    while (got := await queue.get()) is not ended:
        if isinstance(got, BaseException):
            raise got
        yield got
