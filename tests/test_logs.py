"""Log lines: facts, no secrets, no pastes."""

import asyncio
import io
import json
import logging
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.logs import keep_out, log_incident, set_up_logging, without_quotations
from bot.settings import LogFormat, LogLevel

TOKEN = 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.Zn"Cjm1XVW7vRze4b7Cq4se7kKWs'  # invented, with a quote in it
PASTE = "my log:\nKeyError: 'a rather secret customer name'\n  at /home/alice/app.py:10\nshort"

logger = logging.getLogger("bot.test")


def fail(error: Exception, cause: Exception | None = None) -> None:
    raise error from cause


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """What pytest has set up for logging is as before."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def listen(form: LogFormat = LogFormat.TEXT, level: LogLevel = LogLevel.DEBUG) -> io.StringIO:
    stream = io.StringIO()
    set_up_logging(level, form, stream=stream, secret_values=(TOKEN,))
    return stream


def test_a_text_line_holds_the_facts() -> None:
    """Moment, level, logger, event, then facts as name=value, quoted where they need it."""
    lines = listen()

    logger.info("answered %s", "one", extra={"record": "abc", "seconds": 0.5, "why": "two words", "nothing": None})

    line = lines.getvalue().rstrip("\n")
    assert line.endswith('INFO    bot.test: answered one record=abc seconds=0.5 why="two words" nothing=None')
    assert line[10] == "T"


def test_a_json_line_is_one_object() -> None:
    """Facts keep their types; a fact cannot pass for the event."""
    lines = listen(LogFormat.JSON)

    logger.warning("slow", extra={"record": "abc", "seconds": 0.5, "at": "never", "logger": "other", "many": [1]})

    line = json.loads(lines.getvalue())
    assert (line["event"], line["level"], line["logger"]) == ("slow", "warning", "bot.test")
    assert (line["record"], line["seconds"], line["many"]) == ("abc", 0.5, "[1]")
    assert line["at"] != "never"


@pytest.mark.parametrize("form", list(LogFormat))
def test_the_token_is_removed_from_everywhere(form: LogFormat) -> None:
    """F1, E7: message, arguments, facts, and the traceback with its causes show no token."""
    lines = listen(form)

    try:
        fail(RuntimeError(repr(TOKEN)), ValueError(f"header {TOKEN}"))
    except RuntimeError:
        logger.exception("failed with %s and %r", TOKEN, {"token": TOKEN}, extra={"fact": TOKEN})

    told = lines.getvalue()
    assert "Cjm1XVW7vRze4b7Cq4se7kKWs" not in told
    assert "[removed]" in told
    assert "RuntimeError" in told


@pytest.mark.parametrize("form", list(LogFormat))
def test_no_line_of_a_paste_is_logged(form: LogFormat) -> None:
    """F1, F4: however a piece of the paste gets into a line, it is taken out; what is ours stays."""
    lines = listen(form)

    with keep_out(PASTE):
        try:
            fail(ValueError(f"cannot parse {PASTE[20:50]!r}"))
        except ValueError:
            logger.exception("reading %s", PASTE, extra={"text": PASTE, "paste_bytes": len(PASTE)})

    told = lines.getvalue()
    assert "secret" not in told
    assert "customer" not in told
    assert "alice" not in told
    assert "ValueError: cannot parse" in told
    assert str(len(PASTE)) in told


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_exception_keeps_it_out_wherever_it_is_logged(wrapped: bool) -> None:
    """F1, E7: the edge logs an error when the work on the paste has ended; the traceback holds nothing of it."""
    lines = listen()

    try:
        try:
            with keep_out(PASTE):
                fail(ValueError(f"cannot parse {PASTE[20:50]!r}"))
        except ValueError as error:
            if not wrapped:
                raise
            fail(ExceptionGroup("several", [RuntimeError("while answering"), error]), error)
    except Exception as error:  # noqa: BLE001 -- whatever it is, as at the edge
        log_incident(logger, "answering failed", error)
    logger.info("later: %s", PASTE[20:50])

    told, later = lines.getvalue().rsplit("later:", 1)
    assert "ValueError: cannot parse" in told
    assert "secret" not in told
    assert "customer" not in told
    assert "secret" in later


async def test_tasks_and_threads_keep_it_out_too_and_others_do_not_mix() -> None:
    """E4: what is kept out follows the work on one paste into tasks and threads, and ends with it."""
    lines = listen()

    async def work(text: str) -> None:
        with keep_out(text):
            await asyncio.sleep(0)
            await asyncio.to_thread(logger.info, "in a thread: %s", text)
            await asyncio.create_task(asyncio.to_thread(logger.info, "in a task: %s", text))

    await asyncio.gather(*(work(f"paste number {n} {n} {n} {n}") for n in range(5)))
    logger.info("paste number 1 1 1 1")

    told = lines.getvalue().splitlines()
    assert len(told) == 11
    assert all(line.endswith(": [removed]") for line in told[:10]), told
    assert told[10].endswith("paste number 1 1 1 1")


@given(
    paste=st.text("abc \n", min_size=11, max_size=80),
    before=st.text("xyz", max_size=20),
    after=st.text("xyz", max_size=20),
    data=st.data(),
)
def test_a_quotation_of_eleven_characters_is_found_wherever_it_stands(
    paste: str, before: str, after: str, data: st.DataObject
) -> None:
    """F1: any run of 11 and more characters of the paste is taken out; characters that are not of it stay."""
    start = data.draw(st.integers(0, len(paste) - 11))
    end = data.draw(st.integers(start + 11, len(paste)))

    assert without_quotations(before + paste[start:end] + after, paste) == f"{before}[removed]{after}"


@given(line=st.text("ab ", max_size=60), paste=st.text("ab ", max_size=60))
def test_no_run_is_left_that_both_hold(line: str, paste: str) -> None:
    """F1: after the removal no 11 characters of the line stand in the paste."""
    left = without_quotations(line, paste)

    for piece in left.split("[removed]"):
        assert not any(piece[place : place + 11] in paste for place in range(len(piece) - 10))


def test_a_paste_of_one_letter_costs_no_more_than_any_other() -> None:
    """E3: the search is linear, whatever is pasted; the quadratic way took eleven seconds for this."""
    start = time.perf_counter()

    assert without_quotations("a" * 8_000, "a" * 200_000) == "[removed]"
    assert time.perf_counter() - start < 2


def test_an_incident_has_an_id_and_the_whole_error() -> None:
    """E7: the id that people are told is in the log beside the traceback and the facts."""
    lines = listen(LogFormat.JSON)

    try:
        fail(KeyError("x"))
    except KeyError as error:
        incident = log_incident(logger, "answering failed", error, message_id=5)

    line = json.loads(lines.getvalue())
    assert (line["incident"], line["message_id"], line["level"]) == (incident, 5, "error")
    assert "KeyError: 'x'" in line["traceback"]
    assert "test_logs.py" in line["traceback"]
    assert len(incident) == 6
    assert not set(incident) & set("O0I1L")


def test_incidents_differ() -> None:
    """Of a thousand ids hardly two are the same."""
    listen()

    assert len({log_incident(logger, "x", ValueError()) for _ in range(1000)}) > 995


def test_a_message_cannot_pass_for_two_lines() -> None:
    """A line break in a message is written out, so nobody forges a log line."""
    lines = listen()

    logger.info("hello\n2026-01-01 ERROR forged", extra={"fact": "a\nb"})

    assert len(lines.getvalue().splitlines()) == 1


def test_chatty_libraries_do_not_log_events() -> None:
    """F1: at DEBUG discord.py writes whole messages and aiosqlite whole rows; they stay at their limits."""
    lines = listen(level=LogLevel.DEBUG)

    logging.getLogger("discord.gateway").debug("payload")
    logging.getLogger("aiosqlite").info("row")
    logging.getLogger("discord").warning("kept")

    assert [line.split(": ")[-1] for line in lines.getvalue().splitlines()] == ["kept"]


def test_setting_up_twice_logs_once() -> None:
    """The last set-up holds, in place of the one before."""
    listen()
    lines = listen(level=LogLevel.WARNING)

    logger.info("not this")
    logger.warning("this")

    assert len(lines.getvalue().splitlines()) == 1
