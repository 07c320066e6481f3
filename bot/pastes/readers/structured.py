"""Lines of structured logging, JSON and logfmt, unpacked into the message and the stack they carry."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.pastes.readers.expressions import Expression


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a structured log as lines of text; `level` in upper case."""

    lines: tuple[str, ...]
    level: str | None


def unpacked(line: str) -> Entry | None:
    """The entry in a line of JSON or logfmt; None where it is neither, or says nothing."""
    if line.startswith("{") and line.endswith("}"):
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            return None
        # A server's log whose error is told deeper inside, and in codes: its own reader (mongodb) takes the whole line.
        if not isinstance(document, dict) or isinstance(document.get("t"), dict):
            return None
        return _entry(document)
    if "=" not in line or (line.isascii() and not _LOGFMT.search(line)):
        return None
    fields = {key: value[1:-1].replace('\\"', '"') if value[:1] == '"' else value for key, value in _pairs(line)}
    return _entry(fields) if len(fields) > 1 and any(key in fields for key in _MESSAGES) else None


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for found in _PAIR.finditer(line):
        yield found.group(1), found.group(2)


def _entry(document: Mapping[str, Any]) -> Entry | None:
    fields = {key.lower(): value for key, value in document.items()}
    message = _first_text(fields, _MESSAGES)
    details = list(dict.fromkeys(_details(fields)))
    if message is None and not details:
        return None
    level = _level(fields)
    text = message or ""
    stack = next((each for each in details if "\n" in each.strip()), None)
    if stack is not None:
        # The stack says the message again, with its class.
        lines = [] if text and text in stack else text.splitlines()
        return Entry((*lines, *stack.splitlines()), level)
    short = [each for each in details if each not in text]
    words = ": ".join([text, *short]) if text else ": ".join(short or details)
    return Entry(tuple(words.splitlines()), level) if words.strip() else None


def _details(fields: Mapping[str, Any]) -> Iterator[str]:
    """What the entry says besides its message: stacks, and errors as text or as an object."""
    for key in _ERRORS:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            yield value
        elif isinstance(value, dict):
            yield from _error_text({name.lower(): part for name, part in value.items()})


def _error_text(error: Mapping[str, Any]) -> Iterator[str]:
    stack = _first_text(error, _STACKS)
    if stack is not None:
        yield stack
        return
    message = _first_text(error, _MESSAGES)
    name = _first_text(error, ("type", "class", "name", "kind"))
    if message is not None:
        yield f"{name}: {message}" if name and name not in message else message


def _first_text(fields: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((value for key in keys if isinstance(value := fields.get(key), str) and value.strip()), None)


def _level(fields: Mapping[str, Any]) -> str | None:
    for key in ("level", "severity", "lvl", "log.level", "levelname", "loglevel", "@l"):
        value = fields.get(key)
        if isinstance(value, str):
            return value.upper()
        # pino and bunyan count in tens
        if isinstance(value, int) and value in _NUMBERED:
            return _NUMBERED[value]
    return None


_MESSAGES = ("msg", "message", "event", "@m", "@message", "short_message", "log", "textpayload", "text")
_STACKS = ("stack", "stacktrace", "stack_trace", "extendedstacktrace", "backtrace")
_ERRORS = (
    *("stack", "stacktrace", "stack_trace", "error.stack", "error.stack_trace", "exc_info", "traceback", "exception"),
    *("@x", "thrown", "err", "error", "error.message", "cause", "reason"),
)
_NUMBERED = {10: "TRACE", 20: "DEBUG", 30: "INFO", 40: "WARN", 50: "ERROR", 60: "FATAL"}
_LOGFMT = Expression(r"(?:^|\s)(?:msg|message|level|lvl|err|error)=")
_PAIR = Expression(r'(?:^|\s)([A-Za-z_][\w.@-]{0,60})=("(?:[^"\\]|\\.)*"|[^\s"]\S*)')
