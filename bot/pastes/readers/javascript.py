"""JavaScript at run time: Node, Deno and Bun with their causes, browser consoles, promises nobody caught."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.javascript_frames import GECKO_FRAME, frame_of, is_elision
from bot.pastes.readers.links import MESSAGE_LINES, Link, chain, number, status_in, text_of
from bot.pastes.readers.starts import starts_in

# Errors inside errors deeper than this are read as properties: a real chain has two or three links.
DEEPEST_CAUSE = 20

_HEAD = r"\[?(?P<class>[A-Za-z_$][\w$.]*?)(?: ?\[(?P<code>[\w.\-]+)\])?(?::(?:\s+(?P<message>.*))?|\s*)$"
_UNCAUGHT = (
    r"(?:(?:\S+:\d+ )?(?:error: |\[Error\] )?Uncaught (?:\(in promise(?:\)|:? ?[\w$]*\)) )?(?:error: )?"
    r"|(?:\S+ )?Unhandled (?:promise )?[Rr]ejection:? |\(node:\d+\) UnhandledPromiseRejectionWarning: )"
)
_CAUGHT_BY_NOBODY = Expression("^" + _UNCAUGHT + _HEAD)
_PARENTHESISED = Expression(r"^Unhandled Rejection \((?P<class>[\w$]+)\): (?P<message>.*)$")
_PLAIN = Expression(r"^(?:⨯ |✖ |error: |\[Error\] )?" + _HEAD)
_WITHIN = Expression(
    r"(?:\s|\()(?P<class>[A-Z][\w$]*(?:Error|Exception)|Error)(?: ?\[(?P<code>[\w.\-]+)\])?: (?P<message>.*)$"
)
_CAUSE = Expression(r"^(?:\[cause\]: |Caused by:? (?:Uncaught )?)" + _HEAD)
_LISTED = Expression(r"^" + _HEAD)
_PROPERTY = Expression(
    r"^'?(?P<name>code|status|statusCode|sqlState|errno|\w+)'?: (?:'(?P<quoted>[^']*)'|\""
    r"(?P<double>[^\"]*)\"|(?P<bare>-?[\w.]+)),?$"
)
_SYSTEM = Expression(r"^(?:[a-z]\w+ )?(?P<code>E[A-Z0-9]{3,20})\b")
_CONSOLE = Expression(
    r"^(?:\S+:\d+ )?(?P<message>"
    r"(?:Access to .+ has been blocked by CORS policy: .*"
    r"|Cross-Origin Request Blocked: .*"
    r"|Refused to .+Content Security Policy.*"
    r"|Failed to load resource: .*"
    r"|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) https?://\S+ (?:(?P<status>[45]\d\d) ?\(.*\)|net::ERR_\w+.*)))$"
)
# Every sentence of the console has one of these; to look for them is cheaper than the expression.
_CONSOLE_WORDS = ("http", "CORS", "Cross-Origin", "Security Policy", "Failed to load")
_NETWORK_CODE = Expression(r"\bnet::(?P<code>ERR_[A-Z_]+)")
_ENDINGS = ("Error", "Exception", "Rejection", "Warning")
_HEAD_WORDS = (*_ENDINGS, "Uncaught", "Unhandled", "rejection")
# Rust's errors look alike up to these lines, and their frames too.
_RUST_ONLY = {"Caused by:", "Stack backtrace:", "Location:"}
_POSTGRES_STATE = Expression(r"^[0-9A-Z]{5}$")


class JavaScriptReader:
    """Errors a JavaScript engine prints, with their stacks, properties and causes."""

    name = "javascript"
    begins = Begins(("|".join(_HEAD_WORDS), _CONSOLE.pattern), below=("^at ", GECKO_FRAME))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order; a head counts when frames, properties or the engine's own words show it is one."""
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            console = _CONSOLE.match(text) if any(word in text for word in _CONSOLE_WORDS) else None
            if console:
                yield _console(lines[at], console)
                at = starts.from_(at + 1)
                continue
            head = _head(text, lines, at)
            links: list[Link] = []
            end = _read_link(lines, at, head, links, 0) if head else at + 1
            if links:
                end = _read_causes(lines, end, links)
                yield from chain(self.name, links)
            at = starts.from_(end)


def _head(text: str, lines: Sequence[CleanLine], at: int) -> Match | None:
    """The head on this line, whatever introduces it; words before a class only where a frame follows at once."""
    following = text_of(lines[at + 1]) if at + 1 < len(lines) else ""
    frame_follows = frame_of(following) is not None
    if not frame_follows and not any(word in text for word in _HEAD_WORDS):
        return None
    found = _CAUGHT_BY_NOBODY.match(text) or _PARENTHESISED.match(text) or _PLAIN.match(text)
    if found:
        return found
    return _WITHIN.search(text) if frame_follows else None


def _is_named_error(found: Match) -> bool:
    return (found.group("class") or "").endswith(_ENDINGS)


def _speaks_for_itself(text: str, head: Match, following: str) -> bool:
    """Whether a head without frames is still a JavaScript error."""
    if _CAUGHT_BY_NOBODY.match(text) or _PARENTHESISED.match(text):
        return True
    if not _is_named_error(head):
        return False
    message = head.group("message") or ""
    if text.endswith("{"):
        return _PROPERTY.match(following) is not None
    return bool(_coded(text)) or _SYSTEM.match(message) is not None


def _coded(text: str) -> str | None:
    """The code in brackets behind a class; a class from elsewhere never has one."""
    found = _PLAIN.match(text)
    return found.group("code") if found and _is_named_error(found) else None


