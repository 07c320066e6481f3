"""`errata status`: what is served."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from bot.cli.context import opened_parts, run_async, settings_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_json, print_text
from bot.version import installed_version


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata status --json")
    def status(
        context: typer.Context,
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Show the version, the catalogue with its size, the index, and what is missing."""
        raise typer.Exit(run_async(_status(context, as_json=as_json)))


async def _status(context: typer.Context, *, as_json: bool) -> ExitCode:
    from bot.indexing import indexed_version  # noqa: PLC0415

    settings = settings_of(context)
    async with opened_parts(settings) as parts:
        served = await parts.answering.status()
    facts: dict[str, Any] = {
        "errata": installed_version() or "from a checkout",
        "data_dir": str(settings.data_dir),
        "catalogue": asdict(served),
        "index_fits": indexed_version(settings.data_dir) == served.version,
        "token": settings.token is not None,
        "silenced": settings.is_silenced(),
        "default_mode": settings.default_mode.value,
    }
    if as_json:
        print_json(facts)
        return ExitCode.ANSWERED
    index = "fits the catalogue" if facts["index_fits"] else "is not built for this catalogue (`errata index`)"
    lines = (
        f"Errata {facts['errata']}",
        f"data        {facts['data_dir']}",
        f"catalogue   {served.version}: {served.records} records of {served.repositories} repositories",
        f"patterns    {served.patterns}, {served.refused} refused",
        f"index       {index}",
        f"token       {'set' if facts['token'] else 'none: `errata run` answers in the terminal'}",
        f"unasked     {'silenced' if facts['silenced'] else facts['default_mode']}",
        *((f"degraded    {served.degraded}",) if served.degraded else ()),
    )
    print_text("\n".join(lines) + "\n")
    return ExitCode.ANSWERED
