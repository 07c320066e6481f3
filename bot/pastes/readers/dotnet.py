"""C#, F# and Visual Basic: exceptions with the ones inside them, and what MSBuild and its compilers report."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.links import MESSAGE_LINES, Link, chain, number, text_of
from bot.pastes.readers.starts import starts_in

_UNHANDLED = r"(?:Unhandled exception\. |Unhandled [Ee]xception: |Unbehandelte Ausnahme: |Unhandled exception at .+: )"
_CLASS = (
    r"(?P<class>(?:[A-Za-z_]\w*[.+])*[A-Z]\w*Exception(?:`\d{1,2}(?:\[[\w.,]+\])?)?)"
    r"(?: \((?P<code>0x[0-9A-Fa-f]{1,8}|-?\d+)(?:, 0x[0-9A-Fa-f]{1,8})?\))?(?:: ?(?P<message>.*))?$"
)
_HEAD = Expression(rf"^{_UNHANDLED}?{_CLASS}")
_LOUD = Expression(rf"^{_UNHANDLED}{_CLASS}")
_INNER = Expression(rf"^-{{1,3}}> {_CLASS}")
_LISTED = Expression(rf"^(?:-{{1,3}}> )?\(Inner Exception #\d{{1,4}}\) {_CLASS}")
_INLINE = Expression(r"^(?P<message>.*?) ---> (?P<rest>(?:[A-Za-z_]\w*\.)+[A-Z]\w*Exception.*)$")
_END_OF_INNER = Expression(
    r"^-{2,3} (?:End of inner ?exception stack ?trace|Ende der internen Ausnahmestapel(?:ü|ue?)berwachung"
    r"|Fin de la trace de la pile).*$"
)
_SEPARATOR = Expression(r"^-{2,3} (?:End of stack trace from previous location|Ende der Stapel).*$")
# The words around a place are in the language of the system.
_FRAME = Expression(
    r"^(?:at|bei|en|à) (?P<function>[^()\s](?:[^()]*))\([^()]*(?:\([^()]*\)[^()]*)?\)"
    r"(?: (?:in|dans) (?P<file>.+):(?:line|Zeile|ligne|línea) (?P<line>\d+)\.?)?$"
)
_JAVA_PLACE = Expression(r"\((?:[\w.$\-]+:\d+|Native Method|Unknown Source)\)|:\d+:\d+\)|\(<anonymous>\)")
_DIAGNOSTIC = Expression(
    r"^(?:(?P<file>(?:[A-Za-z]:)?[^():*?\"<>|]+)(?:\((?P<line>\d+)(?:,\d+){0,3}\))? ?: )?"
    r"(?:fatal )?error (?P<code>(?:CS|VB|BC|FS|MSB|NU|NETSDK|CA|IDE|SA|RZ|XA|XLS|BLAZOR|ASPIRE|EF|SYSLIB"
    r"|IL|MC|XC|XFC|APT)\d{3,5})"
    r": (?P<message>.+?)(?: \[[^\[\]]+proj(?:::[^\[\]]+)?\])?$"
)
_SQLSTATE = Expression(r"^(?P<state>[0-9][0-9A-Z]{4}): ")


class DotnetReader:
    """Exceptions of .NET and the errors of its build."""

    name = "dotnet"
    begins = Begins(("Exception", r"\berror [A-Z]{2,8}\d{3,5}: "))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order; what the build repeats in its summary is read again."""
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            diagnostic = _DIAGNOSTIC.match(text) if "error" in text else None
            if diagnostic:
                yield _diagnostic(lines[at], diagnostic)
            head = None if diagnostic else _HEAD.match(text)
            if head is None or not _is_dotnet(lines, at):
                at = starts.from_(at + 1)
                continue
            links, at = _read_exception(lines, at, head)
            yield from chain(self.name, links)
            at = starts.from_(at)


