"""Dart and Flutter: unhandled exceptions, the framework's boxes, the compiler, pub."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, place, read_blocks, span_of

_UNHANDLED = Expression(r"^(?:\[ERROR:flutter[^\]]*\] ?)?(?:Unhandled [Ee]xception|Uncaught Error):\s*(.*)$")
_CLASSED = Expression(r"^(_?[A-Z]\w*(?:Exception|Error))(?: \([^)]{1,80}\))?(?:: (.+))?$")
_PLATFORM = Expression(r"^PlatformException\(([\w.-]+), ")
_FRAME = Expression(r"^#\d+\s+(.+?) \((\S+?)(?::(\d+))?(?::\d+)?\)$")
_PACKAGE = Expression(r"^package:([\w.]+)/")
_VERSIONED = Expression(r"/([\w]+)-(\d+\.\d+\.\d+[\w.+-]*)/lib/")
_BOX = Expression(r"^[═=]{2,}[╡|] ?EXCEPTION CAUGHT BY .+? ?[╞|]")
_BOX_LEAD = Expression(r"^The following (?:(_?\w+(?: \([^)]*\))?) (?:object )?was thrown|(\w+) was thrown).*:$")
_BOX_END = Expression(r"^[═=]{20,}|^[╚━]|^\(elided |^Another exception was thrown:")
_ANOTHER = Expression(r"^Another exception was thrown: (.+)$")
_COMPILER = Expression(r"^((?:\.{0,2}/)?\S+\.dart):(\d+):\d+: (Error|Warning): (.+)$")
_ANALYZER = Expression(
    r"^(error|warning|info) [•-] (?:(\S+\.dart):(\d+):\d+ [•-] )?(.+?)(?: [•-] (\S+\.dart):(\d+):\d+)? [•-] (\w+)$"
)
_NO_STACK = "When the exception was thrown, this was the stack"


class DartReader:
    """Reads what the Dart VM, Flutter's framework and their tools print."""

    name = "dart"
    begins = Begins(
        (
            *("nhandled [Ee]xception:", "Uncaught Error:", "EXCEPTION CAUGHT BY", _ANOTHER.pattern),
            *("^(?:Because |So, because )", _COMPILER.pattern, "^(?:error|warning) "),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        return read_blocks(lines, self.name, self._at)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        text = texts[at]
        if ("nhandled" in text or "Uncaught Error" in text) and (thrown := _UNHANDLED.search(text)):
            return self._thrown(lines, texts, at, thrown.group(1))
        if "EXCEPTION CAUGHT BY" in text and _BOX.search(text):
            return self._boxed(lines, texts, at)
        if another := _ANOTHER.search(text):
            return FoundError(self.name, Role.EARLIER, another.group(1), span_of(lines, at, at)), at
        if text.startswith(("Because ", "So, because ")):
            return self._unsolved(lines, texts, at)
        return self._diagnostic(lines, text, at), at

    def _diagnostic(self, lines: Sequence[CleanLine], text: str, at: int) -> FoundError | None:
        """A line of the compiler or of the analyser."""
        if ".dart:" in text and (compiled := _COMPILER.search(text)):
            role = Role.EARLIER if compiled.group(3) == "Warning" else Role.FINAL
            where = place(compiled.group(1), compiled.group(2))
            return FoundError(self.name, role, compiled.group(4), span_of(lines, at, at), frames=where)
        if text.startswith(("error ", "warning ")) and (told := _ANALYZER.search(text)):
            role = Role.FINAL if told.group(1) == "error" else Role.EARLIER
            file, line = told.group(2) or told.group(5), told.group(3) or told.group(6)
            where = place(file, line) if file else ()
            return FoundError(self.name, role, told.group(4), span_of(lines, at, at), code=told.group(7), frames=where)
        return None

    def _thrown(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, opening: str
    ) -> tuple[FoundError | None, int]:
        end = at
        message = [opening] if opening else []
        while end + 1 < len(texts) and len(message) < MESSAGE_LINES and not texts[end + 1].startswith("#0 "):
            if message and not texts[end + 1] and not _frames_after(texts, end + 1):
                break
            end += 1
            message.append(texts[end])
        frames, end = _stack(texts, end)
        said = "\n".join(message).strip()
        classed = _CLASSED.search(said.split("\n", 1)[0])
        platform = _PLATFORM.search(said)
        if not said or not (frames or classed or platform or "flutter" in texts[at]):
            return None, at
        error_class = "PlatformException" if platform else classed.group(1) if classed else None
        if said.startswith("type '") and " is not a subtype of type " in said:
            error_class = "TypeError"
        return FoundError(
            self.name,
            Role.FINAL,
            said.split(": ", 1)[1] if classed and classed.group(2) else said,
            span_of(lines, at, end),
            error_class=error_class,
            code=platform.group(1) if platform else None,
            frames=frames,
        ), end

    def _boxed(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        """Flutter's box: a sentence that names the class, the message, advice, the stack, a closing rule."""
        end, error_class, message = at, None, list[str]()
        reading = False
        while end + 1 < len(texts) and end - at < 400 and not _BOX_END.search(texts[end + 1]):
            if _BOX.search(texts[end + 1]) or texts[end + 1].startswith(_NO_STACK) or texts[end + 1].startswith("#0 "):
                break
            end += 1
            if lead := _BOX_LEAD.search(texts[end]):
                error_class, reading = (lead.group(1) or lead.group(2)).split(" ")[0], True
            elif reading and (not texts[end] or texts[end].startswith("The relevant error-causing")):
                reading = not message and not texts[end]
            elif reading and len(message) < MESSAGE_LINES:
                message.append(texts[end])
        if end + 1 < len(texts) and texts[end + 1].startswith(_NO_STACK):
            end += 1
        frames, end = _stack(texts, end)
        while end + 1 < len(texts) and _BOX_END.search(texts[end + 1]) and not _ANOTHER.search(texts[end + 1]):
            end += 1
        if not message:
            return None, end
        # The sentence says "assertion" where the class is AssertionError, unless FlutterError says more.
        named = {"assertion": "AssertionError", "message": None}.get(error_class or "", error_class)
        return FoundError(
            self.name, Role.FINAL, "\n".join(message), span_of(lines, at, end), error_class=named, frames=frames
        ), end

    def _unsolved(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        end, message = at, [texts[at]]
        while not message[-1].endswith("version solving failed.") and end + 1 < len(texts) and end - at < MESSAGE_LINES:
            end += 1
            message.append(texts[end])
        if not message[-1].endswith("version solving failed."):
            return None, at
        return FoundError(self.name, Role.FINAL, "\n".join(filter(None, message)), span_of(lines, at, end)), end


def _frames_after(texts: list[str], blank: int) -> bool:
    return any(text.startswith("#0 ") for text in texts[blank : blank + 4])


def _stack(texts: list[str], end: int) -> tuple[tuple[Frame, ...], int]:
    """The frames right below `end`, outermost first, and their last line."""
    frames: list[Frame] = []
    while end + 1 < len(texts):
        text = texts[end + 1]
        if told := _FRAME.search(text):
            frames.append(_frame(told.group(2), told.group(3), told.group(1)))
        elif text != "<asynchronous suspension>":
            break
        end += 1
    return tuple(reversed(frames)), end


def _frame(file: str, line: str | None, function: str) -> Frame:
    versioned = _VERSIONED.search(file)
    if versioned:
        return Frame(file, number(line), function, versioned.group(1), versioned.group(2))
    package = _PACKAGE.search(file)
    return Frame(file, number(line), function, package.group(1) if package else None)
