"""Java, Kotlin and Scala: stack traces with their causes and what was suppressed."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.links import MESSAGE_LINES, Link, chain, number, text_of
from bot.pastes.readers.starts import starts_in

_CLASS = r"(?P<class>(?:[A-Za-z_][\w$]*\.)*[A-Z][\w$]*)(?:: ?(?P<message>.*))?$"
_THREAD = r"(?:Exception in thread (?:\"[^\"]*\"|\S+) )"
_HEAD = Expression(rf"^{_THREAD}?(?:Exception: )?{_CLASS}")
_IN_THREAD = Expression(rf"^{_THREAD}{_CLASS}")
_WITHIN = Expression(r"\s(?P<class>(?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error))(?:: (?P<message>.*))?$")
_CAUSED = Expression(rf"^(?:Caused by|Wrapped by): (?:\[CIRCULAR REFERENCE: ?)?{_CLASS}")
_SUPPRESSED = Expression(rf"^Suppressed: {_CLASS}")
# A line alone is Java's when its class lives where Java's classes do; other languages write dots into names too.
_ALONE = Expression(
    r"^(?P<class>(?:java|javax|jakarta|kotlin|kotlinx|scala|org|com|io|net|akka|android|androidx)\.(?:[\w$]+\.)+"
    r"[A-Z][\w$]*(?:Exception|Error))(?:: (?P<message>.*))?$"
)
_LAUNCHER = Expression(
    r"^Error: (?P<message>(?:Could not find or load main class|A JNI error has occurred|Unable to access jarfile"
    r"|Main method not found in class|LinkageError occurred while loading main class"
    r"|Could not create the Java Virtual Machine).*)$"
)
_FRAME = Expression(
    r"^at (?:(?P<module>[\w.\-@/]*)/)?(?P<function>[\w.$<>\-+]+(?: [\w.$<>\-]+)?)"
    r"\((?:(?P<file>[\w.$\-]+):(?P<line>\d+)|(?P<place>[\w.$\- ]*))\)"
    r"(?:\s{1,4}~?\[(?P<jar>[^\]:]*):(?P<version>[^\]]*)\])?$"
)
_ELIDED = Expression(r"^\.\.\. \d+ (?:more|common frames omitted|frames? (?:trimmed|truncated|excluded)|elided).*$")
_VERSION_OF_JAR = Expression(r"^(?P<name>[A-Za-z][\w.\-]*?)-\d[\w.\-]*\.jar(?:!/)?$")
# What Android prints above a stack that ended an app.
_ANDROID = Expression(r"^(?:FATAL EXCEPTION: .*|Process: \S+, PID: \d+)$")
# A place without a line: native, obfuscated and generated code.
_PLACES = ("Native Method", "Unknown Source", ".java", ".kt", ".scala", ".groovy", "<generated>", "SourceFile")
_ENDINGS = ("Exception", "Error", "Throwable", "Failure", "Panic", "Death", "Interrupt")
_SQLSTATE = Expression(r"\bSQL ?State: ?\"?(?P<state>[0-9A-Z]{5})\b")


class JavaReader:
    """Stack traces of the Java virtual machine, and what its launcher says."""

    name = "java"
    begins = Begins(("|".join(_ENDINGS),), below=("^(?:at |Caused by: )",))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order; a class counts when a frame or a cause follows, or when only Java has such."""
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            launcher = _LAUNCHER.match(text) if text.startswith("Error: ") else None
            head = launcher or _head(text, lines, at)
            if head is None:
                at = starts.from_(at + 1)
                continue
            links: list[Link] = []
            at = _read_link(lines, at, head, links, None if launcher else head.group("class"))
            at = starts.from_(_read_causes(lines, at, links))
            yield from chain(self.name, links)


