"""The bot in the terminal: paste, see the card, ask again."""

import asyncio
import logging
import sys

from bot.cli.answer import Knowledge, answer
from bot.cli.exit_codes import ExitCode
from bot.cli.output import print_text, say
from bot.cli.typed_lines import typed_pastes
from bot.locales.words import Words
from bot.logs import log_incident
from bot.pastes.paste import Paste

log = logging.getLogger(__name__)

_INVITATION = (
    "Paste what your program printed, then press Enter on an empty line. “more” tells everything, Ctrl-D ends."
)
_MORE = "more"


async def converse(answering: Knowledge, words: Words) -> ExitCode:
    """Answer pastes from standard input until it ends; on a terminal until an empty line or Ctrl-D without a paste.

    Without a terminal, pastes are what stands between empty lines. Returns ANSWERED however the answers turned out.
    """
    if not sys.stdin.isatty():
        async for text in typed_pastes():
            assert text is not None  # only a terminal gives None
            await answer(Paste.of_text(text), answering, words)
            print_text("\n")
        return ExitCode.ANSWERED
    warming = asyncio.create_task(_warm(answering))  # while somebody is still pasting
    say(_INVITATION)
    last: Paste | None = None
    try:
        async for text in typed_pastes():
            if text is None:
                break
            if text.strip().lower() == _MORE and last is not None:
                await answer(last, answering, words, more=True)
            else:
                last = Paste.of_text(text)
                await answer(last, answering, words)
            say("")
    finally:
        warming.cancel()
    return ExitCode.ANSWERED


async def _warm(answering: Knowledge) -> None:
    try:
        await answering.warm()
    except Exception as error:  # noqa: BLE001  # nobody asked for it yet; the first guess says what is missing
        log_incident(log, "warming up failed", error)
