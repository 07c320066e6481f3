"""The bot in the terminal."""

import os
import pty
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.cli.conversation import converse
from bot.cli.exit_codes import ExitCode
from bot.locales.words import Words
from tests.cli.fake_answering import NOTHING, FakeAnswering
from tests.sample_entries import EXACT, GRADIENT_SYNC, GUESS

WORDS = Words.for_language("en")


@contextmanager
def piped_in(text: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard input is a pipe that holds the text."""
    read, write = os.pipe()
    os.write(write, text)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield


@contextmanager
def typed(text: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard input is a terminal into which the text is typed."""
    person, terminal = pty.openpty()
    os.write(person, text)
    with os.fdopen(terminal, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield
    os.close(person)


async def test_each_block_of_a_pipe_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal every paste gets its answer, and the end of the input is the end, with 0."""
    answering = FakeAnswering(EXACT)
    with piped_in(b"one\ntwo\n\nthree\n", monkeypatch):
        code = await converse(answering, WORDS)

    assert code is ExitCode.ANSWERED
    assert [paste.parts[0].text for paste in answering.asked] == ["one\ntwo", "three"]
    assert capsys.readouterr().out.count("Exact match") == 2


async def test_a_terminal_is_asked_again_until_ctrl_d(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A paste, its card, "more" for everything about it, and Ctrl-D ends."""
    answering = FakeAnswering(GUESS)
    monkeypatch.setattr("bot.cli.typed_lines._PASTE_GAP_SECONDS", 0)
    with typed(b"boom\x04\x04more\x04\x04\x04", monkeypatch):
        code = await converse(answering, WORDS)

    said = capsys.readouterr()
    assert code is ExitCode.ANSWERED
    assert [paste.parts[0].text for paste in answering.asked] == ["boom", "boom"]
    assert said.out.count("Best guess") == 2
    assert said.out.count(GRADIENT_SYNC.trigger_scenarios) == 1
    assert "empty line" in said.err


async def test_nothing_known_ends_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A paste nobody knows is answered with a sentence, and the next one is read."""
    with piped_in(b"one\n\ntwo\n", monkeypatch):
        code = await converse(FakeAnswering(NOTHING), WORDS)

    assert code is ExitCode.ANSWERED
    assert capsys.readouterr().out.count("saw nothing that reads like an error") == 2
