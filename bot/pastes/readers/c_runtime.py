"""Native programs that die: sanitizers and Valgrind, signals, glibc's aborts, assertions, uncaught C++ exceptions."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import number, place, span_of
from bot.pastes.readers.starts import starts_in, stripped

_SANITIZER = Expression(r"^(?:==\d+==)?\s?(?:(?:ERROR|WARNING|FATAL): )?(\w+Sanitizer): ?([a-zA-Z][\w-]*).*$")
_UNDEFINED = Expression(r"^(.+?):(\d+):\d+: runtime error: (.+)$")
_FRAME = Expression(r"^#(\d+)\s+(?:0x[0-9a-f]+ )?(?:in )?(.*)$")
_FRAME_PLACE = Expression(r"^(.*?)(?: \(.*\))?(?: at)? ([^\s()]+?):(\d+)(?::\d+)?(?: \(.*\))?$")
_VALGRIND = Expression(
    r"^==\d+== ((?:Invalid|Conditional jump|Use of uninit|Process terminating|Jump to|Syscall|Mismatched"
    r"|Argument|Source and dest|[\d,]+ bytes in ).*)$"
)
_VALGRIND_FRAME = Expression(r"^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (.+?) \((?:in )?([^):]+)(?::(\d+))?\)$")
_GLIBC = Expression(
    r"^(?:\S+: )?(?:\*\*\* (?:Error in [`'][^']*': )?((?:stack smashing|buffer overflow) detected"
    r"|[^*]+?)(?: \*\*\*)?(?:: (?:terminated|\S+ terminated|0x[0-9a-f]+ \*\*\*|<unknown> terminated))"
    r"|((?:free|malloc|realloc|munmap_chunk|calloc|malloc_consolidate)\(\): .+"
    r"|double free or corruption.*|corrupted (?:size vs\. prev_size|double-linked list).*))$"
)
_ASSERT = Expression(r"^(?:\S+: )?(\S+?):(\d+): (.+?: )?Assertion [`'‘](.+)['’] failed\.$")
_APPLE_ASSERT = Expression(r"^Assertion failed: \((.+)\), function (\S+), file (\S+), line (\d+)\.$")
_TERMINATE = Expression(r"^terminate called after throwing an instance of ['‘](.+)['’]$")
_WHAT = Expression(r"^what\(\):\s*(.*)$")
_LIBCXX = Expression(
    r"^libc\+\+abi(?:\.dylib)?: terminating (?:due to|with) uncaught exception of type (.+?)(?:: (.+))?$"
)
_PLAIN_TERMINATE = Expression(r"^terminate called (?:without an active exception|recursively)$")
_NAMES = (
    r"([Ss]egmentation fault|[Aa]borted|[Aa]bort|[Bb]us error|[Ii]llegal (?:hardware )?instruction"
    r"|[Ff]loating point exception|[Tt]race trap)"
)
_SHELL = Expression(
    r"^(?:(?:zsh|bash|sh|\S+): (?:line \d+: +)?(?:\d+ +)?|\[\d+\] +\d+ +)?"
    + _NAMES
    + r"(?:: \d+)? *(?:\(core dumped\)(?: .{0,300})?|  .{0,300})?$"
)
_GDB = Expression(r"^(?:Program|Thread .{1,80}) (?:received|terminated with) signal (SIG[A-Z]+), (.+?)\.$")
_SIGNALS = {
    "segmentation fault": "SIGSEGV", "aborted": "SIGABRT", "abort": "SIGABRT", "bus error": "SIGBUS",
    "illegal instruction": "SIGILL", "illegal hardware instruction": "SIGILL", "floating point exception": "SIGFPE",
    "trace trap": "SIGTRAP",
}  # fmt: skip
# A report names where the memory was allocated and freed too; the first stack is where it was misused.
_TO_STACK = 6
# Stacks of the use, of the allocation and of the release, and two dozen rows of shadow bytes.
_REPORT_LINES = 400


class CRuntimeReader:
    """Reads what a native program, its C library or the shell says about a crash."""

    name = "c_runtime"
    begins = Begins(
        (
            *(
                _SANITIZER.pattern,
                "runtime error: ",
                _VALGRIND.pattern,
                _GDB.pattern,
                "^(?:terminate called|libc\\+\\+abi)",
            ),
            *("ssertion", _GLIBC.pattern, _SHELL.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(texts):
            found, end = self._reported(lines, texts, at) if texts[at] else (None, at)
            if found is None and texts[at]:
                found, end = self._ended(lines, texts, at)
            if found:
                yield found
            at = starts.from_(end + 1)

    def _reported(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        """What a tool that watched the program says."""
        text = texts[at]
        if "Sanitizer" in text and (report := _SANITIZER.search(text)):
            frames, end = _stack(texts, at + 1)
            end = _to_summary(texts, end)
            message = text[text.index(report.group(1)) :]
            return self._error(
                lines, (at, end), message, error_class=report.group(1), code=report.group(2), frames=frames
            ), end
        if "runtime error: " in text and (undefined := _UNDEFINED.search(text)):
            where = place(undefined.group(1), undefined.group(2))
            return self._error(
                lines, (at, at), undefined.group(3), error_class="UndefinedBehaviorSanitizer", frames=where
            ), at
        if text.startswith("==") and (memory := _VALGRIND.search(text)):
            return self._valgrind(lines, texts, at, memory.group(1))
        if gdb := _GDB.search(text):
            frames, end = _stack(texts, at + 1)
            return self._error(lines, (at, end), gdb.group(2), code=gdb.group(1), frames=frames), end
        return None, at

    def _ended(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        """What the program itself, its C library or the shell says."""
        text = texts[at]
        if text.startswith(("terminate called", "libc++abi")):
            return self._terminated(lines, texts, at)
        if "ssertion" in text and (found := self._assertion(lines, texts, at)):
            return found, at
        if heap := _GLIBC.search(text):
            message = heap.group(2) or heap.group(1)
            return self._error(lines, (at, at), message.strip(), code="SIGABRT"), at
        if (shell := _SHELL.search(text)) and (shell.group(1)[0].isupper() or text.startswith(("zsh", "["))):
            message = shell.group(1)
            return self._error(lines, (at, at), message, code=_SIGNALS[message.lower()]), at
        return None, at

    def _valgrind(self, lines: Sequence[CleanLine], texts: list[str], at: int, message: str) -> tuple[FoundError, int]:
        end = at
        frames: list[Frame] = []
        while end + 1 < len(texts) and (call := _VALGRIND_FRAME.search(texts[end + 1])):
            frames.append(Frame(call.group(2), number(call.group(3)), call.group(1)))
            end += 1
        return self._error(lines, (at, end), message, error_class="Valgrind", frames=tuple(reversed(frames))), end

    def _terminated(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> tuple[FoundError | None, int]:
        if thrown := _TERMINATE.search(texts[at]):
            what = _WHAT.search(texts[at + 1]) if at + 1 < len(texts) else None
            end = at + 1 if what else at
            message = what.group(1) if what else texts[at]
            return self._error(lines, (at, end), message, error_class=thrown.group(1), code="SIGABRT"), end
        if thrown := _LIBCXX.search(texts[at]):
            message = thrown.group(2) or texts[at]
            return self._error(lines, (at, at), message, error_class=thrown.group(1), code="SIGABRT"), at
        if _PLAIN_TERMINATE.search(texts[at]):
            return self._error(lines, (at, at), texts[at], code="SIGABRT"), at
        return None, at

    def _assertion(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> FoundError | None:
        if told := _ASSERT.search(texts[at]):
            function = told.group(3).removesuffix(": ") if told.group(3) else None
            where = Frame(told.group(1), number(told.group(2)), function)
            message = texts[at][texts[at].index("Assertion ") :]
            return self._error(lines, (at, at), message, code="SIGABRT", frames=(where,))
        if told := _APPLE_ASSERT.search(texts[at]):
            where = Frame(told.group(3), number(told.group(4)), told.group(2))
            return self._error(lines, (at, at), f"Assertion failed: ({told.group(1)})", code="SIGABRT", frames=(where,))
        return None

    def _error(
        self,
        lines: Sequence[CleanLine],
        block: tuple[int, int],
        message: str,
        *,
        error_class: str | None = None,
        code: str | None = None,
        frames: tuple[Frame, ...] = (),
    ) -> FoundError:
        span = span_of(lines, *block)
        return FoundError(self.name, Role.FINAL, message, span, error_class=error_class, code=code, frames=frames)


def _stack(texts: list[str], at: int) -> tuple[tuple[Frame, ...], int]:
    """The first `#0 …` stack soon after `at`, outermost first, and its last line; without one, the line before."""
    start = at
    while start < len(texts) and start - at < _TO_STACK and not texts[start].startswith("#0"):
        start += 1
    if start >= len(texts) or not texts[start].startswith("#0"):
        return (), at - 1
    frames: list[Frame] = []
    while start < len(texts) and (call := _FRAME.search(texts[start])):
        if frames and call.group(1) == "0":
            break
        placed = _FRAME_PLACE.search(call.group(2))
        if placed:
            frames.append(Frame(placed.group(2), number(placed.group(3)), placed.group(1).split(" (")[0]))
        else:
            frames.append(Frame(function=call.group(2).split(" (")[0]))
        start += 1
    return tuple(reversed(frames)), start - 1


def _to_summary(texts: list[str], end: int) -> int:
    """The index of the report's last line, `SUMMARY:` or `ABORTING` behind the shadow bytes: a report is one error."""
    last = end
    for ahead in range(end + 1, min(len(texts), end + _REPORT_LINES)):
        if texts[ahead].endswith("ABORTING"):
            return ahead
        if texts[ahead].startswith("SUMMARY: "):
            last = ahead
        elif "Sanitizer: " in texts[ahead]:
            break
    return last
