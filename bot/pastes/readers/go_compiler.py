"""Go's compiler, vet and module commands."""

from collections.abc import Iterator, Sequence

import re2

from bot.pastes.readers.found import CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import MESSAGE_LINES, place, span_of, stripped

_DIAGNOSTIC = re2.compile(r"^(?:vet: )?((?:\.{1,2}/)?(?:/|[A-Za-z]:\\)?[\w./\\@+-]+\.go):(\d+):\d+: (.+)$")
_MODULES = re2.compile(r"^go(?: get| mod \w+| build| install)?: (.{8,})$")
_PACKAGE = re2.compile(r"^(package [\w./-]+ is not in (?:std|GOROOT).*)$")
# Progress on its way to an error.
_PROGRESS = re2.compile(
    r"^(?:downloading|finding|added|upgraded|creating|to add module|extracting|found|removed|downgraded) "
)
_GOS_OWN = re2.compile(
    r"module|go\.(?:mod|sum)|package|version|revision|git ls-remote|reading |verif|toolchain"
    r"|unknown command|import|vendor"
)


class GoCompilerReader:
    """Reads `file.go:line:col: message` and `go: …`; `too many errors` says nothing and is left out."""

    name = "go_compiler"

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts = stripped(lines)
        at = 0
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
                at += 1
                continue
            end, message = at, [told]
            while end + 1 < len(texts) and texts[end + 1] and lines[end + 1].indent > lines[at].indent:
                end += 1
                if len(message) < MESSAGE_LINES:
                    message.append(texts[end])
            yield FoundError(self.name, Role.FINAL, "\n".join(message), span_of(lines, at, end), frames=frames)
            at = end + 1


def _is_of_a_log(texts: Sequence[str], at: int) -> bool:
    """Whether the line is what a failing test printed: the reader of programs has it."""
    return at > 0 and texts[at - 1].startswith(("--- FAIL: ", "=== RUN"))
