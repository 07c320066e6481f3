"""One interaction: what was asked, and everything the bot answered through its token."""

import asyncio
import time
from dataclasses import dataclass, field

from tests.discord_standin.payloads import ApiError, MessageFlag, Payload, form_error

TOKEN_SECONDS = 900.0
FOLLOWUPS_USER_INSTALLED = 5
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
_ALLOWED = {
    COMMAND: (REPLY, DEFER, MODAL),
    COMPONENT: (REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    MODAL_SUBMIT: (REPLY, DEFER, DEFER_UPDATE, UPDATE),
}


class NotOffered(AssertionError):
    """Discord's client would not let this person do this here."""


@dataclass(slots=True, eq=False)
class Interaction:
    """`callback` is the body of its first response, `original` the message that made or changed.

    `owners` is its authorizing_integration_owners; `created` is a monotonic time.
    """

    id: str
    token: str
    type: int
    user: Payload
    channel: Payload
    data: Payload
    owners: dict[str, str]
    message: Payload | None = None
    replies_private: bool = False  # the person may not use external apps here, so every reply is ephemeral
    created: float = field(default_factory=time.monotonic)
    callback: Payload | None = None
    original: Payload | None = None
    followups: list[Payload] = field(default_factory=list)
    acked: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def age_seconds(self) -> float:
        return time.monotonic() - self.created

    @property
    def ephemeral(self) -> bool:
        """Whether its first response is only for the person who asked."""
        asked = ((self.callback or {}).get("data") or {}).get("flags") or 0
        return self.replies_private or bool(asked & MessageFlag.EPHEMERAL)

    @property
    def thinking(self) -> bool:
        """Whether it is deferred and still shows "is thinking …"."""
        return self.original is not None and bool(self.original["flags"] & MessageFlag.LOADING)

    @property
    def modal(self) -> Payload:
        """The modal it was answered with."""
        modal: Payload = self._answered_with(MODAL)["data"]
        return modal

    @property
    def choices(self) -> list[Payload]:
        """The suggestions it was answered with."""
        choices: list[Payload] = (self._answered_with(CHOICES).get("data") or {}).get("choices") or []
        return choices

    @property
    def replies(self) -> list[Payload]:
        """Every message it made, the original first, placeholders left out."""
        first = [self.original] if self.original and not self.thinking and self.original is not self.message else []
        return first + self.followups

    def _answered_with(self, kind: int) -> Payload:
        assert self.callback is not None, "it was not answered"
        assert self.callback["type"] == kind, f"it was answered with {self.callback}"
        return self.callback

    def pass_time(self, seconds: float) -> None:
        """It was created so much longer ago."""
        self.created -= seconds

    def accept(self, body: Payload, deadline_seconds: float) -> None:
        """Take its first response. Raises Discord's 10062 when late, 40060 when second, 50035 when of the wrong kind."""
        if self.callback is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if self.age_seconds > deadline_seconds:
            raise ApiError(404, 10062, "Unknown interaction")
        fits = body["type"] in _ALLOWED[self.type]
        if not fits or (body["type"] in (DEFER_UPDATE, UPDATE) and self.message is None):
            raise form_error("type", "BASE_TYPE_CHOICES", f"Response type {body['type']} does not fit this interaction")

    def check_token(self) -> None:
        """Raise what webhook routes say about a token that is spent or not yet acknowledged."""
        if self.age_seconds > TOKEN_SECONDS:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        if self.callback is None:
            raise ApiError(404, 10015, "Unknown Webhook")

    def check_followups(self) -> None:
        """Raise Discord's 40094 for a sixth followup where the app is only installed by the person."""
        if "0" not in self.owners and len(self.followups) >= FOLLOWUPS_USER_INSTALLED:
            raise ApiError(400, 40094, "This interaction has reached its maximum number of follow up messages")
