"""Log lines of facts: never a token, and never a word of what people pasted."""

import json
import logging
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from bot.settings import LogFormat, LogLevel

# These write every event and every SQL value at DEBUG, and with them what people wrote.
_TALKATIVE: Mapping[str, int] = {"discord": logging.INFO, "aiosqlite": logging.WARNING, "aiohttp": logging.INFO}

_LONGEST_LINE = 20_000
_REMOVED = "[removed]"
# No O, 0, I, 1, L: an incident's id is read aloud and typed.
_INCIDENT_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_INCIDENT_LENGTH = 6

# A run of this many characters that a line shares with a paste is taken for a quotation. Any run of 2n - 1 characters
# holds one of the paste's pieces of n whole, so looking at every n-th place of the paste is enough.
_PIECE = 6
_SHORTEST_QUOTATION = 2 * _PIECE - 1

# The attribute by which an exception tells what must be kept out of its traceback.
_CARRIED = "_kept_out_of_logs"
_kept_out: ContextVar[tuple[str, ...]] = ContextVar("kept_out", default=())
_PLAIN_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


@contextmanager
def keep_out(*texts: str) -> Iterator[None]:
    """Within the block, tasks and threads started in it included, no log line holds a piece of `texts`.

    An exception that leaves the block takes this along: wherever it is logged, its traceback holds none of them either.
    Pieces of fewer than 11 characters may remain; they are the words all texts share.
    """
    token = _kept_out.set((*_kept_out.get(), *texts))
    try:
        yield
    except BaseException as error:
        setattr(error, _CARRIED, (*getattr(error, _CARRIED, ()), *texts))
        raise
    finally:
        _kept_out.reset(token)


def set_up_logging(
    level: LogLevel, form: LogFormat, *, stream: TextIO | None = None, secret_values: tuple[str, ...] = ()
) -> None:
    """From now on the process logs to `stream` (by default standard error), in place of what was set up before.

    secret_values: what must never appear, the token above all.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    formatter: logging.Formatter = _JsonFormatter() if form is LogFormat.JSON else _TextFormatter()
    handler.setFormatter(_Discreet(formatter, secret_values))
    root = logging.getLogger()
    for old in tuple(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name, least in _TALKATIVE.items():
        logging.getLogger(name).setLevel(max(least, root.level))


def new_incident() -> str:
    """A short id, unlike others, that people can quote and `grep` can find."""
    return "".join(secrets.choice(_INCIDENT_LETTERS) for _ in range(_INCIDENT_LENGTH))


def log_incident(logger: logging.Logger, what: str, error: BaseException, **facts: object) -> str:
    """Log an unexpected error whole, with the returned id to tell people; what they are told is that id alone.

    facts: ids and counts that help to find the cause.
    """
    incident = new_incident()
    logger.error(what, exc_info=error, extra={"incident": incident, **facts})
    return incident


class _Discreet(logging.Formatter):
    """Takes secrets and quotations of pastes out of what another formatter made: message, facts and traceback alike."""

    def __init__(self, formatter: logging.Formatter, secret_values: tuple[str, ...]) -> None:
        super().__init__()
        self._formatter = formatter
        # Escaped forms too, for a secret inside a JSON line or a repr. The longest first: one may hold another.
        forms = {
            form for value in secret_values if value for form in (value, json.dumps(value)[1:-1], repr(value)[1:-1])
        }
        self._secrets = sorted(forms, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        with keep_out(*_carried_by(record.exc_info[1] if record.exc_info else None)):
            discreet = _without(record, self._clean)
        return self._clean_secrets(self._formatter.format(discreet))

    def _clean(self, text: str) -> str:
        text = self._clean_secrets(text)
        for kept_out in _kept_out.get():
            text = without_quotations(text, kept_out)
        return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"

    def _clean_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _REMOVED)
        return text


def without_quotations(line: str, paste: str) -> str:
    """The line with every run of 11 and more characters that `paste` holds too replaced, line by line of the paste.

    Takes about 20 ms for each megabyte of the paste.
    """
    if len(line) < _SHORTEST_QUOTATION or len(paste) < _SHORTEST_QUOTATION:
        # A paste this short is a word.
        return line
    pieces = {line[place : place + _PIECE] for place in range(len(line) - _PIECE + 1)}
    places: dict[str, list[int]] = {}
    for place in range(len(line) - _SHORTEST_QUOTATION + 1):
        places.setdefault(line[place : place + _SHORTEST_QUOTATION], []).append(place)
    covered = bytearray(len(line))
    for start in range(0, len(paste) - _PIECE + 1, _PIECE):
        if paste[start : start + _PIECE] not in pieces:
            continue
        for first in range(max(0, start - _PIECE + 1), start + 1):
            # Taken out once found, so that a paste of one letter costs no more than any other.
            for place in places.pop(paste[first : first + _SHORTEST_QUOTATION], ()):
                covered[place : place + _SHORTEST_QUOTATION] = b"\x01" * _SHORTEST_QUOTATION
    return _struck_out(line, covered)


def _struck_out(line: str, covered: bytearray) -> str:
    kept: list[str] = []
    place = 0
    while place < len(line):
        following = covered.find(b"\x00" if covered[place] else b"\x01", place)
        end = len(line) if following < 0 else following
        kept.append(_REMOVED if covered[place] else line[place:end])
        place = end
    return "".join(kept)


def _without(record: logging.LogRecord, clean: Any) -> logging.LogRecord:
    """A copy of a log record whose texts are cleaned, the traceback's included."""
    copy = logging.makeLogRecord(vars(record))
    copy.msg, copy.args = clean(record.getMessage()), None
    if record.exc_info and record.exc_info[0] is not None:
        copy.exc_text = clean(logging.Formatter().formatException(record.exc_info))
        copy.exc_info = None
    elif record.exc_text:
        copy.exc_text = clean(record.exc_text)
    for name, value in _facts(record).items():
        setattr(copy, name, value if value is None or isinstance(value, bool | int | float) else clean(str(value)))
    return copy


def _carried_by(error: BaseException | None) -> tuple[str, ...]:
    """What has to be kept out of an exception's traceback, and out of those of its causes shown with it."""
    texts: list[str] = []
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            texts += getattr(one, _CARRIED, ())
            waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return tuple(texts)


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    """What was handed over as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _PLAIN_ATTRIBUTES}


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class _TextFormatter(logging.Formatter):
    """`moment LEVEL logger: what name=value …`, and a traceback on the lines below."""

    def format(self, record: logging.LogRecord) -> str:
        facts = "".join(f" {name}={_one_line(value)}" for name, value in _facts(record).items())
        # One event, one line: a message cannot pretend to be another one.
        what = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
        line = f"{_moment(record)} {record.levelname:<7} {record.name}: {what}{facts}"
        return f"{line}\n{record.exc_text}" if record.exc_text else line


class _JsonFormatter(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `event`, the facts by name, and `traceback` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            **_facts(record),
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if record.exc_text:
            line["traceback"] = record.exc_text
        return json.dumps(line, ensure_ascii=False)


def _one_line(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(c.isspace() or c in '"=' for c in text) else text
