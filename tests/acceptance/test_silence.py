"""A: silence, through the whole pipeline with the seeds and the invented catalogue."""

import asyncio
import itertools
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.answering import Answering
from bot.matching.verdict import Tier, Verdict
from embeddings.hashed_encoder import HashedEncoder
from embeddings.sentence_encoder import SentenceEncoder
from tests.acceptance import invented
from tests.acceptance.pipeline import asked, fill, pipeline, seed, seeds, seen

_WHO = ("I", "my friend", "the new guy", "our admin", "somebody on the forum", "she", "the bot", "the professor")
_WHAT = (
    "the server", "my build", "the login page", "this plugin", "the database", "docker", "my homework", "the installer",
    "the connection", "npm", "the gradient demo", "the burn example",
)  # fmt: skip
_SAID = (
    "{who} got an error from {what} again",
    "{what} failed {n} times today, {who} gave up",
    "no panic, {who} will look at {what} after lunch",
    "{who} expected {what} but got {n} cats instead",
    "the name of {what} is required, says {who}",
    "is {what} required for that? {who} thinks not",
    "expected {n} but got {m}, what is wrong with {what}?",
    "what does error {n} of {what} mean? asking for {who}",
    "{who} says: error, error, everywhere error",
    "why has {what} failed: nobody knows",
    "{what} is not found, where did {who} put it",
    "timeout again, {who} blames {what}",
    "something went wrong with {what} and {who} is sad",
    "ERROR in my brain: {what} not found, coffee required",
    "fatal mistake by {who}: never deploy {what} on a friday",
    "when {what} says failed, do you retry {n} times or ask {who}?",
    "exception: {who} may use {what}",
    "has {who} seen the warning of {what} about port {n}?",
    "{what} disconnected during lunch, reconnected after {n} minutes",
    "can {what} bind two ports? {who} needs {n}",
    "{who} wrote an error handler for {what}, it is {n} lines long",
    "HTTP {n} or JSON null, {what} always finds a way to surprise {who}",
    "a field is required",
    "expected pizza but got pasta",
    "to sync {what} or not to sync, says {who}",
    "GET or POST for {what}? {who} uses POST, got {n} and INFO lines",
)


def chatter(number: int) -> Iterator[str]:
    """So many different lines of developer chat."""
    rng = random.Random(17)
    made: set[str] = set()
    while len(made) < number:
        line = rng.choice(_SAID).format(
            who=rng.choice(_WHO), what=rng.choice(_WHAT), n=rng.randrange(1000), m=rng.randrange(1000)
        )
        line = rng.choice(
            (line, line.capitalize(), line.upper() if rng.random() < 0.2 else line, f"{line}!!", f"lol {line}")
        )
        if line not in made:
            made.add(line)
            yield line


async def shown_among(answering: Answering, lines: Iterator[str]) -> list[tuple[str, Verdict]]:
    """The lines that would be answered."""
    return [(line, verdict) for line in lines if (verdict := await seen(answering, line)).shown]


async def test_a1_ordinary_chat_is_never_answered(answering: Answering) -> None:
    """A1: 5,000 varied lines with error, failed, panic, expected … but got and is required in them; no reply."""
    assert await shown_among(answering, chatter(5_000)) == []


@pytest.mark.model
async def test_a1_ordinary_chat_is_never_answered_by_a_guess_of_the_model(filled: Path) -> None:
    """A1, with the model that ships: its guesses stay below what may be posted."""
    async with pipeline(filled, encoder=SentenceEncoder()) as answering:
        assert await shown_among(answering, chatter(600)) == []


@pytest.mark.parametrize(
    "line",
    [
        "ERROR Cannot find module 'left-pad'",
        "2026-01-01T12:00:00Z ERROR Cannot find module 'left-pad'",
        "WARN GET /x HTTP/1.1 500 NULL JSON: Error: Cannot find module 'left-pad'",
        "[ERROR] POST failed: Cannot find module 'left-pad'",
        "level=ERROR code=NULL msg=\"Cannot find module 'left-pad'\"",
    ],
)
async def test_a2_log_words_are_no_codes(answering: Answering, line: str) -> None:
    """A2: the module record is found although records have the codes ERROR, WARN, INFO, GET, POST, HTTP, JSON, NULL."""
    verdict = await asked(answering, line)

    assert verdict.best is not None
    assert verdict.best.record_id == invented.MODULE.id
    trapped = {record.id for record in invented.LOG_WORD_CODES}
    assert not trapped & {match.record_id for match in (*verdict.matches, *verdict.others)}


@pytest.mark.parametrize("word", ["ERROR", "WARN", "INFO", "GET", "POST", "HTTP", "JSON", "NULL"])
async def test_a2_a_log_word_alone_finds_nothing(answering: Answering, word: str) -> None:
    """A2: the word that is a record's code is no reason to show the record."""
    verdict = await seen(answering, f"2026-01-01 12:00:00 {word} something is going on: {word}")

    assert not verdict.shown
    assert not [match for match in verdict.matches if match.tier is Tier.PATTERN]


