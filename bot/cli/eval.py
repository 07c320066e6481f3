"""`errata eval`: labelled pastes through the real matcher."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.context import opened_parts, run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, progress_bars, say

if TYPE_CHECKING:
    from bot.assembly import Parts
    from bot.evaluation.labelled import LabelledPaste
    from bot.evaluation.metrics import Figures
    from bot.evaluation.report import Circumstances
    from bot.evaluation.runner import Judged
    from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    pastes: Path
    catalogue: Sequence[Path]
    predictions: Path | None
    accept: Path | None
    compare: Path | None
    wrong: bool
    nearest: bool
    build_vectors: bool
    as_json: bool


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(
        "eval",
        epilog="Example: errata eval pastes.jsonl --catalogue records.jsonl.gz --wrong",
    )
    def eval_(  # noqa: PLR0917  # typer passes them by name
        context: typer.Context,
        pastes: Annotated[
            Path, typer.Argument(metavar="PASTES.jsonl", help="One paste a line: id, text, gold, acceptable, kind.")
        ],
        catalogue: Annotated[
            list[Path] | None,
            typer.Option(help="Files or folders of records to measure with, in place of the store; may be repeated."),
        ] = None,
        predictions: Annotated[
            Path | None, typer.Option(help="Write what was found into this file, as `ask --json` does, a line a paste.")
        ] = None,
        accept: Annotated[Path | None, typer.Option(help="Write the figures into this file, to compare with.")] = None,
        compare: Annotated[
            Path | None, typer.Option(help="Compare with accepted figures; ends with 1 where one got worse.")
        ] = None,
        *,
        wrong: Annotated[bool, typer.Option("--wrong", help="List the pastes it got wrong.")] = False,
        nearest: Annotated[bool, typer.Option(help="Ask the tier of guesses too.")] = True,
        build_vectors: Annotated[
            bool,
            typer.Option(
                "--build-vectors",
                help="Encode the messages of a large catalogue (about 5 minutes for 153,000) before measuring.",
            ),
        ] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Measure how labelled pastes are answered: recall, wrong answers, silence, by kind and by record."""
        options = Options(pastes, catalogue or (), predictions, accept, compare, wrong, nearest, build_vectors, as_json)
        raise typer.Exit(run_async(_eval(context, options)))


async def _eval(context: typer.Context, options: Options) -> ExitCode:
    from bot.cli import eval_report  # noqa: PLC0415  # see bot.cli.main
    from bot.evaluation.labelled import read_labelled  # noqa: PLC0415
    from bot.evaluation.metrics import figures  # noqa: PLC0415
    from bot.evaluation.report import accept, as_json  # noqa: PLC0415

    settings = settings_of(context)
    pastes = read_labelled(options.pastes)
    if options.catalogue:
        from bot.cli.eval_catalogue import settings_for  # noqa: PLC0415

        settings = await settings_for(options.catalogue, settings)
    judged, circumstances = await _measured(settings, pastes, options)
    counted = figures(judged)
    if options.nearest and circumstances.encoder is None:
        say("Guesses compared words alone; --build-vectors encodes the messages of this catalogue first.")
    if options.as_json:
        document = as_json(counted, circumstances)
        if options.wrong:
            document["wrong"] = [eval_report.wrong_json(one) for one in judged if not one.is_right]
        print_json(document)
    else:
        eval_report.print_figures(counted, circumstances)
        if options.wrong:
            eval_report.print_wrong(judged)
    if options.accept:
        accept(options.accept, counted, circumstances)
        say(f"{options.accept} holds these figures now.")
    return _compared(options.compare, counted, circumstances) if options.compare else ExitCode.ANSWERED


async def _measured(
    settings: "Settings", pastes: Sequence["LabelledPaste"], options: Options
) -> tuple[list["Judged"], "Circumstances"]:
    from bot.evaluation.report import Circumstances  # noqa: PLC0415  # see bot.cli.main
    from bot.evaluation.runner import judge  # noqa: PLC0415
    from bot.store.fact_source import StoredFacts  # noqa: PLC0415

    async with opened_parts(settings, guesses=options.nearest) as parts:
        if options.build_vectors:
            await _build_vectors(parts)
        wanted = sorted({record_id for paste in pastes for record_id in paste.right})
        known = await StoredFacts(parts.database).facts_of(wanted)
        with progress_bars() as progress:
            judged = await judge(
                pastes,
                parts.answering,
                known,
                at_once=settings.workers,
                progress=lambda done, total: progress("pastes", done, total),
            )
        status = await parts.answering.status()
        circumstances = Circumstances(
            catalogue=status.version,
            records=status.records,
            encoder=status.encoder if options.nearest else None,
            nearest=options.nearest,
        )
        if options.predictions:
            await _write_predictions(options.predictions, judged, parts, status.version)
    return judged, circumstances


async def _build_vectors(parts: "Parts") -> None:
    """The messages alone: meaning and triggers of a catalogue at its real scale would take an hour."""
    from bot.indexing import build  # noqa: PLC0415  # see bot.cli.main
    from embeddings.passage import Facet  # noqa: PLC0415
    from embeddings.sentence_encoder import SentenceEncoder  # noqa: PLC0415

    with progress_bars() as progress:
        await build(
            parts.database, parts.settings.data_dir, SentenceEncoder(), facets=(Facet.MESSAGE,), progress=progress
        )


async def _write_predictions(path: Path, judged: Sequence["Judged"], parts: "Parts", catalogue: str) -> None:
    from bot.cli.verdict_json import verdict_json  # noqa: PLC0415  # see bot.cli.main
    from bot.pastes.paste import Paste  # noqa: PLC0415

    with path.open("w", encoding="utf-8", newline="\n") as file:
        for one in judged:
            found = await verdict_json(one.verdict, parts.answering, catalogue, Paste.of_text(one.paste.text))
            file.write(json.dumps({"id": one.paste.id, **found}, ensure_ascii=False) + "\n")


def _compared(path: Path, counted: "Figures", circumstances: "Circumstances") -> ExitCode:
    from bot.evaluation.report import compare  # noqa: PLC0415  # see bot.cli.main

    comparison = compare(path, counted, circumstances)
    for line in comparison.better:
        say(f"better  {line}")
    for line in comparison.worse:
        say(f"worse   {line}")
    if comparison.better and not comparison.worse:
        say(f"Better than {path}: keep it with --accept {path}.")
    return ExitCode.NOTHING_KNOWN if comparison.worse else ExitCode.ANSWERED