def _is_dotnet(lines: Sequence[CleanLine], at: int) -> bool:
    """Whether .NET printed this class: it says so, or a frame or an inner exception of its follows."""
    text = text_of(lines[at])
    if _LOUD.match(text) or _INLINE.match(text):
        return True
    for line in lines[at + 1 : at + 1 + MESSAGE_LINES]:
        following = text_of(line)
        if frame_of(following) or _INNER.match(following) or _LISTED.match(following):
            return True
        if _HEAD.match(following) or following.startswith(("at ", "Caused by: ")):
            return False
    return False


def _read_exception(lines: Sequence[CleanLine], at: int, head: Match) -> tuple[list[Link], int]:
    """Read an exception and those inside it. Returns them outermost first, and the line after them."""
    links = _opened(head, lines[at].number)
    depth = list(range(len(links)))  # the links whose stack is still to come, the innermost last
    silent = 0  # lines since the last one that was understood
    end = at + 1
    for index in range(at + 1, len(lines)):
        text = text_of(lines[index])
        current = links[depth[-1]]
        listed = _LISTED.match(text)
        inner = listed or _INNER.match(text)
        frame = None if inner else frame_of(text)
        if inner:
            opened = _opened(inner, lines[index].number, Role.EARLIER if listed else None)
            depth += range(len(links), len(links) + len(opened))
            links += opened
        elif frame:
            current.printed.append(frame)
        elif _END_OF_INNER.match(text):
            if len(depth) > 1:
                depth.pop()
        elif not _SEPARATOR.match(text):
            # Behind the first frame only frames belong to an exception; before it, more lines of its message.
            if current.printed or _HEAD.match(text) or silent >= MESSAGE_LINES:
                break
            silent += 1
            continue
        current.lines += [text_of(line) for line in lines[index - silent : index]]
        silent = 0
        end = index + 1
        current.last = max(current.last, lines[index - 1 if inner else index].number)
        if text.endswith("<---") and len(depth) > 1:
            depth.pop()
    return _told_once(links), end


def _told_once(links: list[Link]) -> list[Link]:
    """The finished links, without those an AggregateException prints a second time, as number 0."""
    for link in links:
        _finish(link)
    told = {(link.error_class, link.lines[0]) for link in links if link.role is None}
    return [link for link in links if link.role is None or (link.error_class, link.lines[0]) not in told]


def _opened(head: Match, line_number: int, role: Role | None = None) -> list[Link]:
    """The links one line opens: .NET Framework prints all messages of a chain in one."""
    found: Match | None = head
    links: list[Link] = []
    while found is not None:
        message = (found.group("message") or "").strip()
        inline = _INLINE.match(message) if len(links) < MESSAGE_LINES else None
        said = (inline.group("message") or "") if inline else message.removesuffix("<---")
        links.append(Link([said], line_number, line_number, found.group("class"), found.group("code"), role=role))
        found = _HEAD.match(inline.group("rest") or "") if inline else None
    return links


def _finish(link: Link) -> None:
    state = _SQLSTATE.match(link.lines[0])
    if state and (link.error_class or "").endswith("PostgresException"):
        link.sqlstate = state.group("state")


def frame_of(text: str) -> Frame | None:
    """The frame this line prints, or None where it prints none or another language's."""
    found = _FRAME.match(text.removesuffix("<---"))
    if found is None or (found.group("file") is None and _JAVA_PLACE.search(text)):
        return None
    function = (found.group("function") or "").strip()
    if "." not in function or " " in function.partition("<")[0].partition("[")[0]:
        return None
    return Frame(file=found.group("file"), line=number(found.group("line")), function=function)


def _diagnostic(line: CleanLine, found: Match) -> FoundError:
    file = found.group("file")
    place = number(found.group("line"))
    return FoundError(
        reader=DotnetReader.name,
        role=Role.FINAL,
        message=found.group("message") or "",
        span=Span(line.number, line.number),
        code=found.group("code"),
        frames=(Frame(file=file.strip(), line=place),) if file and place else (),
    )
