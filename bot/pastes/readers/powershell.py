"""Errors of PowerShell, in the form of Windows PowerShell and in the ruled one of PowerShell 7."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.line_rules import MOST_FOLLOWING, readable
from bot.pastes.readers.starts import starts_in

_CMDLET = r"(?:[A-Z][A-Za-z]+-[A-Za-z]\w*|[\w.\\/-]{1,80})"
_OLD_HEAD = Expression(rf"^(?:{_CMDLET} : )?(?P<message>\S.*)$")
_OLD_PLACE = Expression(r"^At (?P<file>line|[^\n]+?):(?P<line>\d+) char:\d+$")
_OLD_CATEGORY = Expression(
    r"^(?:\+ )?CategoryInfo\s*: (?P<category>\w+): \(.*\) \[[^\]\n]{0,80}\](?:, (?P<class>[\w.]+))?$"
)
_OLD_ID = Expression(r"^(?:\+ )?FullyQualifiedErrorId : (?P<code>[^,\n]+)(?:,.*)?$")
_NEW_PLACED = Expression(
    rf"^(?P<head>{_CMDLET}): (?P<file>(?:[A-Za-z]:|[/~.])?[^\s:|][^:|\n]*\.ps[dm]?1):(?P<line>\d+)$"
)
_NEW_HERE = Expression(r"^(?P<head>(?:[A-Z][A-Za-z]+-[A-Z]\w*|ParserError|ParentContainsErrorRecordException)): ?$")
_NEW_BARE = Expression(
    r"^(?:[\w.\\/-]{1,80}: (?P<unknown>The term '[^'\n]+' is not recognized as (?:a|the) name of .*)|"
    r"[A-Z][a-z]+-[A-Z][A-Za-z]{2,40}: (?P<message>[A-Z'\"].*))$"
)
_GUTTER = Expression(r"^(?:Line|\d{0,6})\s*\|\s?")
_MARKED = Expression(r"^\+?\s*~[~\s]*$")
_NEW_STATUS = Expression(r"Response status code does not indicate success: ([1-5]\d\d)\b|\(([1-5]\d\d)\) ")
_WRAPPED_MESSAGE_LINES = 8


class PowerShellReader:
    """Error records of Windows PowerShell (category and id behind the place) and of PowerShell 7 (a ruled excerpt)."""

    name = "powershell"
    begins = Begins((_OLD_PLACE.pattern, _NEW_PLACED.pattern, _NEW_HERE.pattern, _NEW_BARE.pattern))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at, free = starts.from_(0), 0
        while at < len(lines):
            text = readable(lines[at])
            found = self._old(lines, at, free, text) or self._new(lines, at, text)
            if found is None:
                at = starts.from_(at + 1)
                continue
            error, free = found
            at = starts.from_(free)
            yield error

    def _old(self, lines: Sequence[CleanLine], at: int, free: int, text: str) -> tuple[FoundError, int] | None:
        """Begins at the place; the message stands above it, wrapped where the console ended."""
        if not text.startswith("At ") or (place := _OLD_PLACE.search(text)) is None:
            return None
        first = at
        while first > max(free, at - _WRAPPED_MESSAGE_LINES) and (above := readable(lines[first - 1])):
            if above.startswith(("PS ", "+ ")) or _OLD_PLACE.search(above):
                break
            first -= 1
            if " : " in above and (head := _OLD_HEAD.search(above)) and head["message"] != above:
                break
        if first == at:
            return None
        said = " ".join(readable(line) for line in lines[first:at])
        head = _OLD_HEAD.search(said)
        message = head["message"] if head else said
        error_class = code = None
        after, end = at + 1, min(len(lines), at + 1 + MOST_FOLLOWING)
        while after < end and code is None:  # the id is the last line of a record
            below = readable(lines[after])
            if category := _OLD_CATEGORY.search(below):
                error_class = category["class"]
            elif identity := _OLD_ID.search(below):
                code = identity["code"].strip()
            elif not below.startswith(("+", "~")):
                break
            after += 1
        frame = _place(place["file"], place["line"])
        return self._made(_span(lines, first, after), message, error_class, code, place=frame), after

    def _new(self, lines: Sequence[CleanLine], at: int, text: str) -> tuple[FoundError, int] | None:
        placed = _NEW_PLACED.search(text) or _NEW_HERE.search(text)
        if placed is None:
            bare = _NEW_BARE.search(text)
            return (
                None
                if bare is None
                else (self._made(_span(lines, at, at + 1), bare["unknown"] or bare["message"]), at + 1)
            )
        groups = placed.groupdict()
        said: list[str] = []
        marked = False
        after = at + 1
        while after < min(len(lines), at + 1 + MOST_FOLLOWING):
            below = readable(lines[after])
            # `Line |` above the excerpt may have been taken for the name of a container
            if not below and after > at + 1:
                break
            below = _GUTTER.sub("", below).strip()
            if marked:
                said.append(below)
            marked = marked or _MARKED.search(below) is not None
            after += 1
        if not said:
            return None
        head = groups["head"]
        error_class = head if head.endswith(("Error", "Exception")) else None
        place = _place(groups.get("file"), groups.get("line"))
        return self._made(_span(lines, at, after), " ".join(said), error_class, place=place), after

    def _made(
        self,
        span: Span,
        message: str,
        error_class: str | None = None,
        code: str | None = None,
        *,
        place: Frame | None = None,
    ) -> FoundError:
        status = _NEW_STATUS.search(message)
        return FoundError(
            reader=self.name,
            role=Role.FINAL,
            message=message,
            span=span,
            error_class=error_class,
            code=code,
            http_status=int(status[1] or status[2]) if status else None,
            frames=(place,) if place else (),
        )


def _span(lines: Sequence[CleanLine], first: int, after: int) -> Span:
    return Span(lines[first].number, lines[after - 1].number)


def _place(file: str | None, line: str | None) -> Frame | None:
    """The frame, or none where the command was typed at the prompt."""
    return None if file is None or file == "line" or line is None else Frame(file, int(line[:9]))


POWERSHELL = PowerShellReader()