def _read_link(lines: Sequence[CleanLine], at: int, head: Match, links: list[Link], depth: int) -> int:
    """Read the error that begins at `at`; what is found is added to `links`. Returns the line after it."""
    text = text_of(lines[at])
    stack = _stack_after(lines, at, head)
    following = text_of(lines[at + 1]) if at + 1 < len(lines) else ""
    if stack is None and depth == 0 and not _speaks_for_itself(text, head, following):
        return at + 1
    message = (head.group("message") or "").strip()
    code = head.group("code") if not _PARENTHESISED.match(text) else None
    opened = message.endswith("{") and stack is None
    if opened:
        message = message[:-1].rstrip()
    if text.startswith("[") and message.endswith("]") and not text.startswith(("[cause]: ", "[Error] ")):
        message = message[:-1]
    link = Link([message], lines[at].number, lines[at].number, error_class=head.group("class"), code=code)
    links.append(link)
    end = at + 1
    if stack is None:
        while end < len(lines) and text_of(lines[end]).startswith(("Require stack:", "- /", "- \\", "- C:")):
            link.lines.append(text_of(lines[end]))
            end += 1
    else:
        link.lines += [text_of(line) for line in lines[at + 1 : stack]]
        end, opened = _read_frames(lines, stack, link)
    link.last = lines[end - 1].number
    if opened:
        end = _read_properties(lines, end, link, links, depth)
    _finish(link)
    return end


def _stack_after(lines: Sequence[CleanLine], at: int, head: Match) -> int | None:
    """The index of the first frame of the error at `at`, or None. Another error's head ends the search."""
    reach = MESSAGE_LINES if _is_named_error(head) else 1
    for index in range(at + 1, min(at + 1 + reach, len(lines))):
        text = text_of(lines[index])
        if frame_of(text) is not None:
            return index
        if text in _RUST_ONLY:
            return None
        other = _PLAIN.match(text) or _CAUGHT_BY_NOBODY.match(text) or _CAUSE.match(text)
        if other is not None and _is_named_error(other):
            return None
    return None


def _read_frames(lines: Sequence[CleanLine], at: int, link: Link) -> tuple[int, bool]:
    """Read frames from `at` on; returns the line after them and whether properties follow."""
    emitted = False
    while at < len(lines):
        text = text_of(lines[at])
        frame: Frame | None = frame_of(text)
        if frame is not None:
            # The stack of who emitted it follows the stack of who made it, which is the error's own.
            if not emitted:
                link.printed.append(frame)
        elif text.startswith("Emitted 'error' event"):
            emitted = True
        elif not is_elision(text):
            return at, False
        at += 1
        if text.endswith("{"):
            return at, True
    return at, False


def _read_properties(lines: Sequence[CleanLine], at: int, link: Link, links: list[Link], depth: int) -> int:
    """Read what Node prints in braces behind an error, to the closing brace; returns the line after it."""
    open_braces = 1
    while at < len(lines) and open_braces:
        text = text_of(lines[at])
        inner = _CAUSE.match(text)
        listed = None if inner or depth else _LISTED.match(text)
        if listed and not (_is_named_error(listed) and _stack_after(lines, at, listed) == at + 1):
            listed = None
        if (inner or listed) and depth < DEEPEST_CAUSE and (listed or (inner and _is_named_error(inner))):
            first = len(links)
            at = _read_link(lines, at, inner or listed, links, depth + 1)  # type: ignore[arg-type]  # one of them is
            if listed:
                for one in links[first:]:
                    one.role = one.role or Role.EARLIER
            link.last = lines[at - 1].number
            continue
        found = _PROPERTY.match(text) if open_braces == 1 else None
        if found:
            _take_property(link, found)
        elif text.startswith(("}", "]")):
            open_braces -= 1
        if text.endswith(("{", "[")):
            open_braces += 1
        link.last = lines[at].number
        at += 1
    return at


def _take_property(link: Link, found: Match) -> None:
    name = found.group("name") or ""
    value = found.group("quoted") or found.group("double") or found.group("bare") or ""
    if name == "code" and value not in {"undefined", "null"}:
        if _POSTGRES_STATE.match(value) and any(letter.isdigit() for letter in value[:2]):
            link.sqlstate = value
        link.code = link.code or value
    elif name in {"status", "statusCode"} and len(value) == 3 and value.isdigit():
        link.http_status = int(value)
    elif name == "sqlState" and _POSTGRES_STATE.match(value):
        link.sqlstate = value


def _read_causes(lines: Sequence[CleanLine], at: int, links: list[Link]) -> int:
    """Read `Caused by:` links that stand below a stack, as Deno and the test runners print them."""
    while at < len(lines) and len(links) < DEEPEST_CAUSE:
        found = _CAUSE.match(text_of(lines[at]))
        if found is None or not _is_named_error(found) or _stack_after(lines, at, found) is None:
            return at
        at = _read_link(lines, at, found, links, 1)
    return at


def _finish(link: Link) -> None:
    while link.lines and not link.lines[-1]:
        link.lines.pop()
    if link.code is None:
        found = _SYSTEM.match(link.lines[0]) if link.lines else None
        link.code = found.group("code") if found else None


def _console(line: CleanLine, found: Match) -> FoundError:
    message = found.group("message") or ""
    code = _NETWORK_CODE.search(message)
    return FoundError(
        reader=JavaScriptReader.name,
        role=Role.FINAL,
        message=message,
        span=Span(line.number, line.number),
        code=code.group("code") if code else None,
        http_status=number(found.group("status")) or status_in(message),
    )
