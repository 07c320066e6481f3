"""B: the same record in every form a paste takes, through the whole pipeline with patterns alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.answering import Answering
from bot.matching.facts import Facts
from bot.matching.verdict import Because, Reason, Tier
from bot.records.entry import Entry
from bot.records.placeholders import Placeholder
from bot.records.template import Literal, parse_template
from bot.sources.files import iter_entries
from bot.sources.seeds import shipped_seeds
from embeddings.sentence_encoder import SentenceEncoder
from tests.acceptance import invented
from tests.acceptance.disguises import LARGE_LOGS
from tests.acceptance.pipeline import asked, found_first, pipeline, seeds, seen
from tests.acceptance.printed import ENDPOINT, GRADIENT, INITIALISED, PRINTED


async def test_b1_a_record_is_first_at_the_tail_of_a_large_log(answering: Answering) -> None:
    """B1: 5 MB of other lines in front change neither the record nor that it is posted."""
    one = PRINTED["python"]

    verdict = await seen(answering, LARGE_LOGS["tail of 5 MB"](one.text))

    assert found_first(verdict, one.entry)
    assert verdict.shown


NEWER = "thread 'main' panicked at {path}:{line}:18:\n{message}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
NEWEST = "\nthread 'main' (4711) panicked at {path}:{line}:18:\n{message}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
OLDER = "thread 'main' panicked at '{message}', {path}:{line}:18\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
WORKER = "thread 'tokio-runtime-worker' panicked at /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/burn-0.20.1/{path}:{line}:18:\n{message}"
BEHIND = {
    "": "",
    "RecvError": ": RecvError",
    "Err": ': Err("RecvError")',
    "Custom": ': Custom { kind: AddrInUse, error: "address in use" }',
}


def in_a_log(printed: str, before: int = 120, after: int = 80) -> str:
    """What was printed, inside 200 lines of other log."""
    lines = [
        f"2026-01-01T12:{n // 60:02d}:{n % 60:02d}Z INFO burn_train: epoch {n} loss {1 / (n + 1):.4f}"
        for n in range(before + after)
    ]
    return "\n".join([*lines[:before], printed, *lines[before:]])


@pytest.mark.parametrize("entry", seeds(), ids=lambda entry: entry.id)
@pytest.mark.parametrize("header", [NEWER, NEWEST, OLDER, WORKER], ids=["new", "with thread id", "old", "in a worker"])
@pytest.mark.parametrize("behind", BEHIND.values(), ids=list(BEHIND))
async def test_each_seeds_panic_inside_a_log_is_posted(
    answering: Answering, entry: Entry, header: str, behind: str
) -> None:
    """What it must show 2: the panic of an old and a new toolchain among 200 lines: first, by pattern, posted unasked."""
    panic = header.format(path=entry.file_path, line=entry.line_number, message=entry.error_message + behind)

    verdict = await seen(answering, in_a_log(panic))

    assert found_first(verdict, entry)
    assert verdict.shown
    assert verdict.best is not None
    assert verdict.best.quote is not None
    assert entry.error_message in verdict.best.quote.line


@pytest.mark.parametrize("entry", seeds(), ids=lambda entry: entry.id)
async def test_a_panic_of_another_release_is_posted(answering: Answering, entry: Entry) -> None:
    """Releases move lines about; file and message still tell."""
    panic = NEWER.format(path=entry.file_path, line=999, message=entry.error_message)

    verdict = await seen(answering, in_a_log(panic))

    assert found_first(verdict, entry)
    assert verdict.shown


def related_errors() -> Iterator[tuple[Entry, str]]:
    """Each error a seed's page lists that is the own message of no seed."""
    own = {entry.error_message for entry in seeds()}
    for entry in seeds():
        for message in entry.related_errors:
            if message not in own:
                yield entry, message


def _as_printed(message: str) -> str:
    return "".join(piece.text if isinstance(piece, Literal) else "value7" for piece in parse_template(message))


@pytest.mark.parametrize(("entry", "message"), list(related_errors()))
async def test_a_seeds_related_errors_are_shown_on_request_and_marked(
    answering: Answering, entry: Entry, message: str
) -> None:
    """All three seeds are answered by their related errors too: on request only, and told that they are related."""
    verdict = await asked(answering, f"thread 'main' panicked at src/x.rs:1:1:\n{_as_printed(message)}")

    assert entry.id in {match.record_id for match in verdict.matches}
    assert all(match.related for match in verdict.matches)
    assert not verdict.shown


@pytest.mark.model
@pytest.mark.parametrize(
    ("sentence", "entry"),
    [
        (
            "my burn client dies right at start because the server hangs up before the handshake is answered",
            INITIALISED,
        ),
        ("gradients stop syncing at shutdown, worker thread says the channel is gone", GRADIENT),
        ("starting the burn remote server fails offline, the iroh endpoint won't bind", ENDPOINT),
    ],
)
async def test_a_described_symptom_is_guessed(tmp_path: Path, sentence: str, entry: Entry) -> None:
    """What it must show 2: three sentences without the message; the right seed is the first guess."""
    async with pipeline(tmp_path, encoder=SentenceEncoder()) as answering:
        verdict = await asked(answering, sentence)

    assert verdict.best is not None
    assert (verdict.best.record_id, verdict.best.tier) == (entry.id, Tier.NEAREST)


