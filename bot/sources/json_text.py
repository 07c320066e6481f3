"""JSON from outside, read so that nothing in it can harm: neither a crash nor a value no store can keep."""

import json
import math
import re
from typing import Any, NoReturn

from bot.sources.errors import InvalidSource

# Records are two levels deep. Parsers and writers recurse, so what is deeper than this is refused before it spreads.
DEEPEST_NESTING = 64
# Larger integers do not fit into a column of any store; Python also refuses to convert very long ones.
LONGEST_INTEGER = 19

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Hostile(ValueError):
    """A value that JSON allows and we do not."""


def parse_json(data: bytes, origin: str) -> object:
    """The document in these UTF-8 bytes, with or without a byte order mark.

    Raises InvalidSource, with one problem beginning "{origin}: document: ", for anything but a JSON document, and for
    deep nesting, repeated field names, numbers that are no numbers or too long, and halves of surrogate pairs.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(origin, f"is not UTF-8 text (byte {error.start})") from error
    try:
        document: object = _DECODER.decode(text)
        _check(document, text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise _invalid(origin, f"is not JSON: {error.msg} ({place})") from error
    except _Hostile as error:
        raise _invalid(origin, str(error)) from error
    except RecursionError as error:
        raise _invalid(origin, _TOO_DEEP) from error
    return document


def parse_value(text: str, start: int, origin: str) -> tuple[object, int]:
    """The value that begins at this character, and where it ends.

    Raises json.JSONDecodeError where the text ends too early or is no JSON, InvalidSource for what `parse_json` also
    refuses.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
        _check(value, text[start:end])
    except json.JSONDecodeError:
        raise
    except _Hostile as error:
        raise _invalid(origin, str(error)) from error
    except RecursionError as error:
        raise _invalid(origin, _TOO_DEEP) from error
    return value, end


_TOO_DEEP = f"is nested more than {DEEPEST_NESTING} levels deep"


def _invalid(origin: str, problem: str) -> InvalidSource:
    return InvalidSource((f"{origin}: document: {problem}",))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _Hostile(f"holds the field {json.dumps(twice[:60])} twice")
    return fields


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise _Hostile(f"holds an integer of {len(digits)} digits")
    return int(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Hostile("holds a number too large to be kept")
    return value


def _constant(word: str) -> NoReturn:
    raise _Hostile(f"holds {word}, which is no JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)


def _check(document: object, text: str) -> None:
    # Both faults show in the text, so that the walk over every value is only made for suspicious documents.
    may_be_deep = text.count("{") + text.count("[") > DEEPEST_NESTING
    may_hold_halves = _ESCAPED_SURROGATE.search(text) is not None
    if not may_be_deep and not may_hold_halves:
        return
    level: list[object] = [document]
    for _ in range(DEEPEST_NESTING + 1):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.keys())
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str) and may_hold_halves and not _is_whole(value):
                raise _Hostile("holds half of a surrogate pair, which is no character")
        if not below:
            return
        level = below
    raise _Hostile(_TOO_DEEP)


def _is_whole(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
