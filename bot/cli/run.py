"""`errata run`: the bot on Discord, or the same bot in the terminal."""

import logging
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import typer

from bot.cli.context import opened_parts, run_async, settings_of, words_of
from bot.cli.output import say
from bot.memory import leave_alone_what_stays, return_large_blocks

if TYPE_CHECKING:
    from bot.settings import Settings

_IN_THE_TERMINAL = (
    "There is no token, so this is the bot in the terminal; for Discord set ERRATA_TOKEN to the token from the Bot "
    "page of your application at https://discord.com/developers/applications (in the environment or in .env)."
)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(epilog="Example: ERRATA_TOKEN=… errata run")
    def run(context: typer.Context) -> None:
        """Start the bot on Discord; without a token it answers here: paste, empty line, card, ask again.

        Without a terminal, what stands between empty lines on standard input are the pastes. The running bot ends with
        0 when it is stopped, 3 where Discord refuses the token, 4 where it refuses an intent, 5 where it refuses the
        bot otherwise.
        """
        settings = settings_of(context)
        if settings.token is None:
            raise typer.Exit(run_async(_converse(settings)))
        run_async(_serve(settings_of(context, log_to_terminal=True)))


async def _converse(settings: "Settings") -> int:
    say(_IN_THE_TERMINAL)
    async with opened_parts(settings) as parts:
        from bot.cli.conversation import converse  # noqa: PLC0415  # the running bot needs no rich

        return await converse(parts.answering, words_of(settings))


async def _serve(settings: "Settings") -> None:
    return_large_blocks()
    async with opened_parts(settings, in_background=True) as parts:
        from bot.cogs.client import run_bot  # noqa: PLC0415  # the terminal needs no discord.py
        from bot.upkeep import kept_fresh  # noqa: PLC0415  # nor anything of the network

        leave_alone_what_stays()
        async with kept_fresh(parts):
            code = await run_bot(parts)
    leave(int(code))


def leave(code: int) -> NoReturn:
    """End the process at once; whatever has to be closed is closed already, what is written is on its way.

    A thread that computes cannot be interrupted, and asyncio and the interpreter would wait for it: for seconds where
    an index is being opened or built. The files such a thread may be writing survive being killed.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
