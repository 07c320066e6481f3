"""What one field of a document may hold. Each rule returns the value as a record keeps it, or raises Refused."""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

Rule = Callable[[object], object]
_Kind = TypeVar("_Kind", bound=StrEnum)

# A refused value is quoted to this length: enough to find it, and no log line as long as a document.
_LONGEST_QUOTE = 60


class Refused(ValueError):
    """A value breaks its rule; the text says how. `index` is the place in a list, where it is one item's fault."""

    def __init__(self, problem: str, index: int | None = None) -> None:
        super().__init__(problem)
        self.problem, self.index = problem, index


_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def kind_of(value: object) -> str:
    """What JSON calls this value, with its article."""
    return _KINDS.get(type(value)) or f"a {type(value).__name__}"


def quote(value: object) -> str:
    """The value as JSON, cut to a readable length, in ASCII so that nothing in it acts on a terminal or a chat."""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 64 bits"  # Python refuses to print very long ones
    text = json.dumps(value[: _LONGEST_QUOTE + 1] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def text(value: object) -> str:
    """Any string."""
    if not isinstance(value, str):
        raise Refused(f"is {kind_of(value)}, not a string")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise Refused("holds half of a surrogate pair, which is no character") from error
    return value


def filled_text(value: object) -> str:
    """A string with something to read in it."""
    checked = text(value)
    if not checked or checked.isspace():
        raise Refused("is empty")
    return checked


def shaped(pattern: str, description: str) -> Callable[[object], str]:
    """A string that matches the whole pattern; `description` completes "is not …"."""
    matches = re.compile(pattern).fullmatch

    def rule(value: object) -> str:
        if not isinstance(value, str):
            raise Refused(f"is {kind_of(value)}, not a string")
        if matches(value) is None:
            raise Refused(f"{quote(value)} is not {description}")
        return value

    return rule


def one_of(kind: type[_Kind]) -> Callable[[object], _Kind]:
    """One of the words of an enumeration."""
    members = {member.value: member for member in kind}
    words = ", ".join(members)

    def rule(value: object) -> _Kind:
        if not isinstance(value, str):
            raise Refused(f"is {kind_of(value)}, not a string")
        member = members.get(value)
        if member is None:
            raise Refused(f"{quote(value)} is none of {words}")
        return member

    return rule


def whole_number(least: int, most: int | None = None) -> Callable[[object], int]:
    """An integer from `least` to `most`, both included."""
    # Line numbers and statuses fit; beyond this no store keeps an integer.
    limit = 2**31 - 1 if most is None else most
    wanted = f"is not {least} or more" if most is None else f"is not between {least} and {most}"

    def rule(value: object) -> int:
        if isinstance(value, float):
            raise Refused(f"{quote(value)} is not a whole number")
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"is {kind_of(value)}, not a whole number")
        if value > limit and most is None:
            raise Refused(f"{quote(value)} is more than {limit}")
        if not least <= value <= limit:
            raise Refused(f"{quote(value)} {wanted}")
        return value

    return rule


def list_of(rule: Callable[[object], str]) -> Callable[[object], tuple[str, ...]]:
    """A list each of whose items keeps the rule. The first wrong item is named by its place, counted from 0."""

    def list_rule(value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise Refused(f"is {kind_of(value)}, not a list of strings")
        items: list[str] = []
        for index, item in enumerate(value):
            try:
                items.append(rule(item))
            except Refused as refused:
                raise Refused(refused.problem, index) from refused
        return tuple(items)

    return list_rule


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|\+00:00)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def moment(value: object) -> datetime:
    """An ISO 8601 time in UTC, to the microsecond."""
    if not isinstance(value, str):
        raise Refused(f"is {kind_of(value)}, not a string")
    return _moment(value)


# Records of one run carry one time.
@lru_cache(maxsize=4096)
def _moment(value: str) -> datetime:
    if _MOMENT.fullmatch(value) is None or not value.isascii():
        raise Refused(f"{quote(value)} is not an ISO 8601 time in UTC, such as 2026-09-05T13:19:14Z")
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refused(f"{quote(value)} is no day or time of the calendar") from error


def day(value: object) -> date:
    """An ISO 8601 day."""
    if not isinstance(value, str):
        raise Refused(f"is {kind_of(value)}, not a string")
    if _DAY.fullmatch(value) is None or not value.isascii():
        raise Refused(f"{quote(value)} is not a day, such as 2026-09-05")
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise Refused(f"{quote(value)} is no day of the calendar") from error


def written(moment_in_utc: datetime) -> str:
    """An ISO 8601 time as upstream writes it: with milliseconds where there are any."""
    bare = moment_in_utc.astimezone(UTC).replace(tzinfo=None)
    microseconds = bare.microsecond
    return bare.isoformat(timespec=_precision(microseconds)) + "Z"


def _precision(microseconds: int) -> str:
    if microseconds == 0:
        return "seconds"
    return "milliseconds" if microseconds % 1000 == 0 else "microseconds"


record_id = shaped(r"[0-9a-f]{16}", "16 lowercase hex digits")
repository = shaped(
    r"(?!\.{1,2}/)[A-Za-z0-9_.-]{1,100}/(?!\.{1,2}\Z)[A-Za-z0-9_.-]{1,100}", "owner/name, as GitHub writes a repository"
)
kebab = shaped(r"[a-z0-9]+(?:-[a-z0-9]+)*", "lowercase words joined by hyphens")
commit = shaped(r"[0-9a-f]{40}", "a commit of 40 lowercase hex digits")
short_commit = shaped(r"[0-9a-f]{7,40}", "a commit of 7 to 40 lowercase hex digits")
https_url = shaped(
    r"https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][^\s\x00-\x1f\x7f\ud800-\udfff]*)?",
    "an https address",
)
