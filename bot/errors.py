"""The base of what this package raises on purpose."""


class BotError(Exception):
    """Something a person can be told in one sentence: the text of the exception."""
