"""Builds of TypeScript and of pages: tsc, esbuild, Vite, Rollup and webpack."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.javascript_frames import frame_of
from bot.pastes.readers.links import Link, number, text_of
from bot.pastes.readers.starts import starts_in

_TSC = Expression(
    r"^(?:(?:Error: |ERROR in |\[tsl\] ERROR in |✘ )?(?P<file>(?:[A-Za-z]:)?[^\s:()][^:()]*?)"
    r"(?:\((?P<line>\d+),\d+\): |:(?P<row>\d+):\d+ - ))?"
    r"(?:error |\[ERROR\] )?(?P<code>TS-?\d{3,6}): (?P<message>\S.*)$"
)
_PLACE = Expression(
    r"^(?:\[tsl\] )?(?:ERROR (?:in )?|in |File: )?(?P<file>(?:[A-Za-z]:)?[^\s:()][^:()]*?\.[A-Za-z]{1,8})"
    r"(?:\?[^\s:]*)?(?:(?::| |\()(?P<line>\d+)[:,]\d+(?:-(?:\d+:)?\d+)?\)?)?:?(?: \(.*\))?$"
)
# What stands behind `in` when webpack or a loader says where an error is.
_WEBPACK_HEAD = Expression(
    r"^(?:\[tsl\] )?(?:ERROR|ERROR in|in) (?:in )?(?P<place>\S.*)$|^Failed to compile\.$|^(?:✖|×|⨯) (?P<next>\./\S+)$"
)
_MODULE = Expression(
    r"^(?P<message>(?:Module not found: |Module build failed|Module parse failed: |Can't resolve |Cannot find module "
    r"|SyntaxError: |TypeError: |Error: |Entry module not found: |export '|Multiple assets emit different content).*)$"
)
_CLASSED = Expression(r"^(?P<class>\w*Error): (?P<message>.*)$")
_AT_PLACE = Expression(r"^(?P<file>(?:[A-Za-z]:)?[/\\][^:()]+): (?P<message>.*?)(?: \((?P<line>\d+):\d+\))?$")
_VITE = Expression(
    r"^(?:.*\[vite\]:? )?(?:Internal server error: |(?:Pre-transform|transform|hmr"
    r"|Internal) [Ee]rror: )(?P<message>\S.*)$"
)
_PLUGIN = Expression(
    r"^(?:(?P<class>\w*Error): )?\[(?:plugin:)?(?P<plugin>vite(?::[\w\-]+)?|plugin [\w:\-]+"
    r"|[\w\-]+:[\w:\-]+|commonjs|rollup|esbuild)\]:? (?P<message>\S.*)$"
)
_ROLLUP = Expression(
    r"^(?:\[!\] )?(?:\((?P<plugin>[^)]+)\) )?(?P<class>RollupError|RolldownError|ParseError): (?P<message>\S.*)$"
)
_ROLLUP_PLACE = Expression(r"^(?P<file>[^\s:()][^:()]*?) \((?P<line>\d+):\d+\): (?P<message>\S.*)$")
_ESBUILD = Expression(r"^(?:✘|X|> .+: error:)? ?\[ERROR\] (?P<message>\S.*?)(?: \[plugin [^\]]+\])?$")
_ESBUILD_MARK = Expression(r"^(?:✘|X) (?P<message>\S.*)$")
# A loader's explanation stands in the few lines below the place.
_BELOW = 8
_DETAILS = 4
_FRAMES = 200


class TypeScriptReader:
    """Errors of compilers and bundlers for pages."""

    name = "typescript"
    begins = Begins(
        (
            *(_TSC.pattern, "(?:Internal server|[Tt]ransform|transform|hmr|Internal) [Ee]rror: ", _PLUGIN.pattern),
            *(
                _ROLLUP.pattern,
                r"\[ERROR\] ",
                _ESBUILD_MARK.pattern,
                _WEBPACK_HEAD.pattern,
                "^(?:Module |Entry module)",
            ),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order; the frame of a diagnostic is the place in the source it is about."""
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            found: Link | None = None
            end = at + 1
            if text:
                found, end = (
                    _tsc(lines, at, text) or _bundler(lines, at, text) or _webpack(lines, at, text) or (None, at + 1)
                )
            if found:
                yield found.found(self.name, Role.FINAL)
            at = starts.from_(end)


def _link(lines: Sequence[CleanLine], at: int, message: str) -> Link:
    return Link([message], lines[at].number, lines[at].number)


def _tsc(lines: Sequence[CleanLine], at: int, text: str) -> tuple[Link, int] | None:
    found = _TSC.match(text) if "TS" in text else None
    if found is None:
        return None
    link = _link(lines, at, found.group("message") or "")
    link.code = found.group("code")
    file = found.group("file")
    line = number(found.group("line") or found.group("row"))
    if file:
        link.printed.append(Frame(file=file, line=line))
    elif at and (place := _PLACE.match(text_of(lines[at - 1]))) and place.group("line"):
        link.first = lines[at - 1].number
        link.printed.append(Frame(file=place.group("file"), line=number(place.group("line"))))
    for index in range(at - 1, max(at - 1 - _DETAILS, -1), -1):
        above = text_of(lines[index])
        if not (
            _WEBPACK_HEAD.match(above) and (lines[index].level == "ERROR" or not above.startswith("in "))
        ) and not _place(above):
            break
        link.first = lines[index].number
    end = at + 1
    # The chain of reasons is indented below the sentence, and ends where a blank line or the source comes.
    while end < len(lines) and end - at <= _BELOW * 2 and _is_reason(lines[end], lines[at].indent):
        link.lines.append(text_of(lines[end]))
        end += 1
    link.last = lines[end - 1].number
    return link, end


