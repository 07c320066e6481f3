"""Go: panics and fatal errors with their goroutines, failing tests."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, span_of
from bot.pastes.readers.starts import starts_in, stripped

_PANIC = Expression(r"^(?:panic: |fatal error: |.*http: panic serving [^ ]+: )(.+)$")
_RECOVERED = Expression(r" \[recovered(?:, repanicked)?\]$")
_GOROUTINE = Expression(r"^goroutine \d+(?: [^\[]*)? ?\[[^\]]+\]:$|^runtime stack:$")
_CALL = Expression(r"^(?:created by )?([\w./~!@%()*\[\]·-]+?)(?:\(.*\))?(?: in goroutine \d+)?$")
_PLACE = Expression(r"^(\S.*\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?$")
_MODULE = Expression(r"(?:^|/pkg/mod/)((?:[a-z0-9-]+\.)+[a-z]+/[^@\s]+|[\w.]+\.\w+/[^@\s]+)@(v[\w.+-]+)/")
_TYPED = Expression(r"^(?:\()?(\*?[a-zA-Z_]\w*\.[A-Z]\w*)[{(]")
_RUNTIME = Expression(r"^(?:runtime|internal/\w+)[./]")
_FAILED_TEST = Expression(r"^--- FAIL: (\S+) \([\d.]+s\)$")
_TEST_LINE = Expression(r"^(\S+_test\.go):(\d+): (.+)$")


class GoReader:
    """Reads what a Go program and `go test` print."""

    name = "go"
    begins = Begins(("panic", "^fatal error: ", "^--- FAIL: "))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            text = texts[at]
            found: list[FoundError] = []
            after = at + 1
            if "panic" in text or text.startswith("fatal error: "):
                found, after = self._panic(lines, texts, at)
            elif text.startswith("--- FAIL: "):
                found, after = self._failed_test(lines, texts, at)
            yield from found
            at = starts.from_(max(after, at + 1))

    def _panic(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        """A panic counts with a goroutine, a signal line or `exit status 2` after it: Rust and PHP panic too."""
        heads: list[tuple[list[str], int, int]] = []
        end = at
        while end < len(texts) and len(heads) < MESSAGE_LINES and (head := _PANIC.search(texts[end])):
            first, message = end, [_RECOVERED.sub("", head.group(1))]
            end += 1
            while end < len(texts) and texts[end] and len(message) < MESSAGE_LINES and not _ends_message(texts[end]):
                message.append(texts[end])
                end += 1
            heads.append((message, first, end - 1))
        while end < len(texts) and (not texts[end] or texts[end].startswith("[signal ")):
            end += 1
        if (
            not heads
            or end >= len(texts)
            or not (_GOROUTINE.search(texts[end]) or texts[end].startswith("exit status "))
        ):
            # What was looked at holds no other beginning, so it is not looked at again.
            return [], max(end, at + 1)
        frames, last = _goroutines(texts, end)
        found = []
        for i, (message, first, message_end) in enumerate(heads):
            final = i + 1 == len(heads)
            typed = _TYPED.search(message[0])
            found.append(
                FoundError(
                    reader=self.name,
                    role=Role.FINAL if final else Role.EARLIER,
                    message="\n".join(message),
                    span=span_of(lines, first, last if final else message_end),
                    error_class=_class_of(message[0]) or (typed.group(1) if typed else None),
                    code=_signal(texts[message_end + 1 : end]) if final else None,
                    frames=frames if final else (),
                )
            )
        return found, last + 1

    def _failed_test(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[list[FoundError], int]:
        name = _FAILED_TEST.search(texts[at])
        said = _TEST_LINE.search(texts[at + 1]) if at + 1 < len(texts) else None
        if not (name and said):
            return [], at + 1
        end, message = at + 1, [said.group(3)]
        while end + 1 < len(texts) and lines[end + 1].indent > lines[at + 1].indent and len(message) < MESSAGE_LINES:
            end += 1
            message.append(texts[end])
        frame = Frame(file=said.group(1), line=number(said.group(2)), function=name.group(1))
        return [
            FoundError(self.name, Role.FINAL, "\n".join(message), span_of(lines, at, end), frames=(frame,))
        ], end + 1


def _ends_message(text: str) -> bool:
    return text.startswith(("[signal ", "exit status ")) or bool(_PANIC.search(text) or _GOROUTINE.search(text))


def _class_of(message: str) -> str | None:
    return "runtime.Error" if message.startswith("runtime error: ") else None


def _signal(texts: Sequence[str]) -> str | None:
    for text in texts:
        if text.startswith("[signal SIG"):
            return text.removeprefix("[signal ").split(":")[0].split("]")[0]
    return None


def _goroutines(texts: list[str], at: int) -> tuple[tuple[Frame, ...], int]:
    """The frames of the goroutine that failed, outermost first, and the last line of all goroutines."""
    frames: list[Frame] = []
    call: str | None = None
    seen = 0
    end = at - 1
    while end + 1 < len(texts):
        text = texts[end + 1]
        if _GOROUTINE.search(text):
            seen += 1
        elif placed := _PLACE.search(text):
            if call and seen == 1:
                frames.append(_frame(placed.group(1), placed.group(2), call))
            call = None
        elif text.startswith("exit status "):
            return _program_frames(frames), end + 1
        elif called := _CALL.search(text):
            call = called.group(1)
        elif text and not text.startswith("..."):
            break
        end += 1
    while end > at and not texts[end]:
        end -= 1
    return _program_frames(frames), max(end, at)


def _program_frames(frames: list[Frame]) -> tuple[Frame, ...]:
    """Outermost first, without the runtime's own frames that stand between the panic and the line that caused it."""
    first = 0
    for i, frame in enumerate(frames):
        if frame.function == "panic":
            first = i + 1
    while first < len(frames) - 1 and _RUNTIME.search(frames[first].function or ""):
        first += 1
    return tuple(reversed(frames[first:]))


def _frame(file: str, line: str, function: str) -> Frame:
    module = _MODULE.search(file)
    if not module:
        return Frame(file, number(line), function)
    return Frame(file, number(line), function, package=module.group(1), version=module.group(2))
