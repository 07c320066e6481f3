"""What every piece of the Discord edge works with."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.assembly import Parts
from bot.settings import Settings
from bot.sources.pictures import PictureReader, opened_pictures
from bot.sources.safe_fetching import SafeFetcher, opened_fetcher


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Workbench:
    """The assembled parts, the clock, the way out to paste sites, and who reads pictures.

    `now` returns the moment in UTC.
    """

    parts: Parts
    now: Callable[[], datetime] = field(default=_now)
    open_fetcher: Callable[[], AbstractAsyncContextManager[SafeFetcher]] = field(default=opened_fetcher)
    open_pictures: Callable[[], AbstractAsyncContextManager[PictureReader]] = field(default=opened_pictures)

    @property
    def settings(self) -> Settings:
        return self.parts.settings
