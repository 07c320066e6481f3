"""Spring Boot's failure analysis: the box, what happened, and where."""

from collections.abc import Iterator, Sequence

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.links import MESSAGE_LINES, number, text_of
from bot.pastes.readers.starts import starts_in

_TITLE = "APPLICATION FAILED TO START"
# The box, the title, two headings and their blank lines stand before the description.
_BEFORE_DESCRIPTION = 8
# Spring's advice is a few sentences; what stands right below it may be the rest of a long log.
_ADVICE_LINES = 12
_ORIGIN = Expression(r"^Origin: .*\[(?P<file>[^\]]+)\].* - (?P<line>\d+):\d+.*$")
_PLACE = Expression(r"^(?P<function>[\w.$<>]+)\((?P<file>[\w.$]+):(?P<line>\d+)\)$")
_REASON = Expression(r"^Reason: (?P<class>(?:[a-z_]\w*\.)+[A-Z]\w*(?:Exception|Error)): .*$")


class SpringReader:
    """What Spring Boot says when an application does not start."""

    name = "spring"
    begins = Begins((f"^{_TITLE}$",))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        """One error for each box; its message is the description without blank lines, its span has the advice too."""
        for at in starts_in(lines, self.name):
            if text_of(lines[at]) == _TITLE:
                found = self._read(lines, at)
                if found:
                    yield found

    def _read(self, lines: Sequence[CleanLine], at: int) -> FoundError | None:
        first = at - 1 if at and set(text_of(lines[at - 1])) == {"*"} else at
        start = next(
            (
                index
                for index in range(at + 1, min(at + 1 + _BEFORE_DESCRIPTION, len(lines)))
                if text_of(lines[index]) == "Description:"
            ),
            None,
        )
        if start is None:
            return None
        said: list[str] = []
        end = start + 1
        while end < len(lines) and end - start <= MESSAGE_LINES and text_of(lines[end]) not in {"Action:", _TITLE}:
            said.append(text_of(lines[end]))
            end += 1
        said = [text for text in said if text]
        if not said:
            return None
        reason = next((found for text in said if (found := _REASON.match(text))), None)
        return FoundError(
            reader=self.name,
            role=Role.FINAL,
            message="\n".join(said),
            span=Span(lines[first].number, lines[_after_action(lines, end) - 1].number),
            error_class=reason.group("class") if reason else None,
            frames=tuple(_frames(said)),
        )


def _after_action(lines: Sequence[CleanLine], at: int) -> int:
    """The index behind the advice, which is one block of lines."""
    if at >= len(lines) or text_of(lines[at]) != "Action:":
        while not text_of(lines[at - 1]):
            at -= 1
        return at
    end = at + 1
    while end < len(lines) and not text_of(lines[end]):
        end += 1
    if end == len(lines):
        return at + 1
    while end < len(lines) and text_of(lines[end]) and end - at <= _ADVICE_LINES:
        end += 1
    return end


def _frames(said: Sequence[str]) -> Iterator[Frame]:
    for text in said:
        found = _ORIGIN.match(text)
        place = None if found else _PLACE.match(text)
        if found:
            yield Frame(file=found.group("file"), line=number(found.group("line")))
        elif place:
            yield Frame(place.group("file"), number(place.group("line")), place.group("function"))
