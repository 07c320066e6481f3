"""Cards in the terminal."""

import pytest

from bot.answers.details import compose_details
from bot.answers.plain_text import details_blocks
from bot.cli.answer import answer
from bot.cli.exit_codes import ExitCode
from bot.cli.look import show_blocks
from bot.cli.output import stdout
from bot.locales.words import Words
from bot.matching.verdict import Verdict
from bot.pastes.paste import Paste
from tests.cli.fake_answering import NOTHING, FakeAnswering
from tests.cli.golden_terminal import assert_golden
from tests.sample_entries import CAPTURED, EXACT, GRADIENT_SYNC, GUESS

WORDS = Words.for_language("en")
PASTE = Paste.of_text("thread 'main' panicked\nServer disconnected during initialization")
CASES = {"exact": EXACT, "guess": GUESS, "captures": CAPTURED, "nothing_known": NOTHING}


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output counts as a terminal of 80 columns with colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("name", "verdict"), CASES.items(), ids=CASES)
async def test_a_terminal_shows_what_it_did(name: str, verdict: Verdict, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal of 80 columns each outcome looks as its golden file does."""
    await answer(PASTE, FakeAnswering(verdict), WORDS)

    assert_golden(f"{name}.ansi", capsys.readouterr().out)


@pytest.mark.parametrize(("name", "verdict"), CASES.items(), ids=CASES)
async def test_a_pipe_gets_what_it_did(name: str, verdict: Verdict, capsys: pytest.CaptureFixture[str]) -> None:
    """Into a pipe go plain lines without colours, frames or wrapping, as in the golden file."""
    await answer(PASTE, FakeAnswering(verdict), WORDS)

    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert_golden(f"{name}.txt", shown)


@pytest.mark.usefixtures("terminal")
async def test_no_color_leaves_the_frames(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where NO_COLOR is set, nothing is coloured, and exact answer and guess still differ by frame and words."""
    monkeypatch.setenv("NO_COLOR", "1")

    await answer(PASTE, FakeAnswering(EXACT), WORDS)
    exact = capsys.readouterr().out
    await answer(PASTE, FakeAnswering(GUESS), WORDS)
    guess = capsys.readouterr().out

    assert not any(f"\x1b[{bold}3{colour}m" in exact + guess for colour in range(8) for bold in ("", "1;"))
    assert "┏" in exact
    assert "Exact match" in exact
    assert "┌╌" in guess
    assert "Best guess" in guess


@pytest.mark.parametrize(("verdict", "code"), [(EXACT, 0), (GUESS, 0), (NOTHING, 1)])
async def test_the_code_tells_whether_something_is_known(verdict: Verdict, code: int) -> None:
    """An answer gives 0, exact or guessed; nothing known gives 1."""
    assert await answer(PASTE, FakeAnswering(verdict), WORDS) is ExitCode(code)


async def test_more_shows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """With `more` the example fix, the triggers and the source excerpt stand below the card."""
    await answer(PASTE, FakeAnswering(GUESS), WORDS, more=True)

    shown = capsys.readouterr().out
    assert GRADIENT_SYNC.trigger_scenarios in shown
    assert "client.close(); // sends ActionMessage::Close" in shown
    assert "let mut server = DistributedSyncServer::new" in shown


async def test_what_is_degraded_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A tier that could not be asked is named on standard error, the answer stays as it is (E12)."""
    verdict = Verdict(EXACT.matches, (), is_error=True, why_error="", shown=True, degraded="there is no index")

    await answer(PASTE, FakeAnswering(verdict), WORDS)

    assert capsys.readouterr().err == "there is no index\n"


@pytest.mark.usefixtures("terminal")
def test_details_on_a_terminal_are_what_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    """Everything about a record looks as in the golden file."""
    show_blocks(stdout(), details_blocks(compose_details(GRADIENT_SYNC, WORDS), WORDS))

    assert_golden("show.ansi", capsys.readouterr().out)
