"""Builds for the Java virtual machine: Gradle, Maven and sbt, and the compilers they run."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression, Match
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role
from bot.pastes.readers.links import Link, number, text_of
from bot.pastes.readers.starts import starts_in

# What Gradle says went wrong: a tower of a few sentences, sometimes with a list below each.
_LONGEST_REASON = 60

_GRADLE_PLACE = Expression(
    r"^(?:Build|Settings|Script|Initialization script|Precompiled script) (?:file )?'"
    r"(?P<file>[^']+)' line: (?P<line>\d+)$"
)
_GRADLE_COUNT = Expression(r"^(?:\d+: Task failed with an exception\.|-{3,})$")
_MAVEN_GOAL = Expression(
    r"^(?:\[?(?:ERROR|FATAL)\]? )?Failed to execute goal (?:\S.*? )?on project (?P<project>[\w.\-]+): (?P<message>.*)$"
)
_MAVEN_OTHER = Expression(
    r"^(?:\[?(?:ERROR|FATAL)\]? )?(?P<message>(?:Failed to execute goal |Non-resolvable parent POM"
    r"|Non-parseable POM|Unknown lifecycle phase|No plugin found for prefix"
    r"|Could not find goal|The goal you specified requires a project to execute"
    r"|'[\w.\[\]:\-]+' (?:for .+ )?(?:is missing|must be)"
    r"|Malformed POM|Unresolveable build extension|Child module .+ does not exist|Unrecoverable"
    r"|Plugin [\w.:\-]+ or one of its dependencies could not be resolved).*)$"
)
_HELP = Expression(r"^(?P<message>.*?)(?: -> \[Help \d{1,2}\])?$")
_MAVEN_PLACE = Expression(
    r"^(?:\[?ERROR\]? )?(?P<file>(?:[A-Za-z]:)?[/\\][^\[\]]+\.(?:java|kt|scala|groovy)):(?:\["
    r"(?P<line>\d+)(?:,\d+)?\]|\s?\((?P<row>\d+), ?\d+\)) (?:error: )?(?P<message>\S.*)$"
)
_JAVAC = Expression(r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:]*\.(?:java|groovy)):(?P<line>\d+): error: (?P<message>\S.*)$")
_KOTLINC = Expression(
    r"^(?:e|error): (?:file://)?(?P<file>(?:[A-Za-z]:)?[^\s:][^:]*\.kts?):(?: \((?P<row>\d+), \d+\):|"
    r"(?P<line>\d+):\d+:?) (?P<message>\S.*)$"
)
_KOTLINC_PLAIN = Expression(r"^(?P<file>[^\s:][^:]*\.kts?):(?P<line>\d+):\d+: error: (?P<message>\S.*)$")
_SCALAC = Expression(
    r"^(?:\[error\] )?(?P<file>(?:[A-Za-z]:)?[^\s:\[\]][^:\[\]]*\.scala):"
    r"(?P<line>\d+)(?::\d+)?: (?:error: )?(?P<message>\S.*)$"
)
_SCALA3 = Expression(
    r"^(?:\[error\] )?-- (?:\[(?P<code>E\d{1,5})\] )?(?P<kind>[A-Z][\w ]* )?Error: "
    r"(?P<file>[^:]+\.scala):(?P<line>\d+):\d+(?: -*)?$"
)
_SCALA3_SAYS = Expression(r"^(?:\[error\] )?(?:\d+ ?)?\|\s*(?P<message>[^\s|^].*)$")
_SYMBOL = Expression(r"^(?:\[?ERROR\]? )?(?P<message>(?:symbol|location|required|found|reason): *\S.*)$")
_SBT_TASK = Expression(
    r"^(?:\[error\] )?\((?P<task>(?:[\w.\-]+ / )*[\w.\-]+(?: / [\w.\-]+)*)\) (?:"
    r"(?P<class>[\w.$]+(?:Exception|Error)): )?(?P<message>\S.*)$"
)
_SBT_EXIT = Expression(r"^(?:\[error\] )?(?P<message>Nonzero exit code returned from runner: \d+)$")
_COUNTED = Expression(r"^(?:\[error\] )?(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) errors?(?: found)?$")
# Below a compiler's sentence stand the source, a caret, then what the names mean.
_BELOW = 6


class GradleMavenReader:
    """Failures of Gradle, Maven and sbt, and errors of javac, kotlinc and scalac."""

    name = "gradle_maven"
    begins = Begins(
        (
            *(r"^(?:\* )?What went wrong:$", _SCALA3.pattern, _MAVEN_PLACE.pattern, _KOTLINC.pattern, _JAVAC.pattern),
            *(_KOTLINC_PLAIN.pattern, _SCALAC.pattern, _MAVEN_GOAL.pattern, _MAVEN_OTHER.pattern),
            *(_SBT_TASK.pattern, _SBT_EXIT.pattern),
        )
    )

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """The errors in their order; the build's own error wraps those of the compilers it ran."""
        links: list[tuple[Link, bool]] = []  # with whether it is the build's own
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            text = text_of(lines[at])
            if text.removeprefix("* ") == "What went wrong:":
                tower, at = _gradle(lines, at)
                links += [(link, True) for link in tower]
                at = starts.from_(at)
                continue
            compiled, end = _compiler(lines, at, text) if text else (None, at + 1)
            if compiled:
                links.append((compiled, False))
            elif build := _maven(lines[at], text):
                links.append((build, True))
            at = starts.from_(end)
        yield from self._with_roles(links)

    def _with_roles(self, links: Sequence[tuple[Link, bool]]) -> Iterator[FoundError]:
        compiled = any(not own for _, own in links)
        for link, own in links:
            if compiled:
                link.role = Role.WRAPPER if own else Role.ROOT_CAUSE
            yield link.found(self.name, Role.FINAL)


