"""With what the bot ends, and what to do about it."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The process's exit codes. 1 and 2 are left to Python and the shell: a crash, and wrong use."""

    STOPPED = 0
    BAD_TOKEN = 3
    MISSING_INTENT = 4
    REFUSED = 5

    @property
    def sentence(self) -> str:
        """What happened and what to do, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    ExitCode.STOPPED: "Stopped as asked.",
    ExitCode.BAD_TOKEN: (
        "Discord does not accept the token: copy it anew from the Bot page of your application at"
        " https://discord.com/developers/applications and set ERRATA_TOKEN to it."
    ),
    ExitCode.MISSING_INTENT: (
        "Discord refuses an intent this bot needs: switch on Message Content Intent on the Bot page of your application"
        " at https://discord.com/developers/applications, then start again."
    ),
    ExitCode.REFUSED: (
        "Discord's gateway refuses this bot as it is (sharding, API version or intents): install the newest Errata, and"
        " look into the log for the close code."
    ),
}
