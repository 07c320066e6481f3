"""Words every part of the stand-in shares: JSON payloads, snowflakes, flags and the errors the API answers with."""

import datetime as dt
import itertools
import time
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

Payload = dict[str, Any]  # a JSON object as it goes over the wire; the tests read and compare it as such

DISCORD_EPOCH_MS = 1_420_070_400_000

TEXT, DM, ANNOUNCEMENT, ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 5, 10, 11, 12, 15
THREAD_TYPES = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)


class MessageFlag(IntFlag):
    """Bits of a message's `flags`."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    HAS_SNAPSHOT = 1 << 14
    COMPONENTS_V2 = 1 << 15


class Intent(IntFlag):
    """Bits of IDENTIFY's `intents` that the stand-in knows."""

    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT


class ApiError(Exception):
    """The API refuses a request; `body` is Discord's error object.

    A `mistake` could have been known before asking, so it is a violation; a race or a missing permission is none.
    """

    def __init__(
        self, status: int, code: int, message: str, errors: Payload | None = None, *, mistake: bool = False
    ) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status, self.mistake = status, mistake
        self.body: Payload = {"code": code, "message": message}
        if errors:
            self.body["errors"] = errors


def form_error(path: str, code: str, message: str, *, mistake: bool = True) -> ApiError:
    """Discord's 50035 with one problem at `path`, whose parts are joined by dots."""
    node: Payload = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(path.split(".")):
        node = {part: node}
    return ApiError(400, 50035, "Invalid Form Body", node, mistake=mistake)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file somebody attaches, and how the CDN will misbehave about it.

    `declared_size` and `declared_type` are what the message says, by default the truth.
    `served_type` is the Content-Type of the download, `gone` makes it a 404,
    `seconds_per_chunk` is the wait before each of eight parts of it.
    """

    name: str
    data: bytes
    declared_type: str | None = "text/plain; charset=utf-8"
    declared_size: int | None = None
    served_type: str | None = None
    gone: bool = False
    seconds_per_chunk: float = 0.0


def text_file(name: str, text: str) -> Upload:
    """A UTF-8 text file as the Discord client uploads it."""
    return Upload(name, text.encode())


class Snowflakes:
    """Ids that never repeat and, without `at`, never go backwards."""

    def __init__(self) -> None:
        self._last = 0
        self._counter = itertools.count()

    def __call__(self, at: dt.datetime | None = None) -> str:
        """The next id; with `at` (aware), one whose timestamp is that moment."""
        if at is not None:
            return str(self._from_ms(at.timestamp() * 1000) | next(self._counter) & 0xFFF)
        self._last = max(self._last + 1, self._from_ms(time.time() * 1000))
        return str(self._last)

    @staticmethod
    def _from_ms(unix_ms: float) -> int:
        return (int(unix_ms) - DISCORD_EPOCH_MS) << 22


def timestamp(at: dt.datetime | None = None) -> str:
    """`at`, by default now, as the API writes it (ISO 8601, UTC)."""
    return (at or dt.datetime.now(dt.UTC)).isoformat()


def walk(components: list[Payload]) -> list[Payload]:
    """Every component of a message or modal, however deep, in reading order."""
    found: list[Payload] = []
    for component in components:
        found.append(component)
        nested = [*(component.get("components") or ())]
        nested += [component[key] for key in ("accessory", "component") if component.get(key)]
        found += walk(nested)
    return found


def visible_text(message: Payload) -> str:
    """What a person reads in a message: its content, then every text display."""
    parts = [message["content"], *(c["content"] for c in walk(message["components"]) if c["type"] == 10)]
    return "\n".join(part for part in parts if part)
