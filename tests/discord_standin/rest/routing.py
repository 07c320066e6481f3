"""How a route says which requests it answers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.discord_standin.payloads import Upload
from tests.discord_standin.stage import Stage


@dataclass(frozen=True, slots=True)
class Request:
    """One checked request; `part` gives the named parts of its path."""

    part: dict[str, str]
    query: dict[str, str]
    body: Any
    files: list[Upload]


Reply = tuple[int, Any]
Handler = Callable[[Stage, Request], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path template with the function that answers it."""

    method: str
    template: str
    pattern: re.Pattern[str]
    handler: Handler


class Routes(list[Route]):
    """The routes of one resource."""

    def on(self, method: str, template: str) -> Callable[[Handler], Handler]:
        """Register the decorated function for a method and a template such as /channels/{channel_id}."""

        def register(handler: Handler) -> Handler:
            pattern = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template) + "$")
            self.append(Route(method, template, pattern, handler))
            return handler

        return register
