"""What can be wrong with the places records come from."""

from bot.errors import BotError


class InvalidSource(BotError):
    """What was to be read cannot be; each problem is a whole line, "file: field: what was wrong"."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
