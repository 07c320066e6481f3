"""Reading by rules: tools that say an error in one line, each form of it one pattern.

A pattern names what it finds by its groups: `message`, `class`, `code`, `status`, `sqlstate`, `file`, `line`,
`function`. It stands at the beginning of a line, so that a sentence quoting an error is left alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.pastes.readers.expressions import Expression
from bot.pastes.readers.found import Begins, CleanLine, FoundError, Frame, Role, Span
from bot.pastes.readers.starts import LONGEST_READ, starts_in

# Explanations behind an error (DETAIL, HINT, a list of files) are short; a longer run is something else.
MOST_FOLLOWING = 12
_GROUP = re.compile(r"\(\?P<\w{1,20}>")


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of an error. `also` is what the lines behind it look like while they still belong to it.

    Groups of `also` fill what is still unknown; its `message` is put behind the first line's. A pattern whose `message`
    is empty is a heading: without a message behind it there is no error.
    """

    pattern: Expression
    role: Role = Role.FINAL
    error_class: str | None = None
    code: str | None = None
    http_status: int | None = None
    also: Expression | None = None


def rule(
    pattern: str,
    *,
    also: str | None = None,
    role: Role = Role.FINAL,
    error_class: str | None = None,
    code: str | None = None,
    http_status: int | None = None,
) -> Rule:
    """A rule of patterns still to be compiled."""
    return Rule(Expression(pattern), role, error_class, code, http_status, Expression(also) if also else None)


def readable(line: CleanLine) -> str:
    """The text a pattern is tried on: without its indentation, cut at LONGEST_READ characters."""
    return line.text[:LONGEST_READ].strip()


class RuleReader:
    """Finds what its rules describe; of several rules that fit one line the first listed wins."""

    def __init__(self, name: str, rules: Iterable[Rule]) -> None:
        self.name = name
        self._rules = tuple(rules)
        self.begins = Begins(tuple(each.pattern.pattern for each in self._rules))
        # Most lines of a log are no errors of this tool: one look at all forms together tells them apart.
        self._any = Expression("|".join(f"(?:{_GROUP.sub('(?:', each.pattern.pattern)})" for each in self._rules))

    def read(self, lines: Sequence[CleanLine]) -> Iterator[FoundError]:
        starts = starts_in(lines, self.name)
        at = starts.from_(0)
        while at < len(lines):
            found = self.at(lines, at)
            if found:
                yield found[0]
            at = starts.from_(found[1] if found else at + 1)

    def at(self, lines: Sequence[CleanLine], at: int) -> tuple[FoundError, int] | None:
        """The error that begins at this line, and the index of the first line behind it."""
        text = readable(lines[at])
        if not text or self._any.search(text) is None:
            return None
        for each in self._rules:
            match = each.pattern.search(text)
            if match is not None and (found := self._error(each, match, lines, at)) is not None:
                return found
        return None

    def _error(self, used: Rule, match: Any, lines: Sequence[CleanLine], at: int) -> tuple[FoundError, int] | None:
        known: dict[str, str] = {name: value for name, value in match.groupdict().items() if value is not None}
        messages = [known.pop("message", readable(lines[at])).strip()]
        frames = [frame] if (frame := _frame(known)) else []
        after = at + 1
        while used.also is not None and after < min(len(lines), at + 1 + MOST_FOLLOWING):
            more = used.also.search(readable(lines[after]))
            if more is None:
                break
            told = {name: value for name, value in more.groupdict().items() if value}
            if "message" in told:
                messages.append(told.pop("message").strip())
            if frame := _frame(told):
                frames.append(frame)
            known = {**told, **known}
            after += 1
        if not any(messages):
            return None
        status = known.get("status")
        error = FoundError(
            reader=self.name,
            role=used.role,
            message="\n".join(filter(None, messages)),
            span=Span(lines[at].number, lines[after - 1].number),
            error_class=known.get("class") or used.error_class,
            code=known.get("code") or used.code,
            http_status=int(status) if status else used.http_status,
            sqlstate=known.get("sqlstate"),
            frames=tuple(frames),
        )
        return error, after


def _frame(known: dict[str, str]) -> Frame | None:
    if not known.keys() & {"file", "line"}:
        return None
    line = known.get("line")
    return Frame(known.get("file"), int(line[:9]) if line else None, known.get("function"))
