"""What can be wrong with a document."""

from bot.errors import BotError


class InvalidRecord(BotError):
    """A document is not a record; each problem reads "field: what was wrong"."""

    def __init__(self, origin: str, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{origin}: {problem}" for problem in problems))
        self.origin, self.problems = origin, problems
