"""The one place where what went wrong is told to people."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.cli.exit_codes import ExitCode
from bot.cli.output import say
from bot.errors import BotError
from embeddings.errors import EmbeddingsError

log = logging.getLogger(__name__)


@contextmanager
def told() -> Iterator[None]:
    """What leaves the block ends the process: our own errors as their sentence with BAD_INPUT, others as an incident.

    An incident's traceback is in the log alone; what people get is its number and where to look.
    """
    try:
        yield
    except* (BotError, EmbeddingsError) as group:
        for error in _leaves(group):
            say(str(error))
        raise SystemExit(ExitCode.BAD_INPUT) from None
    except* Exception as group:  # noqa: BLE001  # the edge: whatever it is, a person is told calmly
        _tell_incident(_leaves(group)[0])
        raise SystemExit(ExitCode.INTERNAL) from None


def _tell_incident(error: BaseException) -> None:
    from bot.logs import log_incident  # noqa: PLC0415  # what goes well needs no log

    path = _log_path()
    incident = log_incident(log, "a command failed", error)
    where = f"the log {path}" if path else "the log above"
    say(f"Something went wrong inside Errata; {where} has the details under incident {incident}.")


def _log_path() -> Path | None:
    """The file that the process logs into; one is chosen where it failed before it knew of any."""
    from bot.cli.log_file import FILE_NAME, LogFile  # noqa: PLC0415  # see above

    handlers = [handler for handler in logging.getLogger().handlers if isinstance(handler, logging.StreamHandler)]
    if not handlers:
        import platformdirs  # noqa: PLC0415

        from bot.logs import set_up_logging  # noqa: PLC0415
        from bot.settings import LogFormat, LogLevel  # noqa: PLC0415

        chosen = LogFile(Path(platformdirs.user_data_dir("errata")) / FILE_NAME, sys.stderr)
        set_up_logging(LogLevel.INFO, LogFormat.TEXT, stream=chosen)  # type: ignore[arg-type]  # see bot.cli.context
        return chosen.path
    return next((handler.stream.path for handler in handlers if isinstance(handler.stream, LogFile)), None)


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    leaves: list[BaseException] = []
    for error in group.exceptions:
        leaves += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return leaves