@pytest.mark.parametrize(
    "text",
    [
        "Error: name is required",
        "ValidationError: name is required",
        "TypeMismatch: expected 3 but got 4",
        "2026-01-01 12:00:00 ERROR failed: connection refused",
        'Traceback (most recent call last):\n  File "x.py", line 3, in a\nRuntimeError: not found',
        "Error: timeout",
        "Error: something went wrong",
        "npm ERR! something went wrong",
    ],
)
async def test_a3_weak_patterns_alone_cause_no_reply(answering: Answering, text: str) -> None:
    """A3: patterns with few letters and no rare word may be found, but nothing is posted because of them."""
    assert not (await seen(answering, text)).shown


GRADIENT = "Gradient sync server disconnected."
TORQUE = "Actuator north refused torque calibration"
LEDGER = "Posting 17 violates double-entry invariant of journal 4"


@pytest.mark.parametrize(
    "text",
    [
        f'if you see "{GRADIENT}" the worker thread has died before, look for an earlier panic',
        f"you probably got `{TORQUE}` because the motor was cold, that is what it says when it is below zero",
        f"`{GRADIENT}` means that the channel was closed",
        f"we fixed {GRADIENT} in the last release, please update and tell us whether it helps",
        f"> {GRADIENT}\nyour worker died first, look further up",
        f"> TorqueError: {TORQUE}\nwarm it up and try again",
        f"> thread 'main' panicked at crates/burn-backend/src/backend/distributed/client.rs:34:35:\n> {GRADIENT}\nthat is the worker",
        f'raise TorqueError("{TORQUE}")',
        f'            rx.recv().expect("{GRADIENT}")',
        f'throw new UnbalancedPostingException("{LEDGER}");',
        f'```python\ndef calibrate(self):\n    if self.cold:\n        raise TorqueError("{TORQUE}")\n    return True\n```',
        f'```rust\nlet msg = rx\n    .recv()\n    .expect("{GRADIENT}");\n```',
        f'const ERRORS = {{\n  gradient: "{GRADIENT}",\n  torque: "{TORQUE}",\n}};',
        f'// "{GRADIENT}" is printed when the worker dies\nfn main() {{}}',
        f'how do I test that my code prints "{TORQUE}" when the motor is cold?',
        f'test("prints it", () => {{\n  expect(run()).toThrow("{TORQUE}");\n}});',
        f"Changelog\n- fixed: {GRADIENT} was printed at every shutdown\n- new: colours",
    ],
)
async def test_a4_quotes_inline_code_and_source_code_cause_no_reply(answering: Answering, text: str) -> None:
    """A4: a helper quoting an error, a > quote, inline code in a sentence, and source code with the strings."""
    verdict = await seen(answering, text)

    assert not verdict.shown, verdict.matches


TENSION = "Mooring line tension exceeds breaking strength"
TWINS = (invented.TWIN_PYTHON, invented.TWIN_JAVA, invented.TWIN_JAVA_WINCH, invented.TWIN_CODED)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            f'Traceback (most recent call last):\n  File "/x/hawser/lines.py", line 16, in pull\nTensionError: {TENSION}',
            invented.TWIN_PYTHON,
        ),
        (
            f"org.twin.hawser.TensionException: {TENSION}\n\tat org.twin.hawser.Lines.pull(Lines.java:17)",
            invented.TWIN_JAVA,
        ),
        (
            f"org.twin.hawser.winch.WinchException: {TENSION}\n\tat org.twin.hawser.winch.Winch.pull(Winch.java:99)",
            invented.TWIN_JAVA_WINCH,
        ),
        (f"error HAWSER_E17: {TENSION}", invented.TWIN_CODED),
        (f"src/lines.c:19:3: error: {TENSION}", invented.TWIN_CODED),
    ],
)
async def test_a7_evidence_breaks_ties(answering: Answering, text: str, right: object) -> None:
    """A7, B12: of records with one message path, class or code name the one; it is one answer."""
    verdict = await asked(answering, text)

    assert verdict.best is not None
    assert verdict.best.record_id == right.id  # type: ignore[attr-defined]  # a record
    assert verdict.others == ()


async def test_a8_an_index_of_another_model_shows_nothing(tmp_path: Path) -> None:
    """A8: no thresholds were measured for it, so it is refused with a sentence, and the exact tier still answers."""
    async with pipeline(tmp_path, encoder=HashedEncoder()) as answering:
        guess = await asked(answering, "my burn client dies at start because the server hangs up")
        exact = await asked(answering, f"thread 'main' panicked at client.rs:34:35:\n{GRADIENT}")

    assert (guess.matches, guess.shown) == ((), False)
    assert "hashed-tokens" in (guess.degraded or "")
    assert exact.shown


