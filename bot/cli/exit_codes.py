"""What the process tells the shell when it ends."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command; those of a running bot stand in bot.cogs."""

    ANSWERED = 0  # an answer was shown, or the command did what it was told
    NOTHING_KNOWN = 1  # nothing documented was found; figures got worse (eval); something needs attention (check)
    BAD_INPUT = 2  # wrong use, or input or settings that cannot be used
    INTERNAL = 70  # a mistake of this program; sysexits.h calls it EX_SOFTWARE
    INTERRUPTED = 130  # Ctrl-C, as shells report it
