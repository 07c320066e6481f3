"""`errata import`: records into the store."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, say


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("import", epilog="Example: errata import records/ more.jsonl.gz")
    def import_(
        context: typer.Context,
        paths: Annotated[
            list[Path],
            typer.Argument(help="Files or folders: API records, page texts, ErrorEntry JSON, also gzipped JSON lines."),
        ],
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Add records to the store, or replace those of the same id.

        All of it or nothing: when anything is wrong, every problem is printed as `file: field: what was wrong`, and the
        store is as it was.
        """
        raise typer.Exit(run_async(_import(context, paths, as_json=as_json)))


async def _import(context: typer.Context, paths: list[Path], *, as_json: bool) -> ExitCode:
    from bot.assembly import opened_store  # noqa: PLC0415  # see bot.cli.main
    from bot.sources.errors import InvalidSource  # noqa: PLC0415
    from bot.sources.files import iter_entries  # noqa: PLC0415
    from bot.store.records import RecordStore  # noqa: PLC0415

    settings = settings_of(context)
    source = ", ".join(map(str, paths))
    async with opened_store(settings) as database:
        try:
            imported = await RecordStore(database).put(iter_entries(paths), source, datetime.now(UTC))
        except InvalidSource as invalid:
            if as_json:
                print_json({"imported": False, "problems": invalid.problems})
            for problem in invalid.problems:
                say(problem)
            say("Nothing was imported.")
            return ExitCode.BAD_INPUT
    done = {
        "imported": True,
        "added": imported.added,
        "changed": imported.changed,
        "unchanged": imported.unchanged,
        "catalogue": imported.version,
    }
    if as_json:
        print_json(done)
    else:
        print_text(
            f"{imported.added} records added, {imported.changed} changed, {imported.unchanged} unchanged; "
            f"the catalogue is now {imported.version}.\n"
        )
        if imported.added or imported.changed:
            say("Run `errata index` so that guesses know them too.")
    return ExitCode.ANSWERED
