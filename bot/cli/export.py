"""`errata export`: the catalogue as the static dataset that other bots and upstream's readers read."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, progress_bars, say

if TYPE_CHECKING:
    from bot.exporting import Exported


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata export public/data --repo tracel-ai/burn")
    def export(
        context: typer.Context,
        folder: Annotated[
            Path, typer.Argument(metavar="DIR", help="A folder that is new, empty, or an earlier export.")
        ],
        repo: Annotated[
            list[str] | None,
            typer.Option(metavar="OWNER/NAME", help="Only this repository; may be given several times."),
        ] = None,
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Write the catalogue as ErrLookup's static dataset; served as {base}/data, others can sync from it.

        All of it or nothing: an earlier export in DIR is replaced at once when the new one is whole.
        """
        raise typer.Exit(run_async(_export(context, folder, repo or [], as_json=as_json)))


async def _export(context: typer.Context, folder: Path, repos: Sequence[str], *, as_json: bool) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415  # see bot.cli.main
    from bot.exporting import export  # noqa: PLC0415

    settings = settings_of(context, catalogue=repos)
    with progress_bars() as progress:
        async with opened_store(settings) as database:
            exported = await export(database, folder, settings.catalogue, progress)
    if as_json:
        left_out = {"outlines": exported.outlines, "superseded": exported.superseded}
        print_json({**asdict(exported.written), "from_pages": exported.pages, "left_out": left_out})
    else:
        _print(exported)
    return ExitCode.ANSWERED


def _print(exported: "Exported") -> None:
    written = exported.written
    what = f"{written.records} records of {written.repositories} repositories and {written.articles} articles"
    said = "exported" if written.is_new else "nothing new"
    print_text(f"{said}: {what}, version {written.version}.\n")
    if exported.pages:
        say(f"{exported.pages} of them were made from pages; `errataDerived` in a record names what was derived.")
    if exported.outlines:
        say(f"{exported.outlines} known in compact form alone were left out; `errata sync` fetches them whole.")
    if exported.superseded:
        say(f"{exported.superseded} were left out whose address belongs to a later record.")