def _head(text: str, lines: Sequence[CleanLine], at: int) -> Match | None:
    following = text_of(lines[at + 1]) if at + 1 < len(lines) else ""
    # Most lines of a log are no heads; this is cheaper than the expressions.
    if not following.startswith(("at ", "Caused by: ")) and not any(ending in text for ending in _ENDINGS):
        return None
    found = _IN_THREAD.match(text) or _ALONE.match(text) or _CAUSED.match(text)
    if found:
        return found
    plain = _HEAD.match(text)
    if _is_named(plain):
        return plain if _stack_after(lines, at, MESSAGE_LINES) is not None else None
    if _stack_after(lines, at, 1) is not None:
        return plain or _WITHIN.search(text)
    return None


def _stack_after(lines: Sequence[CleanLine], at: int, reach: int) -> int | None:
    """The index of the first frame or cause behind the head at `at`, or None. Another head ends the search."""
    for index in range(at + 1, min(at + 1 + reach, len(lines))):
        text = text_of(lines[index])
        if frame_of(text) or _CAUSED.match(text) or _SUPPRESSED.match(text) or _ELIDED.match(text):
            return index
        if _IN_THREAD.match(text) or _ALONE.match(text) or _is_named(_HEAD.match(text)):
            return None
    return None


def _is_named(head: Match | None) -> bool:
    """Whether the class of a head is called what errors are called."""
    return head is not None and (head.group("class") or "").endswith(_ENDINGS)


def _read_link(lines: Sequence[CleanLine], at: int, head: Match, links: list[Link], error_class: str | None) -> int:
    """Read one error with its frames; returns the line after it."""
    message = (head.group("message") or "").strip()
    if "[CIRCULAR REFERENCE" in lines[at].text:
        message = message.removesuffix("]")
    link = Link([message], lines[at].number, lines[at].number, error_class=error_class)
    links.append(link)
    for index in range(at - 1, max(at - 3, -1), -1):
        if not _ANDROID.match(text_of(lines[index])):
            break
        link.first = lines[index].number
    stack = _stack_after(lines, at, MESSAGE_LINES)
    end = at + 1
    if stack is not None:
        link.lines += [text_of(line) for line in lines[at + 1 : stack]]
        end = stack
        while end < len(lines):
            frame = frame_of(text_of(lines[end]))
            if frame is not None:
                link.printed.append(frame)
            elif not _ELIDED.match(text_of(lines[end])):
                break
            end += 1
    link.last = lines[end - 1].number
    state = next((found for line in link.lines if (found := _SQLSTATE.search(line))), None)
    link.sqlstate = state.group("state") if state else None
    return end


def _read_causes(lines: Sequence[CleanLine], at: int, links: list[Link]) -> int:
    """Read what hangs on an error: its causes, and suppressed errors, whose causes are indented as they are."""
    suppressed_at: int | None = None
    while at < len(lines):
        text = text_of(lines[at])
        suppressed = _SUPPRESSED.match(text)
        caused = None if suppressed else _CAUSED.match(text)
        head = suppressed or caused
        if head is None:
            return at
        if suppressed:
            suppressed_at = lines[at].indent
        elif suppressed_at is not None and lines[at].indent < suppressed_at:
            suppressed_at = None
        at = _read_link(lines, at, head, links, head.group("class"))
        if suppressed_at:
            links[-1].role = Role.EARLIER
        elif suppressed:
            links[-1].role, suppressed_at = Role.EARLIER, None
    return at


def frame_of(text: str) -> Frame | None:
    """The frame this line prints, or None where it prints none."""
    found = _FRAME.match(text) if text.startswith("at ") else None
    if found is None:
        return None
    place = found.group("place")
    if place is not None and not place.endswith(_PLACES):
        return None
    jar = found.group("jar")
    version = found.group("version")
    known = version not in {None, "", "na", "?"}
    named = _VERSION_OF_JAR.match(jar) if jar else None
    module = (found.group("module") or "").strip("/")
    package = (
        named.group("name") if named else (jar if jar not in {None, "", "na", "?", "classes/", "classes!/"} else None)
    )
    return Frame(
        file=found.group("file"),
        line=number(found.group("line")),
        function=found.group("function"),
        package=package or module.partition("@")[0] or None,
        version=version if known else (module.partition("@")[2] or None),
    )
