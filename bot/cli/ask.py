"""`errata ask`: what does this error mean?"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.context import opened_parts, run_async, settings_of, words_of
from bot.cli.exit_codes import ExitCode
from bot.cli.output import say

if TYPE_CHECKING:
    from bot.pastes.paste import Paste


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(
        epilog='Examples: errata ask "Server disconnected during initialization" · errata ask build.log · '
        "cargo run 2>&1 | errata ask --json"
    )
    def ask(
        context: typer.Context,
        text: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="[TEXT|FILE|-]",
                help="The error, or a file that holds it, or - for standard input. "
                "Without it: what is piped in, or on a terminal a conversation.",
                show_default=False,
            ),
        ] = None,
        *,
        repo: Annotated[
            list[str] | None,
            typer.Option(metavar="OWNER/NAME", help="Only errors of this repository; may be given several times."),
        ] = None,
        more: Annotated[bool, typer.Option("--more", help="Show everything that is known, below the card.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Explain an error: the one documented error that was printed, or the nearest one, or that nothing is known.

        Ends with 0 where there is an answer, 1 where nothing is known, 2 where there is nothing to read.
        """
        argument = " ".join(text) if text else None
        raise typer.Exit(run_async(_ask(context, argument, repo or [], more=more, as_json=as_json)))


async def _ask(
    context: typer.Context, argument: str | None, repos: Sequence[str], *, more: bool, as_json: bool
) -> ExitCode:
    settings = settings_of(context, catalogue=repos)
    converses = argument is None and sys.stdin.isatty() and not as_json
    paste = None if converses else _given(argument)
    words = words_of(settings)
    if paste is not None and paste.is_empty:
        from bot.answers.silence import no_answer  # noqa: PLC0415

        say(no_answer(paste, None, words).text)
        return ExitCode.BAD_INPUT
    async with opened_parts(settings) as parts:
        if repos:
            from bot.suggesting import spelled_names  # noqa: PLC0415  # most questions are to all of them

            spelled_names(repos, list(await parts.records.repos()))
        if paste is None:
            from bot.cli.conversation import converse  # noqa: PLC0415

            return await converse(parts.answering, words)
        from bot.cli.answer import answer, answer_as_json  # noqa: PLC0415

        if as_json:
            return await answer_as_json(paste, parts.answering, (await parts.answering.status()).version)
        return await answer(paste, parts.answering, words, more=more)


def _given(argument: str | None) -> "Paste":
    from bot.cli.paste_input import paste_of_argument, paste_of_stream  # noqa: PLC0415

    if argument is None or argument == "-":
        return paste_of_stream(sys.stdin.buffer)
    return paste_of_argument(argument)
