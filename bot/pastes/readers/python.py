"""Python: tracebacks with their chains and groups, syntax errors with their carets, warnings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.python_frames import frame_of
from bot.pastes.readers.starts import starts_in


class PythonReader:
    """Tracebacks, also without their head, and warnings of the `warnings` module."""

    name = "python"
    begins = Begins(
        (
            *(r"Traceback \((?:most recent call last|innermost last)\):", r"""File ["'].*, line \d"""),
            *(
                "^(?:During handling of|The above exception was)",
                r"\.pyx?:\d+: \w*Warning: ",
                r"^<[\w ]+>:\d+: \w*Warning: ",
            ),
        ),
        notes=("^[|+]",),  # the rails of a group, below which an error may stand bare
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterable[FoundError]:
        """Chained exceptions are told one by one: the cause first, as Python prints them."""
        return [*self._tracebacks(lines), *self._warnings(lines)]

    def _tracebacks(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        index = starts.from_(0)
        lines = [_ungrouped(line) for line in lines] if index < len(lines) else []
        before: FoundError | None = None
        while index < len(lines):
            text = lines[index].text
            if before is not None and (role := _LINKS.get(text)):
                before = replace(before, role=role if before.role is Role.FINAL else before.role)
                handled = text == _HANDLING
                index = _next_filled(lines, index + 1)
                block = _Block.at(lines, index)
                error = block.error() if block else None
                yield before
                before = error and (
                    error if handled or error.role is not Role.FINAL else replace(error, role=Role.WRAPPER)
                )
                index = starts.from_(max(index, block.end) if block else index)
                continue
            block = _Block.at(lines, index) if _starts(text) else _Block.alone_in_group(lines, index)
            error = block.error() if block else None
            if error is None or block is None:
                index = starts.from_(max(index + 1, block.end if block else 0))
                continue
            if before is not None:
                yield before
            before, index = error, block.end
            index = starts.from_(_to_link(lines, index))
        if before is not None:
            yield before

    def _warnings(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        for at in starts_in(lines, self.name):
            line = lines[at]
            found = _WARNING.match(line.text[:_LONGEST])
            if found:
                yield FoundError(
                    self.name,
                    Role.EARLIER,
                    line.text[found.end() :].strip(),
                    Span(line.number, line.number),
                    found.group(3),
                    frames=(Frame(found.group(1), int(found.group(2))),),
                )


@dataclass(slots=True)
class _Block:
    """One traceback from `start`: its frames, the line of its exception, and what its message goes on with."""

    lines: Sequence[CleanLine]
    start: int
    end: int
    frames: list[Frame] = field(default_factory=list)
    final: int | None = None
    grouped: bool = False

    @classmethod
    def at(cls, lines: Sequence[CleanLine], start: int) -> "_Block | None":
        if start >= len(lines) or not _starts(lines[start].text):
            return None
        block = cls(lines, start, start, grouped="Exception Group" in lines[start].text)
        block._read()
        return block

    @classmethod
    def alone_in_group(cls, lines: Sequence[CleanLine], start: int) -> "_Block | None":
        """An error of a group that was never raised, and so has no traceback: its line stands right below the rule."""
        if not start or lines[start].level != _IN_GROUP or lines[start - 1].level != _IN_GROUP or lines[start - 1].text:
            return None
        if not _EXCEPTION.match(lines[start].text[:_LONGEST]):
            return None
        block = cls(lines, start, start + 1, final=start)
        block.end = block._message_end(start + 1, lines[start].indent)
        return block

    def error(self) -> FoundError | None:
        if self.final is None:
            return None
        text = self.lines[self.final].text
        found = _EXCEPTION.match(text)
        if found is None:
            return None
        first = text[found.end() :]
        more = [line.text for line in self.lines[self.final + 1 : self.end]]
        span = Span(self.lines[self.start].number, self.lines[self.end - 1].number)
        name = found.group(1)
        is_group = name.endswith("ExceptionGroup")
        role = Role.WRAPPER if is_group else Role.ROOT_CAUSE if self._inside_group() else Role.FINAL
        message = "\n".join([first, *more]).strip() or name
        return FoundError("python", role, message, span, name, frames=tuple(self.frames))

    def _inside_group(self) -> bool:
        return self.lines[self.start].level == _IN_GROUP

    def _read(self) -> None:
        lines, index = self.lines, self.start
        outer = lines[index].indent
        headed = frame_of(lines[index].text) is None
        if headed:
            index += 1
        else:
            outer = max(0, outer - 2)
        flat = False
        while index < len(lines):
            line = lines[index]
            if frame := frame_of(line.text):
                self.frames.append(frame)
                flat = flat or line.indent <= outer
            elif not line.text:
                if self.frames and index + 1 < len(lines) and frame_of(lines[index + 1].text) is None:
                    break
            elif _HEAD.match(line.text):
                break
            elif (line.indent <= outer and not flat) or (flat and _NAMED.match(line.text)):
                if _EXCEPTION.match(line.text[:_LONGEST]):
                    self.final = index
                    index += 1
                    index = self._message_end(index, outer)
                elif _CARETS.fullmatch(line.text) or (index > self.start and frame_of(lines[index - 1].text)):
                    index += 1  # a source line at the margin
                    continue
                break
            index += 1
        self.end = max(index, self.start + 1)

    def _message_end(self, index: int, outer: int) -> int:
        """Behind the last line that goes on with the message: indented, or announced by a colon."""
        first = self.lines[index - 1].text
        open_ended = first.endswith(":") or "validation error" in first
        limit = index + _MOST_MESSAGE_LINES
        while index < min(len(self.lines), limit):
            line = self.lines[index]
            if not line.text or _starts(line.text) or line.text in _LINKS or _GROUP_RULE.match(line.text):
                break
            if not (open_ended or line.indent > outer or _GOES_ON.match(line.text)):
                break
            index += 1
        return index


def _starts(text: str) -> bool:
    return bool(_HEAD.match(text)) or frame_of(text) is not None


def _next_filled(lines: Sequence[CleanLine], index: int) -> int:
    while index < len(lines) and not lines[index].text:
        index += 1
    return index


def _to_link(lines: Sequence[CleanLine], index: int) -> int:
    """The index of the sentence that links to the next traceback, if it comes next; else `index`."""
    ahead = _next_filled(lines, index)
    return ahead if ahead < len(lines) and lines[ahead].text in _LINKS else index


def _ungrouped(line: CleanLine) -> CleanLine:
    """Without the rail that an exception group draws at its left; what hangs on it is marked as inside a group."""
    if line.text[:1] not in {"|", "+"}:
        return line
    found = _RAIL.match(line.text)
    if found is None:
        return line
    rest = line.text[found.end() :]
    words = rest.strip()
    if _GROUP_RULE.match(line.text):
        return CleanLine("", line.number, 0, _IN_GROUP)
    return CleanLine(words, line.number, len(rest) - len(rest.lstrip()), _IN_GROUP)


_LONGEST = 2_000
_MOST_MESSAGE_LINES = 60
_IN_GROUP = "in a group"
_HANDLING = "During handling of the above exception, another exception occurred:"
_LINKS = {
    _HANDLING: Role.EARLIER,
    "The above exception was the direct cause of the following exception:": Role.ROOT_CAUSE,
}
_HEAD = Expression(r"(?:Exception Group )?Traceback \((?:most recent call last|innermost last)\):")
_EXCEPTION = Expression(r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: |:?$)")
# Where indentation is lost, only a name that says so is an exception.
_NAMED = Expression(
    r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Group|Iteration|Timeout)(?:: |:?$)"
)
_CARETS = Expression(r"[\^~ ]+")
_RAIL = Expression(r"(?:\| ?|\+ (?:Exception Group )|\+-\+-{4,}|\+-{8,})")
_GROUP_RULE = Expression(r"\+-[+-]-")
_GOES_ON = Expression(r"(?:LINE \d|HINT:|DETAIL:|\[SQL:|\[parameters:|\(Background|[-*•] )")
_WARNING = Expression(r"((?:[A-Za-z]:)?[^\s:][^:]{0,300}\.pyx?|<[\w ]{1,40}>):(\d{1,7}): (\w{0,60}Warning): ")
