"""Go's compiler, vet and module commands."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, place, span_of
from bot.pastes.readers.starts import starts_in, stripped

_DIAGNOSTIC = Expression(r"^(?:vet: )?((?:\.{1,2}/)?(?:/|[A-Za-z]:\\)?[\w./\\@+-]+\.go):(\d+):\d+: (.+)$")
_MODULES = Expression(r"^go(?: get| mod \w+| build| install)?: (.{8,})$")
_PACKAGE = Expression(r"^(package [\w./-]+ is not in (?:std|GOROOT).*)$")
# Progress on its way to an error.
_PROGRESS = Expression(
    r"^(?:downloading|finding|added|upgraded|creating|to add module|extracting|found|removed|downgraded) "
)
_GOS_OWN = Expression(
    r"module|go\.(?:mod|sum)|package|version|revision|git ls-remote|reading |verif|toolchain"
    r"|unknown command|import|vendor"
)


class GoCompilerReader:
    """Reads `file.go:line:col: message` and `go: …`; `too many errors` says nothing and is left out."""

    name = "go_compiler"
    begins = Begins((r"\.go:\d+:\d+: ", _MODULES.pattern, _PACKAGE.pattern))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            text = texts[at]
            told = None
            frames: tuple[Frame, ...] = ()
            if ".go:" in text and (diagnostic := _DIAGNOSTIC.search(text)) and not _is_of_a_log(texts, at):
                told = diagnostic.group(3)
                frames = place(diagnostic.group(1), diagnostic.group(2))
            elif text.startswith("go") and (modules := _MODULES.search(text)):
                told = modules.group(1)
                told = None if _PROGRESS.search(told) or not _GOS_OWN.search(told) else told
            elif text.startswith("package ") and (missing := _PACKAGE.search(text)):
                told = missing.group(1)
            if told is None or told == "too many errors":
                at = starts.from_(at + 1)
                continue
            end, message = at, [told]
            while end + 1 < len(texts) and texts[end + 1] and lines[end + 1].indent > lines[at].indent:
                end += 1
                if len(message) < MESSAGE_LINES:
                    message.append(texts[end])
            yield FoundError(self.name, Role.FINAL, "\n".join(message), span_of(lines, at, end), frames=frames)
            at = starts.from_(end + 1)


def _is_of_a_log(texts: Sequence[str], at: int) -> bool:
    """Whether the line is what a failing test printed: the reader of programs has it."""
    return at > 0 and texts[at - 1].startswith(("--- FAIL: ", "=== RUN"))
