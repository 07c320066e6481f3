"""`errata check`: is everything as it must be before the bot is started?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.context import run_async, settings_of
from bot.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from bot.cli.checking import Check

SHARED_VARIABLE = "ERRATA_SHARED"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: errata check --api-description openapi.json")
    def check(
        context: typer.Context,
        api_description: Annotated[
            Path | None,
            typer.Option(
                metavar="FILE",
                help="Discord's openapi.json, to check the commands against (else that in ERRATA_SHARED).",
            ),
        ] = None,
        *,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Check settings, data, model and commands; with a token also what Discord says about it.

        Every line says what to do. Ends with 1 where something must be repaired, 2 where the settings cannot be read.
        """
        raise typer.Exit(run_async(_check(context, api_description, as_json=as_json)))


async def _check(context: typer.Context, api_description: Path | None, *, as_json: bool) -> ExitCode:
    from bot.cli.check_local import local_checks  # noqa: PLC0415  # see bot.cli.main
    from bot.cli.checking import Outcome, print_checks, warn  # noqa: PLC0415

    settings = settings_of(context)
    checks = [check async for check in local_checks(settings)]
    checks.append(await _commands(api_description or _shared_description()))
    if settings.token is None:
        checks.append(warn("token", "there is none", "set ERRATA_TOKEN; until then `errata run` answers here"))
    else:
        from bot.cli.check_discord import discord_checks  # noqa: PLC0415

        checks += [check async for check in discord_checks(settings, settings.token.get_secret_value())]
    print_checks(checks, as_json=as_json)
    failed = any(check.outcome is Outcome.FAIL for check in checks)
    return ExitCode.NOTHING_KNOWN if failed else ExitCode.ANSWERED


def _shared_description() -> Path | None:
    folder = os.environ.get(SHARED_VARIABLE)
    return Path(folder) / "discord" / "openapi.json" if folder else None


async def _commands(description: Path | None) -> "Check":
    from bot.cli.api_description import DescriptionUnusable, problems  # noqa: PLC0415  # see bot.cli.main
    from bot.cli.checking import fail, ok, warn  # noqa: PLC0415
    from bot.cogs.sync import command_payloads  # noqa: PLC0415

    commands = await command_payloads()
    if description is None:
        return warn("commands", f"{len(commands)}, not checked", "give Discord's openapi.json with --api-description")
    try:
        found = problems(description, commands)
    except DescriptionUnusable as error:
        return warn("commands", str(error), "give another file with --api-description")
    if found:
        return fail("commands", "; ".join(found), "this is a mistake in Errata, please report it")
    return ok("commands", f"{len(commands)} as Discord's API description wants them")