def _is_reason(line: CleanLine, indent: int) -> bool:
    text = text_of(line)
    return (
        bool(text) and line.indent > indent and not text[0].isdigit() and text[0] not in "~|>^" and not _TSC.match(text)
    )


def _bundler(lines: Sequence[CleanLine], at: int, text: str) -> tuple[Link, int] | None:
    """Vite, Rollup and esbuild: a sentence, and below it the file and a piece of the source."""
    marked = _ESBUILD_MARK.match(text) if lines[at].level == "ERROR" else None
    found = _VITE.match(text) or _ROLLUP.match(text) or _PLUGIN.match(text) or _ESBUILD.match(text) or marked
    if found is None:
        return None
    message = (found.group("message") or "").strip()
    link = _link(lines, at, message)
    if _ROLLUP.match(text) or _PLUGIN.match(text):
        link.error_class = found.group("class")
    inside = _PLUGIN.match(message)
    if inside:
        message = inside.group("message") or message
    placed = _ROLLUP_PLACE.match(message)
    if placed:
        message = placed.group("message") or ""
        link.printed.append(Frame(file=placed.group("file"), line=number(placed.group("line"))))
    link.lines = [message]
    return link, _details(lines, at + 1, link)


def _details(lines: Sequence[CleanLine], at: int, link: Link) -> int:
    """Take the place and the stack below a bundler's sentence; returns the line after them."""
    end = at
    for index in range(at, min(at + _FRAMES, len(lines))):
        text = text_of(lines[index])
        frame = frame_of(text)
        place = None if frame else _place(text)
        if frame:
            if not link.printed or link.printed[0].function:
                link.printed.append(frame)
        elif place and not link.printed:
            link.printed.append(place)
        elif index >= at + _BELOW or not (
            place or not text or text.startswith(("Plugin:", "id:", "File:")) or _is_source(text)
        ):
            break
        if text:
            end = index + 1
    link.last = max(link.last, lines[end - 1].number)
    return end


def _place(text: str) -> Frame | None:
    found = _PLACE.match(text)
    if found is None or not (found.group("line") or text.startswith("File:")):
        return None
    return Frame(file=found.group("file"), line=number(found.group("line")))


def _is_source(text: str) -> bool:
    """Whether this is a piece of the source as bundlers print it: a line number, a bar or a mark."""
    return text[0].isdigit() or text[0] in "|│>^╵~"


def _webpack(lines: Sequence[CleanLine], at: int, text: str) -> tuple[Link, int] | None:
    """Webpack: a place, and on the next lines what is wrong there; the sentence alone where the place was left out."""
    head = _WEBPACK_HEAD.match(text)
    if head is None:
        alone = _MODULE.match(text) if text.startswith(("Module ", "Entry module")) else None
        if alone is None:
            return None
        return _explained(lines, at, at, None)
    if text.startswith("in ") and lines[at].level != "ERROR":
        return None
    return _below_head(lines, at, head.group("place") or head.group("next"))


def _below_head(lines: Sequence[CleanLine], at: int, place: str | None) -> tuple[Link, int] | None:
    """Read what stands below webpack's headline; None where it is nothing of webpack's."""
    where = _PLACE.match(place) if place else None
    for index in range(at + 1, min(at + 1 + _DETAILS, len(lines))):
        said = text_of(lines[index])
        if _tsc_follows(said):
            return None
        if _MODULE.match(said):
            return _explained(lines, at, index, _frame(where))
        where = where or (None if place else _PLACE.match(said))
        if said and (place or not where):
            return None
    return _explained(lines, at, at, None, place) if place and _MODULE.match(place) else None


def _tsc_follows(text: str) -> bool:
    found = _TSC.match(text)
    return found is not None and found.group("code") is not None


def _frame(where: Match | None) -> Frame | None:
    return Frame(file=where.group("file"), line=number(where.group("line"))) if where else None


def _explained(
    lines: Sequence[CleanLine], first: int, at: int, where: Frame | None, said: str | None = None
) -> tuple[Link, int]:
    """The error whose sentence stands at `at`; a loader's own error is on the line below it."""
    link = _link(lines, first, said or text_of(lines[at]))
    end = at + 1
    if link.lines[0].startswith("Module build failed") and end < len(lines) and text_of(lines[end]):
        link.lines = [text_of(lines[end])]
        end += 1
    elif (
        link.lines[0].startswith("Module parse failed")
        and end < len(lines)
        and text_of(lines[end]).startswith("You may need")
    ):
        link.lines.append(text_of(lines[end]))
        end += 1
    classed = _CLASSED.match(link.lines[0])
    if classed:
        link.error_class = classed.group("class")
        link.lines = [classed.group("message") or ""]
        own = _AT_PLACE.match(link.lines[0])
        if own and own.group("line"):
            link.lines = [own.group("message") or ""]
            where = Frame(file=own.group("file"), line=number(own.group("line")))
    link.printed = [where] if where else []
    while end < len(lines) and (frame := frame_of(text_of(lines[end]))):
        if not where:
            link.printed.append(frame)
        end += 1
    link.last = lines[end - 1].number
    return link, end
