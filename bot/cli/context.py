"""What every command shares: the options before its name, the settings, the parts of the bot."""

import asyncio
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from bot.cli.output import progress_bars

if TYPE_CHECKING:
    from bot.assembly import Parts
    from bot.locales.words import Words
    from bot.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The options before the command's name; None where not given."""

    data_dir: Path | None = None
    language: str | None = None
    log_level: str | None = None


def settings_of(
    context: typer.Context, *, log_to_terminal: bool = False, catalogue: Sequence[str] | None = None
) -> "Settings":
    """The settings with the global options on top; from now on the process logs as they say.

    catalogue: the repositories that are looked at instead of those that are set; None or none leaves it at these.
    log_to_terminal: for the running bot, whose log is all one sees of it; by default the log is a file in the data
    folder. Raises SettingsError.
    """
    from bot.cli.log_file import FILE_NAME, LogFile  # noqa: PLC0415  # commands without settings start at once
    from bot.logs import set_up_logging  # noqa: PLC0415
    from bot.settings import load_settings  # noqa: PLC0415

    options = context.find_object(GlobalOptions) or GlobalOptions()
    settings = load_settings(
        data_dir=options.data_dir,
        language=options.language,
        log_level=options.log_level,
        catalogue=tuple(catalogue) if catalogue else None,
    )
    token = (settings.token.get_secret_value(),) if settings.token else ()
    stream = sys.stderr if log_to_terminal else LogFile(settings.data_dir / FILE_NAME, sys.stderr)
    # A LogFile has what a logging handler asks of a stream.
    set_up_logging(settings.log_level, settings.log_format, stream=stream, secret_values=token)  # type: ignore[arg-type]
    return settings


def words_of(settings: "Settings") -> "Words":
    """The words of the interface in the language that is set."""
    from bot.locales.words import Words  # noqa: PLC0415  # see above

    return Words.for_language(settings.language)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns. Ctrl-C ends it in order and then the process with INTERRUPTED."""
    return asyncio.run(work)


@asynccontextmanager
async def opened_parts(
    settings: "Settings", *, guesses: bool = True, in_background: bool = False
) -> AsyncIterator["Parts"]:
    """The parts of the bot; what had to be built first was shown as progress, which is gone now.

    guesses: without them the pattern tier answers alone. in_background: no question waits for an index to be built.
    """
    from bot.assembly import assembled  # noqa: PLC0415  # see above

    async with AsyncExitStack() as stack:
        with progress_bars() as progress:
            parts = await stack.enter_async_context(
                assembled(settings, progress=progress, guesses=guesses, in_background=in_background)
            )
        yield parts
