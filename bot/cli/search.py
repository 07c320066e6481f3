"""`errata search`: records by words of their message."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.context import opened_parts, run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text, say, stdout

if TYPE_CHECKING:
    from bot.suggesting import Found


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata search server disconnected --repo tracel-ai/burn")
    def search(
        context: typer.Context,
        words: Annotated[list[str], typer.Argument(help="Words of the message, the code or the name.")],
        repo: Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Only records of this repository.")] = None,
        limit: Annotated[int, typer.Option(min=1, max=1000, help="How many records are shown at most.")] = 10,
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Search the documented errors. Ends with 1 where nothing is found."""
        raise typer.Exit(run_async(_search(context, " ".join(words), repo, limit, as_json=as_json)))


async def _search(context: typer.Context, words: str, repo: str | None, limit: int, *, as_json: bool) -> ExitCode:

    async with opened_parts(settings_of(context)) as parts:
        found = await parts.answering.search(words, repo=repo, limit=limit)
        version = await parts.records.version()
    if as_json:
        records = [{"id": one.record_id, "repo": one.repo, "slug": one.slug, "title": one.title} for one in found]
        print_json({"records": records, "catalogue": version})
    elif found:
        _print(found)
    else:
        say("No record holds these words.")
    return ExitCode.ANSWERED if found else ExitCode.NOTHING_KNOWN


def _print(found: Sequence["Found"]) -> None:
    from rich.table import Table  # noqa: PLC0415  # see bot.cli.main
    from rich.text import Text  # noqa: PLC0415

    from bot.answers.cleaning import clean_line  # noqa: PLC0415

    rows = [(one.record_id, clean_line(one.repo), clean_line(one.title)) for one in found]
    console = stdout()
    if not console.is_terminal:
        print_text("".join("\t".join(row) + "\n" for row in rows))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", no_wrap=True, style="cyan")
    table.add_column("repository", style="dim")
    table.add_column("error")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
