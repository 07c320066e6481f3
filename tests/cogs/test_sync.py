"""Commands are registered once, in every language."""

from collections.abc import Callable

from bot.cogs.sync import command_payloads
from bot.locales.words import languages
from tests.cogs.conftest import Scene
from tests.discord_standin.aiming import aimed
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.limits import check_commands
from tests.discord_standin.payloads import Payload
from tests.discord_standin.spec import Spec


async def test_payloads_are_what_discord_allows(spec: Spec) -> None:
    """The commands fit Discord's description and its limits, without a connection."""
    payloads = await command_payloads()

    assert spec.request("PUT", "/applications/1/commands", payloads) == []
    check_commands(payloads)
    assert [command["name"] for command in payloads] == [
        "error",
        "errata",
        "catalogue",
        "privacy",
        "Explain this error",
    ]


async def test_every_name_and_description_is_translated() -> None:
    """Whatever a person reads of a command is there in each language of the interface."""
    other = set(languages()) - {"en"}

    def walk(command: Payload) -> None:
        assert set(command["name_localizations"]) == other
        if command.get("description"):
            assert set(command["description_localizations"]) == other
        for option in command.get("options") or []:
            walk(option)

    for command in await command_payloads():
        walk(command)


async def test_contexts_and_installs_are_said_for_every_command() -> None:
    """Asking works everywhere and for user installs; settings belong to servers."""
    by_name = {command["name"]: command for command in await command_payloads()}

    for name in ("error", "privacy", "Explain this error"):
        assert (by_name[name]["contexts"], by_name[name]["integration_types"]) == ([0, 1, 2], [0, 1])
    assert (by_name["errata"]["contexts"], by_name["errata"]["integration_types"]) == ([0], [0])
    assert by_name["errata"]["default_member_permissions"] is not None


async def test_unchanged_commands_are_not_registered_again(stage: Callable[..., Scene], discord: FakeDiscord) -> None:
    """Discord is told once; the next start finds the same hash."""
    scene = stage()
    with aimed(discord):
        for _ in range(2):
            async with scene.connected():
                assert discord.commands[None]

    assert len([call for call in discord.calls if call.method == "PUT"]) == 1
