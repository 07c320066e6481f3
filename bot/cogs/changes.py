"""Changes of settings in words."""

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot.cogs.card_markdown import inline_code, line
from bot.cogs.catalogue_text import name_text
from bot.locales.words import Words
from bot.modes import Mode
from bot.store.guilds import Change

_MOST = 20
_YES_OR_NO = frozenset({"muted", "keeps_texts", "reads_links", "reads_pictures", "deletes_secrets"})


def changes_view(changes: Sequence[Change], words: Words) -> ui.LayoutView:
    """Return what was changed, one line each."""
    lines = [f"- {change_text(change, words)}" for change in changes[:_MOST]]
    if len(changes) > _MOST:
        lines.append(f"-# {line(words('changes-more', count=len(changes) - _MOST))}")
    title = "changes-undone" if changes and changes[0].undoes is not None else "changes-title"
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("\n".join((f"**{words(title)}**", *lines))))
    return view


def change_text(change: Change, words: Words) -> str:
    """One change as Markdown; mentions of channels and roles in it are shown as names and ping nobody."""
    kind, _, subject = change.name.partition(":")
    value = value_text(kind, change.after, words)
    match kind:
        case "channel_mode":
            return f"<#{int(subject)}>: {value}"
        case "muted":
            return f"{line(words('changes-muted'))} `{subject}`: {value}"
        case "repository" | "family":
            return f"{line(words('changes-' + kind))} {name_text(subject)}: {value}"
        case _:
            return f"{line(words('changes-' + kind.replace('_', '-')))}: {value}"


def value_text(kind: str, value: Any, words: Words) -> str:
    """A setting's value; None is the default."""
    if kind in _YES_OR_NO:
        return line(words("changes-yes" if value else "changes-no"))
    if kind in {"repository", "family"}:
        return line(words("changes-seen" if value else "changes-not-chosen"))
    if kind == "link_hosts":
        return " ".join(map(inline_code, value)) if value else line(words("changes-none-of-them"))
    if value is None:
        return line(words("changes-default"))
    match kind:
        case "helper_roles":
            return " ".join(f"<@&{int(role_id)}>" for role_id in value)
        case "channel_mode" | "default_mode":
            text = mode_text(Mode(value), words)
        case "cooldown_seconds":
            text = duration_text(int(value), words)
        case "language":
            text = words(f"language-{value}")
        case _:
            text = str(value)
    return line(text)


def mode_text(mode: Mode, words: Words) -> str:
    """A mode in a few words."""
    return words(f"mode-{mode.value.replace('+', '-and-')}")


def duration_text(seconds: int, words: Words) -> str:
    """A length of time in whole hours, minutes or seconds, whichever divides it."""
    if seconds == 0:
        return words("duration-none")
    if seconds % 3600 == 0:
        return words("duration-hours", count=seconds // 3600)
    if seconds % 60 == 0:
        return words("duration-minutes", count=seconds // 60)
    return words("duration-seconds", count=seconds)
