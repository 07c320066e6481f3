"""Compilers and linkers of C and C++: gcc, clang, MSVC, ld, lld, Apple's ld, and make."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.line_blocks import place, span_of
from bot.pastes.readers.starts import starts_in, stripped

_SOURCES = r"(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|ipp|inl|m|mm|cu|cuh|S|s|ino|tcc)"
_GNU = Expression(
    r"^((?:(?:[A-Za-z]:|\.{0,2}/)[^:\"]*?|[^:\s\"']+?)\."
    + _SOURCES
    + r"):(\d+)(?::\d+)?: (fatal error|error|warning): (.+?)(?: \[(?:-W[\w=+#-]+,)?(-W[\w=+#-]+)\])?$"
)
_MSVC = Expression(
    r"^(?:\d+>)?(?:(.+?)\((\d+)(?:,\d+)?\)|[\w.+ -]+?) ?: (fatal error|error|warning) ((?:C|LNK|D"
    r"|RC)\d{3,5}): (.+?)(?: \[[^\]]+proj\])?$"
)
_UNDEFINED = Expression(
    r"^(?:\S*ld(?:\.\w+)?(?:\.exe)?: )?(\S[^:]*?):(?:(\d+):|\([^)]*\):) ?((?:undefined reference to"
    r"|multiple definition of) .+)$"
)
_LD = Expression(
    r"^\S*?\b(?:ld|ld\.lld|ld\.gold|ld\.bfd|lld-link|ld64\.lld|mold)(?:\.exe)?: (?:fatal: |(error|warning): )?(.+)$"
)
# What ld says about where the next line's complaint is, and remarks.
_LD_PLACE = Expression(r"in function [`'‘]|^warning: |first defined here|^NOTE:|^>>>|\.o: in function")
_DRIVER = Expression(
    r"^((?:[\w./+-]*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cc1|cc1plus|cl"
    r"|nvcc)(?:-\d+)?(?:\.exe)?): (?:(?:fatal )?error: )(.+)$"
)
_SUMMARY = Expression(
    r"linker command failed with exit code|ld returned \d+ exit status|no input files specified"
    r"|symbol\(s\) not found for"
)
_APPLE = Expression(r"^Undefined symbols for architecture \w+:$")
_APPLE_SYMBOL = Expression(r'^"?(.+?)"?, referenced from:$')
_COLLECT = Expression(r"^collect2: (?:fatal )?error: (.+)$")
_MAKE = Expression(r"^g?make(?:\[\d+\])?: \*\*\* (.+?)(?:  ?Stop\.)?$")
_MAKE_PLACE = Expression(r"^([\w./-]+):(\d+): \*\*\* (.+?)(?:  ?Stop\.)?$")
_FAILED_TOO = Expression(
    r"^(?:collect2: |(?:\S*clang(?:\+\+)?|gcc|g\+\+|c\+\+|cc)\S*: error: linker command failed"
    r"|ld: symbol\(s\) not found"
    r"|ninja: build stopped|g?make(?:\[\d+\])?: \*\*\* \[|compilation terminated|cc1(?:plus)?: (?:all|some) warnings"
    r"|\d+ (?:error|warning)s? (?:and \d+ errors? )?generated)"
)
_LINES_OF_ONE = 40


class CCompilerReader:
    """Reads a diagnostic a line; the quoted source below it belongs to its span.

    That linking failed, or that a target of make did, is said only where nothing else was.
    """

    name = "c_compilers"
    begins = Begins(
        (
            *(_GNU.pattern, _MSVC.pattern, _UNDEFINED.pattern, _APPLE.pattern, _LD.pattern, _DRIVER.pattern),
            *(_MAKE_PLACE.pattern, _MAKE.pattern, _COLLECT.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        texts, starts = stripped(lines), starts_in(lines, self.name)
        summary: FoundError | None = None
        found_any = False
        at = starts.from_(0)
        while at < len(texts):
            end = at
            found = self._diagnostic(lines, texts, at) if ":" in texts[at] else None
            if found:
                found_any = True
                end = _to_end(lines, texts, at)
                yield found if end == at else _with_end(found, lines, at, end)
            elif ":" in texts[at]:
                summary = self._summary(lines, texts, at) or summary
            at = starts.from_(end + 1)
        if summary and not found_any:
            yield summary

    def _diagnostic(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> FoundError | None:
        text = texts[at]
        frames: tuple[Frame, ...] = ()
        role, message, code = Role.FINAL, "", None
        if gnu := _GNU.search(text):
            role = Role.EARLIER if gnu.group(3) == "warning" else Role.FINAL
            message, code, frames = gnu.group(4), gnu.group(5), place(gnu.group(1), gnu.group(2))
        elif msvc := _MSVC.search(text):
            role = Role.EARLIER if msvc.group(3) == "warning" else Role.FINAL
            message, code = msvc.group(5), msvc.group(4)
            frames = place(msvc.group(1), msvc.group(2)) if msvc.group(1) else ()
        elif undefined := _UNDEFINED.search(text):
            message, frames = undefined.group(3), place(undefined.group(1), undefined.group(2))
        elif _APPLE.search(text):
            symbol = _APPLE_SYMBOL.search(texts[at + 1]) if at + 1 < len(texts) else None
            message = f"{text}\n{texts[at + 1]}" if symbol else text
            return FoundError(self.name, role, message, span_of(lines, at, at + 1 if symbol else at))
        elif (ld := _LD.search(text)) and not _LD_PLACE.search(ld.group(2)) and not _SUMMARY.search(ld.group(2)):
            role = Role.EARLIER if ld.group(1) == "warning" else Role.FINAL
            message = ld.group(2)
        elif (driver := _DRIVER.search(text)) and not _SUMMARY.search(driver.group(2)):
            message = driver.group(2)
        elif stop := _MAKE_PLACE.search(text):
            message, frames = stop.group(3), place(stop.group(1), stop.group(2))
        elif (make := _MAKE.search(text)) and not make.group(1).startswith("["):
            message = make.group(1)
        else:
            return None
        return FoundError(self.name, role, message, span_of(lines, at, at), code=code, frames=frames)

    def _summary(self, lines: Sequence[CleanLine], texts: list[str], at: int) -> FoundError | None:
        for pattern in (_COLLECT, _MAKE):
            if said := pattern.search(texts[at]):
                return FoundError(self.name, Role.FINAL, said.group(1), span_of(lines, at, at))
        driver = _DRIVER.search(texts[at])
        return FoundError(self.name, Role.FINAL, driver.group(2), span_of(lines, at, at)) if driver else None


def _to_end(lines: Sequence[CleanLine], texts: list[str], at: int) -> int:
    """The last line that belongs to a diagnostic: its picture of the source, and the tools that fail because of it."""
    end = ahead = at
    while ahead + 1 < len(texts) and ahead - at < _LINES_OF_ONE:
        ahead += 1
        if (
            texts[ahead].startswith(("|", "^", "~", ">>>"))
            or _is_source(texts[ahead])
            or _FAILED_TOO.search(texts[ahead])
        ):
            end = ahead
        elif not lines[ahead].indent:
            break
    return end


def _is_source(text: str) -> bool:
    """Whether a line is a part of gcc's picture of the source, `   12 |     int x`."""
    head, bar, _ = text.partition("|")
    return bool(bar) and (not head.strip() or head.strip().isdigit())


def _with_end(found: FoundError, lines: Sequence[CleanLine], at: int, end: int) -> FoundError:
    return FoundError(
        found.reader, found.role, found.message, span_of(lines, at, end), code=found.code, frames=found.frames
    )
