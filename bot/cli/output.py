"""What is printed, where, and whether in colours."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from bot.indexing import Progress

# Wider lines of prose are hard to read; a pipe has no width at all, and a table in it must not be cut to one.
_WIDEST = 100
_WIDTH_OF_PIPES = 1_000


def stdout() -> "Console":
    """The console of answers: styled on a terminal, plain into a pipe or a file, without colours where NO_COLOR is."""
    return _console(stderr=False)


def stderr() -> "Console":
    """The console of progress, hints and problems."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> "Console":
    from rich.console import Console  # noqa: PLC0415  # `--json` needs none

    console = Console(stderr=stderr, highlight=False, emoji=False, markup=False)
    console.width = min(console.width, _WIDEST) if console.is_terminal else _WIDTH_OF_PIPES
    return console


def print_json(document: Any) -> None:
    """One JSON document on standard output, indented on a terminal, on one line into a pipe."""
    text = json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Text as it is on standard output, for pipes: nothing wraps or colours it."""
    sys.stdout.write(text)
    sys.stdout.flush()


def say(text: str) -> None:
    """A line for people on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


@contextmanager
def progress_bars() -> Iterator["Progress"]:
    """A bar for each kind of work on standard error, from when there is some; nothing where that is no terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _what, _done, _total: None
        return
    with ExitStack() as stack:
        bars: Any = None
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            nonlocal bars
            if bars is None:
                bars = stack.enter_context(_bars())
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show


def _bars() -> Any:
    from rich.progress import (  # noqa: PLC0415  # most commands have nothing to build
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=stderr(), transient=True)
