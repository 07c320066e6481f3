"""`errata index`: everything that is derived from the records."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, progress_bars

if TYPE_CHECKING:
    from bot.indexing import Progress

NICENESS: Final = 10  # a core that both want goes to the answers nine times out of ten


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
        background: Annotated[
            bool,
            typer.Option(
                "--background", help="Leave the cores to others; end with the process that started this.", hidden=True
            ),
        ] = False,
    ) -> None:
        """Compile the patterns and bring the index of the nearest records up to date; only new texts are encoded.

        Messages come first: a running bot takes over the part that is done. A build that is stopped leaves the last
        finished part serving, and the next one goes on where it was.
        """
        raise typer.Exit(run_async(_index(context, words_only=words_only, as_json=as_json, background=background)))


@contextmanager
def background_progress() -> Iterator["Progress"]:
    """Low priority for this process; its progress shows nothing, and stops the work once whoever started it is gone."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    started_by = os.getppid()

    def go_on(_what: str, _done: int, _total: int) -> None:
        if os.getppid() != started_by:
            raise typer.Exit(ExitCode.INTERRUPTED)

    yield go_on


async def _index(context: typer.Context, *, words_only: bool, as_json: bool, background: bool) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415  # see bot.cli.main
    from bot.indexing import build, build_graph_if_large, patterns  # noqa: PLC0415
    from embeddings.sentence_encoder import SentenceEncoder  # noqa: PLC0415

    settings = settings_of(context)
    began = time.monotonic()
    with background_progress() if background else progress_bars() as progress:
        async with opened_store(settings) as database:
            compiled = await patterns(database, settings.data_dir, progress)
            encoder = None if words_only else SentenceEncoder(threads=1 if background else None)
            report = await build(database, settings.data_dir, encoder, progress=progress)
            await build_graph_if_large(settings.data_dir)
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