@pytest.mark.parametrize(
    "text",
    [
        "An error occurred",
        "ERROR An unexpected error occurred, see the log for details",
        "2026-01-01 12:00:00 ERROR [main] Application run failed",
        'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\n    main()\nException',
        "thread 'main' panicked at src/main.rs:3:5:\nexplicit panic\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        'Exception in thread "main" java.lang.NullPointerException\n\tat org.acme.Main.main(Main.java:3)',
        "npm ERR! A complete log of this run can be found in: /home/ann/.npm/_logs/x.log",
        "goroutine 1 [running]:\nmain.main()\n\t/app/main.go:3 +0x1d\nexit status 2",
        "stack backtrace:\n   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n   2: core::result::unwrap_failed",
    ],
)
async def test_a9_what_every_log_holds_finds_nothing(answering: Answering, text: str) -> None:
    """A9: headers, frames and empty phrases are shared by all errors and are near none."""
    assert not (await seen(answering, text)).shown


@pytest.mark.model
@pytest.mark.parametrize(
    "text",
    [
        "thread 'main' panicked at src/main.rs:3:5:\nexplicit panic\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        "2026-01-01 12:00:00 ERROR [main] Application run failed",
        "An error occurred while connecting to the server, please try again",
    ],
)
async def test_a9_what_every_log_holds_is_near_nothing(filled: Path, text: str) -> None:
    """A9, with the model that ships."""
    async with pipeline(filled, encoder=SentenceEncoder()) as answering:
        assert not (await seen(answering, text)).shown


@pytest.mark.parametrize(
    ("marker", "right"),
    [
        ('Traceback (most recent call last):\n  File "x.py", line 3, in a\nRuntimeError: {}', invented.TWIN_PYTHON),
        ('Exception in thread "main" java.lang.RuntimeException: {}\n\tat org.acme.Main.main(Main.java:3)', None),
        ("x.c:3:5: error: {}", invented.TWIN_CODED),
    ],
)
async def test_a10_markers_weigh_against_other_ecosystems(answering: Answering, marker: str, right: object) -> None:
    """A10: with a Python traceback around it the Python record is first, with a Java trace a Java one."""
    verdict = await asked(answering, marker.format(TENSION))

    assert verdict.best is not None
    java = {invented.TWIN_JAVA.id, invented.TWIN_JAVA_WINCH.id}
    assert verdict.best.record_id in ({right.id} if right else java)  # type: ignore[attr-defined]  # a record


SAMPLES = (
    f"Error: {TENSION}",
    f"org.twin.hawser.TensionException: {TENSION}\n\tat org.twin.hawser.Lines.pull(Lines.java:17)",
    "ERROR Cannot find module 'left-pad'",
    f"thread 'main' panicked at src/x.rs:1:1:\n{GRADIENT}\n\n\n\nTorqueError: {TORQUE}\n\n\nError: name is required",
    "the channel of my gradient sync worker is gone at shutdown",
)


def _verdicts(order: list[int], folder: Path) -> list[Verdict]:
    entries = [*seeds(), *invented.CATALOGUE]
    fill(folder, [entries[number] for number in order])

    async def run() -> list[Verdict]:
        async with pipeline(folder) as answering:
            return [await asked(answering, text) for text in SAMPLES]

    return asyncio.run(run())


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.permutations(range(len(invented.CATALOGUE) + 3)))
def test_a11_the_order_of_records_changes_no_verdict(order: list[int]) -> None:
    """A11: stores filled in any order, and asked anew, give the same verdicts, reasons and figures included."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        assert _verdicts(order, Path(one)) == _verdicts(sorted(order), Path(other))


def test_a11_the_number_of_records_changes_no_pattern_verdict(tmp_path: Path) -> None:
    """A11: two thousand more records that do not match leave what the patterns find as it was."""
    more = [
        invented.invented(1000 + n, "fill/er", f"src/f{n}.go", f"filler {n} of the attic is dusty")
        for n in range(2_000)
    ]
    exact = SAMPLES[:4]

    async def run(folder: Path) -> list[Verdict]:
        async with pipeline(folder) as answering:
            return [await asked(answering, text) for text in exact]

    fill(tmp_path / "few", [*seeds(), *invented.CATALOGUE])
    fill(tmp_path / "many", list(itertools.chain(more, seeds(), invented.CATALOGUE)))
    assert asyncio.run(run(tmp_path / "few")) == asyncio.run(run(tmp_path / "many"))


@pytest.mark.model
async def test_a_question_about_servers_in_general_finds_nothing(tmp_path: Path) -> None:
    """What it must show 3: nothing is known about the best way to disconnect from a server."""
    async with pipeline(tmp_path, encoder=SentenceEncoder()) as answering:
        verdict = await asked(answering, "what's the best way to disconnect from a server?")

    assert (verdict.matches, verdict.shown) == ((), False)
    assert seed("initialization").id not in {match.record_id for match in verdict.matches}