def _gradle(lines: Sequence[CleanLine], at: int) -> tuple[list[Link], int]:
    """Read the tower of sentences under `What went wrong`; each wraps the one below it."""
    place = next(
        (found for line in lines[max(at - 4, 0) : at] if (found := _GRADLE_PLACE.match(text_of(line)))),
        None,
    )
    links: list[Link] = []
    end = at + 1
    while end < len(lines) and end - at <= _LONGEST_REASON:
        text = text_of(lines[end])
        if _ends_tower(lines, end):
            break
        # The mark before a deeper sentence reads like a quotation's and may have been taken off with its indentation.
        opens = text.startswith("> ") or not links or lines[end].indent == 0
        if text and opens:
            links.append(Link([text.removeprefix("> ")], lines[end].number, lines[end].number))
        elif text:
            links[-1].lines.append(text)
        if text and links:
            links[-1].last = lines[end].number
        end += 1
    if links and place:
        links[-1].printed.append(Frame(file=place.group("file"), line=number(place.group("line"))))
    if links:
        links[0].first = lines[_headline_above(lines, at)].number
    _give_roles(links)
    return links, end


def _ends_tower(lines: Sequence[CleanLine], at: int) -> bool:
    """Whether the next section begins at `at`, or behind the blank line there."""
    text = text_of(lines[at])
    if text:
        return text.startswith(("* Try", "* Exception is", "* Get more help", "Try:", "=====", "BUILD FAILED"))
    return at + 1 < len(lines) and text_of(lines[at + 1]).startswith(("*", "=", "BUILD", "FAILURE"))


def _give_roles(tower: Sequence[Link]) -> None:
    for link in tower:
        link.role = Role.ROOT_CAUSE if link is tower[-1] else Role.WRAPPER
    if len(tower) == 1:
        tower[0].role = Role.FINAL


def _headline_above(lines: Sequence[CleanLine], at: int) -> int:
    """The index of the line that says that the build failed, a few lines above `at`; `at` where there is none."""
    for index in range(at - 1, max(at - 8, -1), -1):
        text = text_of(lines[index])
        if text.startswith("FAILURE: "):
            return index
        if text and not text.startswith("* Where") and not _GRADLE_PLACE.match(text) and not _GRADLE_COUNT.match(text):
            break
    return at


def _maven(line: CleanLine, text: str) -> Link | None:
    task = _SBT_TASK.match(text) if line.level == "ERROR" or text.startswith("[error] ") else None
    found = _MAVEN_GOAL.match(text) or _MAVEN_OTHER.match(text) or task or _SBT_EXIT.match(text)
    if found is None:
        return None
    said = found.group("message") or ""
    short = _HELP.match(said)
    link = Link([(short.group("message") if short else said) or said], line.number, line.number)
    if task:
        link.error_class = task.group("class")
    return link


def _compiler(lines: Sequence[CleanLine], at: int, text: str) -> tuple[Link | None, int]:
    """Read what a compiler says at `at`, with the meaning of its names; returns the line after it."""
    third = _SCALA3.match(text)
    if third:
        return _scala3(lines, at, third)
    found, row = _place(text)
    if found is None:
        return None, at + 1
    link = Link([found.group("message") or ""], lines[at].number, lines[at].number)
    link.printed.append(Frame(file=found.group("file"), line=row))
    end = at + 1
    for index in range(at + 1, min(at + 1 + _BELOW, len(lines))):
        below = text_of(lines[index])
        symbol = _SYMBOL.match(below)
        if symbol:
            link.lines.append(symbol.group("message") or "")
            end = index + 1
        elif not below or _place(below)[0]:
            break
        elif set(below) == {"^"} or _COUNTED.match(below):
            end = index + 1
    link.last = lines[end - 1].number
    return link, end


def _place(text: str) -> tuple[Match | None, int | None]:
    if not any(ending in text for ending in (".java", ".kt", ".scala", ".groovy")):
        return None, None
    for expression in (_MAVEN_PLACE, _KOTLINC):
        found = expression.match(text)
        if found:
            return found, number(found.group("line") or found.group("row"))
    found = _JAVAC.match(text) or _KOTLINC_PLAIN.match(text) or _SCALAC.match(text)
    return found, number(found.group("line")) if found else None


def _scala3(lines: Sequence[CleanLine], at: int, head: Match) -> tuple[Link, int]:
    """Scala 3 draws a margin beside the source; the sentence stands in it, below the caret."""
    link = Link([], lines[at].number, lines[at].number, code=head.group("code"))
    link.printed.append(Frame(file=head.group("file"), line=number(head.group("line"))))
    end = at + 1
    below_caret = False
    while end < len(lines) and end - at <= _BELOW * 2:
        text = text_of(lines[end]).removeprefix("[error] ")
        if "|" not in text:
            break
        bare = text.partition("|")[2].strip()
        said = _SCALA3_SAYS.match(text)
        if bare and set(bare) == {"^"}:
            below_caret = True
        elif below_caret and said:
            link.lines.append(bare)
        link.last = lines[end].number
        end += 1
    if not link.lines:
        link.lines = [f"{head.group('kind') or ''}Error".strip()]
    return link, end
