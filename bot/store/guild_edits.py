"""What a guild can set: a name in the store for each setting, and the edit that gives it a value."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.modes import Mode

CHANNEL_MODE = "channel_mode:"
MUTED = "muted:"
KEEPS_TEXTS = "keeps_texts"
READS_LINKS = "reads_links"
LINK_HOSTS = "link_hosts"
READS_PICTURES = "reads_pictures"
DELETES_SECRETS = "deletes_secrets"
REPOSITORY = "repository:"
FAMILY = "family:"


@dataclass(frozen=True, slots=True)
class Edit:
    """One setting to be given a value; None takes it back to the default. Made by the functions below."""

    name: str
    value: str | int | bool | list[int] | list[str] | None


def default_mode(mode: Mode | None) -> Edit:
    """The mode of all channels that have none of their own."""
    return Edit("default_mode", mode.value if mode else None)


def channel_mode(channel_id: int, mode: Mode | None) -> Edit:
    """The mode of one channel, which its threads inherit."""
    return Edit(f"{CHANNEL_MODE}{channel_id}", mode.value if mode else None)


def helper_roles(role_ids: frozenset[int]) -> Edit:
    """The roles whose members are helpers."""
    return Edit("helper_roles", sorted(role_ids) or None)


def cooldown(seconds: int | None) -> Edit:
    """For how long one record is not posted to the same person or thread again. Raises ValueError below 0."""
    if seconds is not None and seconds < 0:
        raise ValueError("a cooldown cannot be negative")
    return Edit("cooldown_seconds", seconds)


def language(tag: str | None) -> Edit:
    """The language of the interface."""
    return Edit("language", tag)


def muted(record_id: str, *, is_muted: bool) -> Edit:
    """Whether a record is never shown here unasked."""
    return Edit(f"{MUTED}{record_id}", True if is_muted else None)


def keeps_texts(*, keeps: bool) -> Edit:
    """Whether redacted texts of unanswered questions may be kept; saying no removes those that were."""
    return Edit(KEEPS_TEXTS, True if keeps else None)


def reads_links(*, reads: bool) -> Edit:
    """Whether the texts behind links to paste sites are fetched."""
    return Edit(READS_LINKS, True if reads else None)


def link_hosts(hosts: Sequence[str]) -> Edit:
    """The guild's own paste hosts, host names in lower case without a port."""
    return Edit(LINK_HOSTS, list(hosts) or None)


def reads_pictures(*, reads: bool) -> Edit:
    """Whether text is read from screenshots."""
    return Edit(READS_PICTURES, True if reads else None)


def deletes_secrets(*, deletes: bool) -> Edit:
    """Whether a message that shows credentials is deleted, its redacted text offered back to its author."""
    return Edit(DELETES_SECRETS, True if deletes else None)


def repository(name: str, *, is_chosen: bool) -> Edit:
    """Whether the records of a repository (`owner/name`, as the catalogue spells it) belong to the guild's choice."""
    return Edit(f"{REPOSITORY}{name}", True if is_chosen else None)


def family(name: str, *, is_chosen: bool) -> Edit:
    """Whether a family of errors, of whatever repository, belongs to the guild's choice."""
    return Edit(f"{FAMILY}{name}", True if is_chosen else None)
