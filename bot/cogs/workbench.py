"""What every piece of the Discord edge works with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.assembly import Parts
from bot.settings import Settings


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Workbench:
    """The assembled parts, and the clock. `now` returns the moment in UTC."""

    parts: Parts
    now: Callable[[], datetime] = field(default=_now)

    @property
    def settings(self) -> Settings:
        return self.parts.settings
