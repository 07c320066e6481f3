"""The form behind `/errata settings`, without a connection."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.cogs.settings_form import SettingsForm
from bot.locales.words import Words, languages
from bot.modes import Mode
from bot.store.guild_edits import Edit, channel_mode, cooldown, default_mode, helper_roles, language
from bot.store.guilds import GuildSettings
from tests.discord_standin.payloads import Payload, walk
from tests.discord_standin.spec import Spec


def settings(**changed: Any) -> GuildSettings:
    values: dict[str, Any] = {
        "guild_id": 1,
        "default_mode": None,
        "channel_modes": {},
        "helper_role_ids": frozenset(),
        "cooldown_seconds": None,
        "language": None,
        "muted_record_ids": frozenset(),
        "keeps_texts": False,
    }
    return GuildSettings(**values | changed)


def filled_in(now_set: GuildSettings, **values: Any) -> list[Edit]:
    """The edits of a form that was sent with these choices; discord.py puts them there when it comes back."""
    form = SettingsForm(now_set, Words.for_language("en"))
    for name, chosen in values.items():
        getattr(form, f"_{name}")._values = chosen
    return form.edits()


def ids(*numbers: int) -> list[SimpleNamespace]:
    return [SimpleNamespace(id=number) for number in numbers]


def options(form: SettingsForm) -> list[list[Payload]]:
    sent: Payload = form.to_dict()
    return [part["options"] for part in walk(sent["components"]) if "options" in part]


@pytest.mark.parametrize("tag", languages())
async def test_any_form_is_one_discord_takes(spec: Spec, tag: str) -> None:
    """D1: in every language, and with more roles set than a form can show."""
    now_set = settings(helper_role_ids=frozenset(range(10**17, 10**17 + 40)), cooldown_seconds=77, language=tag)

    sent = SettingsForm(now_set, Words.for_language(tag)).to_dict()

    assert spec.request("POST", "/interactions/1/x/callback", {"type": 9, "data": sent}) == []
    assert len(sent["title"]) <= 45
    assert len(sent["components"]) <= 5
    for label in sent["components"]:
        assert len(label["label"]) <= 45
        assert len(label["description"]) <= 100


async def test_what_is_set_is_chosen_already() -> None:
    """G7: the form shows what holds; a cooldown set by other means is among the choices."""
    form = SettingsForm(settings(cooldown_seconds=77, language="de"), Words.for_language("en"))

    chosen = [[option["value"] for option in each if option.get("default")] for each in options(form)]
    assert chosen == [[], ["77"], ["de"]]
    assert [[option["value"] for option in each if option.get("default")] for each in options(fresh_form())] == [
        [],
        ["default"],
        ["default"],
    ]


def fresh_form() -> SettingsForm:
    return SettingsForm(settings(), Words.for_language("en"))


async def test_a_mode_without_channels_is_the_servers() -> None:
    """The mode goes to the chosen channels; where none is chosen, to all without a mode of their own."""
    everywhere = filled_in(settings(), mode=["exact"])
    somewhere = filled_in(settings(), mode=["off"], channels=ids(5, 6))

    assert default_mode(Mode.EXACT) in everywhere
    assert [edit for edit in somewhere if "mode" in edit.name] == [channel_mode(5, Mode.OFF), channel_mode(6, Mode.OFF)]


async def test_channels_without_a_mode_change_nothing() -> None:
    """Who picks channels and forgets the mode switches nothing off."""
    assert filled_in(settings(), channels=ids(5)) == [helper_roles(frozenset())]


async def test_default_takes_a_setting_back() -> None:
    """G7: the first choice of each list is the way back to the default."""
    edits = filled_in(
        settings(cooldown_seconds=60, language="de"), mode=["default"], cooldown=["default"], language=["default"]
    )

    assert edits == [default_mode(None), helper_roles(frozenset()), cooldown(None), language(None)]


async def test_values_are_taken_as_chosen() -> None:
    """No cooldown at all is a choice, too, and another than the default."""
    edits = filled_in(settings(), roles=ids(7), cooldown=["0"], language=["de"])

    assert edits == [helper_roles(frozenset({7})), cooldown(0), language("de")]
