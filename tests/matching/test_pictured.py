"""What rests on text read from a picture."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering import Answering
from bot.matching.pictured import with_pictures
from bot.matching.reading import read
from bot.matching.verdict import Match, Quote, ReadFrom, Tier, Verdict
from bot.pastes.paste import Part, Paste
from bot.pastes.pictures import SURE
from tests.acceptance.invented import CATALOGUE, VALVE
from tests.acceptance.pipeline import fill, found_first, pipeline

UNSURE = SURE - 0.02
LINES = (
    "$ valvectl calibrate",
    "Traceback (most recent call last):",
    '  File "/home/ann/valvectl/actuators.py", line 88, in calibrate',
    "valvectl.errors.TorqueError: Actuator V-12 refused torque calibration",
)


def shot(lines: Iterable[str] = LINES, confidences: Iterable[float] = (0.99,) * 4) -> Part:
    return Part("\n".join(lines), "shot.png", confidences=tuple(confidences))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that knows the invented catalogue."""
    made = tmp_path_factory.mktemp("pictured")
    fill(made, CATALOGUE)
    return made


async def seen(answering: Answering, *parts: Part) -> Verdict:
    return await answering.explain(Paste(parts, asked=False))


async def test_a_sure_exact_match_may_be_posted_unasked(folder: Path) -> None:
    """F6: where every letter of the message was surely read, a screenshot is as good as its text."""
    async with pipeline(folder) as answering:
        verdict = await seen(answering, shot())

    assert found_first(verdict, VALVE)
    assert verdict.shown
    assert verdict.best is not None
    assert verdict.best.quote is not None
    assert verdict.best.quote.read_from is ReadFrom.PICTURE


async def test_an_unsure_line_is_shown_on_request_alone(folder: Path) -> None:
    """The gate: what may be misread is a card for who asked, marked as unsure, and nothing for who did not."""
    async with pipeline(folder) as answering:
        verdict = await seen(answering, shot(confidences=(0.99, 0.99, 0.99, UNSURE)))

    assert found_first(verdict, VALVE)
    assert not verdict.shown
    assert verdict.best is not None
    assert verdict.best.quote is not None
    assert verdict.best.quote.read_from is ReadFrom.PICTURE_UNSURELY


async def test_an_unsure_line_elsewhere_does_not_matter(folder: Path) -> None:
    """The prompt above the error may be as ornate as its owner likes."""
    async with pipeline(folder) as answering:
        verdict = await seen(answering, shot(confidences=(UNSURE, 0.99, 0.99, 0.99)))

    assert verdict.shown


async def test_a_wrapped_message_is_as_sure_as_each_of_its_lines(folder: Path) -> None:
    """B1: a message over two lines is found; one unsure half makes it unsure."""
    lines = ("valvectl.errors.TorqueError: Actuator V-12 refused tor", "que calibration")

    async with pipeline(folder) as answering:
        sure = await seen(answering, shot(lines, (0.99, 0.99)))
        half = await seen(answering, shot(lines, (0.99, UNSURE)))

    assert found_first(sure, VALVE)
    assert found_first(half, VALVE)
    assert (sure.shown, half.shown) == (True, False)


async def test_text_beside_a_picture_is_judged_as_text(folder: Path) -> None:
    """A screenshot that comes along takes nothing from what was pasted."""
    async with pipeline(folder) as answering:
        verdict = await seen(answering, Part("\n".join(LINES)), shot(("ok", "done"), (UNSURE, UNSURE)))

    assert verdict.shown
    assert verdict.best is not None
    assert verdict.best.quote is not None
    assert verdict.best.quote.read_from is ReadFrom.TEXT


def verdict_of(match: Match) -> Verdict:
    return Verdict((match,), (), is_error=True, why_error="", shown=True)


def test_a_guess_from_a_picture_is_never_posted_unasked() -> None:
    """What is near to misread letters is near to nothing; who asks sees the line the guess may rest on."""
    paste = Paste((Part("what is this?"), shot()), asked=False)

    verdict = with_pictures(verdict_of(Match("a" * 16, Tier.NEAREST, 0.9)), paste, read(paste))

    assert not verdict.shown
    assert verdict.matches[0].quote == Quote("Traceback (most recent call last):", 1, 2, read_from=ReadFrom.PICTURE)


def test_an_error_listed_as_related_is_not_posted_unasked() -> None:
    """Only a record's own message counts."""
    paste = Paste((shot(),), asked=False)
    match = Match("a" * 16, Tier.PATTERN, 0.9, quote=Quote(LINES[3], 0, 4), related=True)

    assert not with_pictures(verdict_of(match), paste, read(paste)).shown
    assert with_pictures(verdict_of(replace(match, related=False)), paste, read(paste)).shown


def test_without_pictures_nothing_changes() -> None:
    """Guesses from text have no quote, as before."""
    paste = Paste((Part("text"),), asked=False)
    verdict = verdict_of(Match("a" * 16, Tier.NEAREST, 0.9))

    assert with_pictures(verdict, paste, read(paste)) is verdict


def test_a_secret_in_a_picture_is_not_quoted() -> None:
    """F1: what is read is redacted like any other text."""
    paste = Paste((shot(("error: login failed, password=hunter2hunter2",), (0.99,)),))

    (match,) = with_pictures(verdict_of(Match("a" * 16, Tier.NEAREST, 0.9)), paste, read(paste)).matches

    assert match.quote is not None
    assert "hunter2" not in match.quote.line
    assert "login failed" in match.quote.line
