"""Elixir and Erlang: exceptions with their stack, exits and their reasons, the compiler, Mix."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, number, place, read_blocks, span_of

_RAISED = Expression(
    r"^\*\* \(([A-Z][\w.]*(?:Error|Exception|\w)|exit|throw|stop|EXIT from #PID<[\d.]+>|EXIT|Mix)\) ?(.*)$"
)
_FRAME = Expression(r"^(?:\(([\w-]+)(?: ([\w.+-]+))?\) )?(\S+\.\w+|iex|nofile|\w+):(\d+): (.+)$")
_BARE_FRAME = Expression(
    r"^(?:\(([\w-]+)(?: ([\w.+-]+))?\) )?(:?[\w.]+[./]\S+/\d+|:?[\w.]*[\w.!?/]\(.*\)|.*\(file\)|anonymous fn/\d+.*)$"
)
_CALL = Expression(r"^[A-Z][\w.]*\.[\w!?]+\(.*\)$")
_ANNOUNCED = Expression(
    r"^(?:(?:GenServer|Task|Process|Agent) .+ (?:terminating|raised an exception)$"
    r"|== Compilation error in file )"
)
_COMPILE_PLACE = Expression(r"^(\S+\.(?:exs?|eex|heex|leex)):(\d+)(?::\d+)?: (.+)$")
_DIAGNOSTIC = Expression(r"^(error|warning): (.+)$")
_CORNER = Expression(r"^└─ (\S+?):(\d+)(?::\d+)?(?:: (.+))?$")
_ERLANG_COMPILER = Expression(r"^(\S+\.erl):(\d+):(?:\d+:)? (.+)$")
_ERLANG = Expression(r"^\*\* exception (error|exit|throw): (.+)$")
# The picture of the source between a diagnostic and its place.
_TO_CORNER = 40


class ElixirReader:
    """Reads `** (Class) message` wherever it stands, and the diagnostics with a corner."""

    name = "elixir"
    begins = Begins((r"^\*\* (?:\(|exception )", "^(?:error|warning): ", r"\.erl:\d"))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        return read_blocks(lines, self.name, self._at)

    def _at(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        text = texts[at]
        if text.startswith("** (") and (raised := _RAISED.search(text)):
            return self._raised(lines, texts, at, raised.group(1), raised.group(2))
        if text.startswith("** exception ") and (erlang := _ERLANG.search(text)):
            end = at
            while end + 1 < len(texts) and lines[end + 1].indent > 0 and texts[end + 1] and end - at < MESSAGE_LINES:
                end += 1
            return FoundError(
                self.name, Role.FINAL, erlang.group(2), span_of(lines, at, end), error_class=erlang.group(1)
            ), end
        if text.startswith(("error: ", "warning: ")) and (told := _DIAGNOSTIC.search(text)):
            for end in range(at + 1, min(at + _TO_CORNER, len(texts))):
                if corner := _CORNER.search(texts[end]):
                    role = Role.EARLIER if told.group(1) == "warning" else Role.FINAL
                    corner_place = Frame(corner.group(1), number(corner.group(2)), corner.group(3))
                    return FoundError(
                        self.name, role, told.group(2), span_of(lines, at, end), frames=(corner_place,)
                    ), end
                if texts[end].startswith(("error", "warning")):
                    break
        if ".erl:" in text and (compiled := _ERLANG_COMPILER.search(text)):
            role = Role.EARLIER if compiled.group(3).startswith("Warning: ") else Role.FINAL
            where = place(compiled.group(1), compiled.group(2))
            return FoundError(self.name, role, compiled.group(3), span_of(lines, at, at), frames=where), at
        return None, at

    def _raised(
        self, lines: Sequence[CleanLine], texts: list[str], at: int, kind: str, opening: str
    ) -> tuple[FoundError, int]:
        message, end = [opening], at
        while end + 1 < len(texts) and end - at < MESSAGE_LINES:
            text = texts[end + 1]
            if _is_frame(text) or text.startswith("** (") or (not text and not _goes_on(lines, texts, end + 1)):
                break
            if text.startswith(("Last message", "State: ", "code: ", "stacktrace:")):
                break
            end += 1
            message.append(text)
        while end + 1 < len(texts) and texts[end + 1].startswith(("code: ", "stacktrace:")):
            end += 1
        frames: list[Frame] = []
        while end + 1 < len(texts) and (frame := _frame(texts[end + 1])):
            frames.append(frame)
            end += 1
        error_class = kind.partition(" ")[0]
        if error_class == "CompileError" and (placed := _COMPILE_PLACE.search(message[0])):
            message[0] = placed.group(3)
            frames.insert(0, Frame(placed.group(1), number(placed.group(2))))
        return FoundError(
            self.name,
            Role.FINAL,
            "\n".join(message).strip(),
            # What announces an error is no error of its own.
            span_of(lines, at - 1 if at and _ANNOUNCED.search(texts[at - 1]) else at, end),
            error_class=error_class,
            frames=tuple(reversed(frames)),
        ), end


def _goes_on(lines: Sequence[CleanLine], texts: list[str], blank: int) -> bool:
    """Whether an indented line that is no frame follows the blank one: messages of Ecto and Plug have paragraphs."""
    after = blank + 1
    return after < len(texts) and bool(texts[after]) and lines[after].indent > 0 and not texts[after].startswith("**")


def _is_frame(text: str) -> bool:
    return _frame(text) is not None


def _frame(text: str) -> Frame | None:
    if told := _FRAME.search(text):
        if told.group(5).startswith(("error", "warning")) or not (
            "." in told.group(5) or "/" in told.group(5) or "(" in told.group(5)
        ):
            return None
        return Frame(told.group(3), number(told.group(4)), told.group(5), told.group(1), told.group(2))
    if (text.startswith(("(", ":")) or _CALL.search(text)) and (bare := _BARE_FRAME.search(text)):
        return Frame(function=bare.group(3), package=bare.group(1), version=bare.group(2))
    return None
