"""IPython and Jupyter: tracebacks that name their exception first and again at the end."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.starts import starts_in


class NotebookReader:
    """From `NameError    Traceback (most recent call last)` to `NameError: …`."""

    name = "notebook"
    begins = Begins((r"Traceback \(most recent call last\)$",))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """One error for each head whose end is there; a link of a chain is told as the others are."""
        start: int | None = None
        name = ""
        frames: list[Frame] = []
        starts = starts_in(lines, self.name)
        index = starts.from_(0)
        while index < len(lines):
            line = lines[index]
            head = _HEAD.match(text := line.text[:_LONGEST])
            if head:
                start, name, frames = index, head.group(1), []
            elif start is None:
                pass
            elif found := _FRAME.match(text):
                file = found.group(1) or found.group(4)
                number = found.group(2) or found.group(5)
                frames.append(Frame(file, int(number) if number else None, found.group(3) or found.group(6) or None))
            elif found := _ARROW.match(text):
                # Old IPython names the line only by its arrow.
                if frames and frames[-1].line is None:
                    frames[-1] = Frame(frames[-1].file, int(found.group(1)), frames[-1].function)
            elif text in {name, f"{name}:"} or text.startswith(f"{name}: "):
                message = line.text[len(name) + 2 :].strip() or name
                span = Span(lines[start].number, line.number)
                yield FoundError(self.name, Role.FINAL, message, span, name, frames=tuple(frames))
                start = None
            index = starts.from_(index + 1) if start is None else index + 1


_LONGEST = 2_000
_HEAD = Expression(r"([A-Za-z_][\w.]*) +Traceback \(most recent call last\)$")
_FRAME = Expression(
    r"(?:File )?(Cell In ?\[\d+\]|[^\s:,]+\.py|<ipython-input-[\w-]+>)(?:, line |:)(\d{1,7})(?:, in (\w+).*)?$"
    r"|(?:File )?([^\s:,]+\.py|<ipython-input-[\w-]+>|~?/\S+)(?::(\d{1,7}))?,? in (\w+|<\w+>).*$"
)
_ARROW = Expression(r"-{2,}> (\d{1,7})\b")
