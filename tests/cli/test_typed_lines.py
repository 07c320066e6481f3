"""Pastes typed into a terminal and piped in."""

import os
import pty
import sys
import termios
from collections.abc import Callable, Iterator

import pytest

from bot.cli.typed_lines import LineReader, pastes, typed_pastes


def reader_of(descriptor: int) -> LineReader:
    return LineReader(descriptor, lambda line: line.decode("utf-8", "replace"))


def piped(data: bytes) -> Iterator[str | None]:
    """The pastes in a pipe that holds these bytes."""
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return pastes(reader_of(read), is_terminal=False)


@pytest.fixture
def typing() -> Iterator[tuple[int, Callable[[bytes], None]]]:
    """A terminal's descriptor, and somebody who types into it."""
    person, terminal = pty.openpty()
    attributes = termios.tcgetattr(terminal)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    yield terminal, lambda keys: (os.write(person, keys), None)[1]
    os.close(person)
    os.close(terminal)


def test_empty_lines_divide_what_is_piped_in() -> None:
    """Each block is a paste, however many empty lines there are and however the last line ends."""
    assert list(piped(b"\n\none\ntwo\r\n\n \n\nthree")) == ["one\ntwo", "three"]


def test_a_pipe_with_nothing_in_it_has_no_paste() -> None:
    """Neither nothing nor empty lines are a paste."""
    assert list(piped(b"")) == []
    assert list(piped(b"\n\n")) == []


def test_broken_bytes_are_replaced() -> None:
    """Bytes of another encoding do not end the reading (B2)."""
    assert list(piped(b"caf\xe9\n")) == ["caf\ufffd"]


def test_a_paste_with_empty_lines_in_it_is_one(typing: tuple[int, Callable[[bytes], None]]) -> None:
    """On a terminal, lines that arrive at once belong together, also behind an empty one."""
    terminal, press = typing
    typed = pastes(reader_of(terminal), is_terminal=True)
    press(b"Traceback\n\nValueError: x\n\n")

    assert next(typed) == "Traceback\n\nValueError: x"


def test_an_empty_line_ends_a_paste_and_then_the_conversation(typing: tuple[int, Callable[[bytes], None]]) -> None:
    """A lone empty line gives None, and so does Ctrl-D; the terminal can be read again after it."""
    terminal, press = typing
    typed = pastes(reader_of(terminal), is_terminal=True)

    press(b"one\n\n")
    assert next(typed) == "one"
    press(b"\n")
    assert next(typed) is None
    press(b"two\n\x04")
    assert next(typed) == "two"
    press(b"\x04")
    assert next(typed) is None


async def test_standard_input_is_read_by_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pastes come one by one, and the loop ends with the input."""
    read, write = os.pipe()
    os.write(write, b"one\n\ntwo\n")
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)

        assert [text async for text in typed_pastes()] == ["one", "two"]
