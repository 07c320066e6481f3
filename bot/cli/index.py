"""`errata index`: everything that is derived from the records."""

import time
from typing import Annotated

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, progress_bars


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata index")
    def index(
        context: typer.Context,
        *,
        words_only: Annotated[
            bool, typer.Option("--words-only", help="Leave the model alone: guesses then compare words, not meaning.")
        ] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Compile the patterns and bring the index of the nearest records up to date; only new texts are encoded.

        A build that is stopped leaves the old index serving, and the next one goes on where it was.
        """
        raise typer.Exit(run_async(_index(context, words_only=words_only, as_json=as_json)))


async def _index(context: typer.Context, *, words_only: bool, as_json: bool) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415  # see bot.cli.main
    from bot.indexing import build, patterns  # noqa: PLC0415
    from embeddings.sentence_encoder import SentenceEncoder  # noqa: PLC0415

    settings = settings_of(context)
    began = time.monotonic()
    with progress_bars() as progress:
        async with opened_store(settings) as database:
            compiled = await patterns(database, settings.data_dir, progress)
            encoder = None if words_only else SentenceEncoder()
            report = await build(database, settings.data_dir, encoder, progress=progress)
    manifest = report.manifest
    done = {
        "catalogue": compiled.catalogue_version,
        "patterns": compiled.expressions,
        "refused": len(compiled.refused),
        "records": manifest.records,
        "encoded": report.encoded,
        "reused": report.reused,
        "unencoded": manifest.unencoded,
        "seconds": round(time.monotonic() - began, 1),
    }
    if as_json:
        print_json(done)
    else:
        print_text(
            f"{done['records']} records: {done['patterns']} patterns compiled, {done['refused']} refused; "
            f"{done['encoded']} texts encoded, {done['reused']} kept, {done['unencoded']} without a vector "
            f"({done['seconds']} s).\n"
        )
    return ExitCode.ANSWERED
