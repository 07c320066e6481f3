"""The chat gate: 104,000 lines of public support chat, each a message merely seen, with the shipped seeds."""

from pathlib import Path

import pytest

from bot.sources.seeds import shipped_seeds
from tests.benchmarks.chat_gate import CHAT, chat_lines, gate, opened, report
from tests.shared_data import shared_file


async def test_a1_no_line_of_real_chat_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A1: with the seeds the automatic path gives 0 replies to the whole chat, by patterns."""
    lines = chat_lines(shared_file(CHAT))

    async with opened(tmp_path, [shipped_seeds()], words=False) as matcher:
        found = await gate(matcher, lines)

    with capsys.disabled():
        print(f"\n{report(found, 0)}")
    assert found.lines > 100_000
    assert [reply.line for reply in found.replies] == []


async def test_a1_no_line_of_real_chat_is_answered_by_a_guess(tmp_path: Path) -> None:
    """A1: where there is no model, guesses by words alone stay silent on a sample of the chat as well."""
    lines = chat_lines(shared_file(CHAT))[::40]

    async with opened(tmp_path, [shipped_seeds()], words=True) as matcher:
        found = await gate(matcher, lines, words=True)

    assert [(reply.line, reply.match.record_id) for reply in found.replies] == []


async def test_the_gate_counts_what_it_should(tmp_path: Path) -> None:
    """A panic among chat is counted, so that a count of 0 means something."""
    panic = "thread 'main' panicked at 'Gradient sync server disconnected.', crates/burn-backend/src/backend/distributed/client.rs:34:35"

    async with opened(tmp_path, [shipped_seeds()], words=False) as matcher:
        found = await gate(matcher, ["good morning", panic, "it failed again"])

    assert (found.lines, found.hits, [reply.line for reply in found.replies]) == (3, 1, [panic])
    assert found.per_ten_thousand == pytest.approx(10_000 / 3)