@pytest.mark.parametrize(
    ("printed", "entry"),
    [
        ("Ошибка: не удалось открыть шлюз север: превышено время ожидания", invented.NON_LATIN[0]),
        ("ОШИБКА: НЕ УДАЛОСЬ ОТКРЫТЬ ШЛЮЗ СЕВЕР: ПРЕВЫШЕНО ВРЕМЯ ОЖИДАНИЯ", invented.NON_LATIN[0]),
        ("RuntimeError: 水門北を開けませんでした:時間切れ", invented.NON_LATIN[1]),
        ("RuntimeError: 水門北を開けませんでした：時間切れ", invented.NON_LATIN[1]),
    ],
)
async def test_b8_messages_of_other_scripts_match(answering: Answering, printed: str, entry: Entry) -> None:
    """B8: in any case and width of their letters."""
    verdict = await seen(answering, printed)

    assert found_first(verdict, entry)
    assert verdict.shown


def _example(entry: Entry) -> str:
    """What a program prints from a record's message, with invented values."""
    values = iter(f"value{number}" for number in range(99))
    pieces = parse_template(entry.error_message)
    return "".join(next(values) if isinstance(piece, Placeholder) else piece.text for piece in pieces)


async def test_b9_every_shipped_record_has_an_example_that_reaches_it(tmp_path: Path) -> None:
    """B9: through the whole pipeline, over the shipped catalogue itself; records that cannot fire are listed."""
    shipped = list(iter_entries([shipped_seeds()]))

    async with pipeline(tmp_path) as answering:
        silent = [
            f"{entry.id} {entry.error_message}"
            for entry in shipped
            if not found_first(
                await seen(
                    answering, NEWER.format(path=entry.file_path, line=entry.line_number, message=_example(entry))
                ),
                entry,
            )
        ]
        status = await answering.status()

    assert (status.records, status.refused) == (len(shipped), 0)
    assert len(shipped) >= 3
    assert silent == []


@pytest.mark.parametrize(
    "prefix",
    [
        "1767225600.123 | E | ",
        "[E 260101 12:00:00 worker:17] ",
        "20260101-120000 !!! ",
        "<3>granary: ",
        "E0101 12:00:00.123456    4711 worker:17] ",
        "2026-01-01 12:00:00 | ERROR    | granary.worker:run:17 - ",
        "01/Jan/2026:12:00:00 +0000 err ",
        "ts=2026-01-01T12:00:00Z lvl=eror msg=",
        "12:00:00 PM  ERR  worker  ",
        "(granary) (worker) ⚠ ",
    ],
)
async def test_b10_a_format_nobody_knows_does_not_lose_the_match(answering: Answering, prefix: str) -> None:
    """B10: whatever stands in front of the message, the record is found."""
    lost = [
        name for name, one in PRINTED.items() if not found_first(await asked(answering, prefix + one.text), one.entry)
    ]

    assert lost == []


@pytest.mark.parametrize(
    ("evidence", "right"),
    [
        ('  File "/venv/hawser/lines.py", line 99, in pull', invented.TWIN_PYTHON),
        ("\tat org.twin.hawser.Lines.tighten(Lines.java:400)", invented.TWIN_JAVA),
        ("\tat org.twin.hawser.winch.Winch.turn(Winch.java:400)", invented.TWIN_JAVA_WINCH),
        ("hawser/src/lines.c:19: tighten", invented.TWIN_CODED),
    ],
)
async def test_b12_what_the_paste_names_decides_between_equal_messages(
    answering: Answering, evidence: str, right: Entry
) -> None:
    """B12: file, line, package, each alone, decide between records with the same message."""
    verdict = await asked(answering, f"Error: Mooring line tension exceeds breaking strength\n{evidence}")

    assert found_first(verdict, right)


async def test_a_verdict_says_why_it_is_this_record(answering: Answering) -> None:
    """The reasons name what in the paste made the choice."""
    verdict = await seen(
        answering,
        "thread 'main' panicked at crates/burn-remote/src/client/service.rs:179:18:\n" + INITIALISED.error_message,
    )

    assert verdict.best is not None
    assert Reason(Because.LINE_NAMED, "crates/burn-remote/src/client/service.rs:179") in verdict.best.reasons


def test_facts_hold_all_that_decides() -> None:
    """Every field by which twins of the invented catalogue differ is one that matching reads."""
    fields = set(Facts.__dataclass_fields__)

    assert {"file_path", "line_number", "error_class", "error_code", "http_status", "repo", "tags"} <= fields
