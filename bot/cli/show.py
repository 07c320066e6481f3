"""`errata show`: everything that is known about one record."""

from typing import Annotated

import typer

from bot.cli.context import opened_parts, run_async, settings_of, words_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, say, stdout


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata show tracel-ai/burn/gradient-sync-server-disconnected")
    def show(
        context: typer.Context,
        record: Annotated[
            str, typer.Argument(metavar="ID|OWNER/REPO/SLUG", help="Its id, its name, or the address of its page.")
        ],
        *,
        as_json: Annotated[
            bool, typer.Option("--json", help="Print the record as one JSON object, upstream's field names.")
        ] = False,
    ) -> None:
        """Show everything that is known about one documented error. Ends with 1 where there is no such record."""
        raise typer.Exit(run_async(_show(context, record, as_json=as_json)))


async def _show(context: typer.Context, reference: str, *, as_json: bool) -> ExitCode:
    from bot.answers.details import compose_details  # noqa: PLC0415  # see bot.cli.main
    from bot.answers.plain_text import details_blocks  # noqa: PLC0415
    from bot.cli.look import show_blocks  # noqa: PLC0415
    from bot.records.decode import encode_entry  # noqa: PLC0415

    settings = settings_of(context)
    async with opened_parts(settings) as parts:
        entry = await parts.answering.find(reference)
        article = await parts.answering.article(entry) if entry else None
    if entry is None:
        say(f"There is no record {reference}; `errata search` finds records by words of their message.")
        return ExitCode.NOTHING_KNOWN
    if as_json:
        print_json(encode_entry(entry))
    else:
        words = words_of(settings)
        show_blocks(stdout(), details_blocks(compose_details(entry, words, article=article), words))
    return ExitCode.ANSWERED
