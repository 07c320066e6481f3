"""CMake: errors with the paragraph that explains them and the call stack below."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, span_of
from bot.pastes.readers.starts import starts_in, stripped

_AT = Expression(r"^CMake (?:Deprecation )?(Error|Warning)(?: \(dev\))? (?:at|in) (.+?)(?::(\d+))?(?: \((\w+)\))?:$")
_PLAIN = Expression(r"^CMake Error: (.+)$")
_CALL = Expression(r"^(.+?):(\d+) \(([\w.]+)\)$")
# Two blank lines stand between an error and the end of configuring.
_TO_ENDING = 5
_NOT_FOUND = "Could NOT find "


class CMakeReader:
    """Reads `CMake Error at file:line (command):` with its message; warnings are earlier errors."""

    name = "cmake"
    begins = Begins(("^CMake ",))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            if not texts[at].startswith("CMake "):
                at = starts.from_(at + 1)
                continue
            if plain := _PLAIN.search(texts[at]):
                yield FoundError(self.name, Role.FINAL, plain.group(1), span_of(lines, at, at))
            elif placed := _AT.search(texts[at]):
                message, end = _body(lines, texts, at)
                calls, end = _stack(texts, end)
                end = _to_ending(texts, end)
                frame = Frame(file=placed.group(2), line=number(placed.group(3)), function=placed.group(4))
                yield FoundError(
                    reader=self.name,
                    role=Role.FINAL if placed.group(1) == "Error" else Role.EARLIER,
                    message=message or texts[at],
                    span=span_of(lines, at, end),
                    frames=(*reversed(calls), frame),
                )
                at = end
            at = starts.from_(at + 1)


def _to_ending(texts: list[str], end: int) -> int:
    """The index of `-- Configuring incomplete` when it follows: it says nothing of its own."""
    for ahead in range(end + 1, min(end + _TO_ENDING, len(texts))):
        if texts[ahead].startswith("-- Configuring incomplete"):
            return ahead
    return end


def _body(lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[str, int]:
    """The indented lines below a heading, paragraphs and all, and the last one's index."""
    message: list[str] = []
    end = last = at
    while end + 1 < len(texts) and len(message) < MESSAGE_LINES:
        end += 1
        if texts[end] and lines[end].indent == 0 and not (not message and texts[end].startswith(_NOT_FOUND)):
            break
        if texts[end]:
            last = end
        message.append(texts[end])
    return "\n".join(text for text in message[: last - at] if text), last


def _stack(texts: list[str], end: int) -> tuple[list[Frame], int]:
    """The calls below `Call Stack (most recent call first):`, innermost first."""
    ahead = end + 1
    while ahead < len(texts) and not texts[ahead]:
        ahead += 1
    if ahead >= len(texts) or not texts[ahead].startswith("Call Stack (most recent call first)"):
        return [], end
    calls: list[Frame] = []
    while ahead + 1 < len(texts) and (call := _CALL.search(texts[ahead + 1])):
        calls.append(Frame(file=call.group(1), line=number(call.group(2)), function=call.group(3)))
        ahead += 1
    return calls, ahead
