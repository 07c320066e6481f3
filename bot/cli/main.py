"""The `errata` command. Commands import what they need when they are called: the answer must not wait for torch."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import ask, catalogue, check, export, import_, index, read, search, show, status, sync
from bot.cli import eval as evaluation
from bot.cli import run as running
from bot.cli.context import GlobalOptions
from bot.cli.exit_codes import ExitCode
from bot.cli.failures import told
from bot.version import installed_version

app = typer.Typer(
    name="errata",
    help="Knows what errors mean: paste what your terminal printed, get the documented error, or silence.",
    epilog="Example: cargo run 2>&1 | errata ask      "
    "Exit codes: 0 answered or done, 1 nothing known, 2 wrong use or bad input, 70 internal failure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:  # typer's own signature
    if wanted:
        sys.stdout.write(f"errata {installed_version() or 'from a checkout'}\n")
        raise typer.Exit(ExitCode.ANSWERED)


@app.callback()
def options(
    context: typer.Context,
    data_dir: Annotated[
        Path | None, typer.Option(help="The folder of the database, the index and the log (else ERRATA_DATA_DIR).")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="The language of the interface, such as en or de (else ERRATA_LANGUAGE).")
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(
            help="debug, info, warning or error (else ERRATA_LOG_LEVEL). "
            "Commands log into errata.log in the data folder, a running bot on standard error."
        ),
    ] = None,
    *,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    context.obj = GlobalOptions(data_dir=data_dir, language=language, log_level=log_level)


for _register in (ask, read, show, search, index, import_, sync, export, catalogue, evaluation, running, status, check):
    _register.register(app)


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, by default that of the process, and end with one of ExitCode."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding gets a question mark for what it cannot show, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    with told():
        app(arguments, prog_name="errata")
