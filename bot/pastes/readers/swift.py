"""Swift: the compiler, runtime traps, and uncaught Objective-C exceptions of Apple's systems."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import number, place, read_blocks, span_of

_COMPILER = Expression(r"^(\S[^:]*\.swift):(\d+):\d+: (error|warning): (.+)$")
_TRAP = Expression(r"^(?:(\S[^:]*\.swift):(\d+): )?(?:Thread \d+: )?Fatal error: (.+)$")
_OLD_PLACE = Expression(r"^(.+?): file (\S+\.swift), line (\d+)$")
_OBJC = Expression(r"^\*\*\* Terminating app due to uncaught exception '(\w+)', reason: '(.*)$")
_PACKAGE = Expression(
    r"^error: (no such module '.+'|'[\w.-]+': .+|package '.+|terminated\(\d+\): .+"
    r"|root manifest not found|emit-module command failed.*|Dependencies could not be resolved.*"
    r"|unable to resolve .+)$"
)
_THROWN = Expression(r"raised an error: ((?:\w+\.)*\w+)")
_FRAME = Expression(r"^\d+ (?:\[[\w ]+\] )?(?:0x[0-9a-f]+ )?(.+?)(?: \+ \d+)? in (\S+)(?: at (\S+?):(\d+)(?::\d+)?)?$")
_APPLE_FRAME = Expression(r"^\d+ +(\S+) +0x[0-9a-f]+ (.+?) \+ \d+$")
# Between the trap and the crashed thread's frames stand a blank line or two and its name.
_TO_STACK = 12
# The list of frames of an Objective-C exception is one bracket.
_REASON_LINES = 8


class SwiftReader:
    """Reads what Swift's compiler and its programs print."""

    name = "swift"
    begins = Begins((r"\.swift:\d", r"^\*\*\* Terminating app", "Fatal error: ", _PACKAGE.pattern))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        return read_blocks(lines, self.name, self._at)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        text = texts[at]
        if ".swift:" in text and (told := _COMPILER.search(text)):
            role = Role.EARLIER if told.group(3) == "warning" else Role.FINAL
            end = at
            while end + 1 < len(texts) and end - at < _TO_STACK and _is_source(texts[end + 1]):
                end += 1
            where = place(told.group(1), told.group(2))
            return FoundError(self.name, role, told.group(4), span_of(lines, at, end), frames=where), end
        if text.startswith("*** Terminating app") and (objc := _OBJC.search(text)):
            return self._exception(lines, texts, at, objc.group(1), objc.group(2))
        if "Fatal error: " in text and (trap := _TRAP.search(text)):
            return self._trap(lines, texts, at, trap)
        if text.startswith("error: ") and (package := _PACKAGE.search(text)):
            return FoundError(self.name, Role.FINAL, package.group(1), span_of(lines, at, at)), at
        return None, at

    def _trap(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, trap: Match
    ) -> tuple[FoundError | None, int]:
        """`Fatal error:` is PHP's too, with other words: Swift's has a .swift file, a thread or a known sentence."""
        message, file, line = trap.group(3), trap.group(1), trap.group(2)
        if old := _OLD_PLACE.search(message):
            message, file, line = old.group(1), old.group(2), old.group(3)
        known = message.startswith(
            ("Unexpectedly found nil", "Index out of range", "'try!' expression", "Range requires")
        )
        if not (file or known or texts[at].startswith("Thread ")):
            return None, at
        frames, end = _stack(texts, at)
        thrown = _THROWN.search(message)
        where = place(file, line) if file and not any(frame.line for frame in frames) else ()
        return FoundError(
            self.name,
            Role.FINAL,
            message,
            span_of(lines, at, end),
            error_class=thrown.group(1) if thrown else None,
            frames=(*frames, *where),
        ), end

    def _exception(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, error_class: str, reason: str
    ) -> tuple[FoundError, int]:
        end, message = at, [reason]
        while not message[-1].endswith("'") and end + 1 < len(texts) and len(message) < _REASON_LINES:
            end += 1
            message.append(texts[end])
        said = "\n".join(message).removesuffix("'")
        frames: list[Frame] = []
        if end + 1 < len(texts) and "First throw call stack:" in texts[end + 1]:
            end += 1
            while end + 1 < len(texts) and (texts[end + 1] in {"(", ")"} or _APPLE_FRAME.search(texts[end + 1])):
                end += 1
                if call := _APPLE_FRAME.search(texts[end]):
                    frames.append(Frame(function=call.group(2), package=call.group(1)))
        whole = tuple(reversed(frames))
        span = span_of(lines, at, end)
        return FoundError(self.name, Role.FINAL, said, span, error_class=error_class, frames=whole), end


def _is_source(text: str) -> bool:
    head, bar, _ = text.partition("|")
    return bool(bar and (not head.strip() or head.strip().isdigit())) or (bool(text) and not text.strip("~^ "))


def _stack(texts: list[str], at: int) -> tuple[tuple[Frame, ...], int]:
    """The frames of the thread that crashed, outermost first, and the last line of them."""
    start = at + 1
    while start < len(texts) and start - at < _TO_STACK and not _FRAME.search(texts[start]):
        start += 1
    frames: list[Frame] = []
    end = at
    while start < len(texts) and start - at < 4_000:
        if call := _FRAME.search(texts[start]):
            line = number(call.group(4))
            frames.append(Frame(call.group(3), line, call.group(1), package=call.group(2)))
            end = start
        elif frames and not (_is_source(texts[start]) or texts[start] == ""):
            if "│" not in texts[start]:
                break
        elif not frames:
            break
        start += 1
    return tuple(reversed(frames)), end
