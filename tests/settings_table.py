"""The table of settings in the README, made of the settings themselves."""

from dataclasses import dataclass
from typing import Any

from bot.settings import PREFIX, Settings


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting, as the README's table shows it."""

    variable: str
    key: str
    default: str
    description: str


def describe_settings() -> tuple[SettingLine, ...]:
    """All settings in their order: environment variable, TOML key, default in words, description."""
    return tuple(
        SettingLine(
            variable=f"{PREFIX}{name.upper()}",
            key=name,
            default=_default_in_words(name, field.default),
            description=field.description or "",
        )
        for name, field in Settings.model_fields.items()
    )


def _default_in_words(name: str, default: Any) -> str:
    if name == "data_dir":
        return "the platform's data folder"
    if default is None:
        return "none"
    if default == ():
        return "all"
    return str(default).lower() if isinstance(default, bool) else str(default)
