"""The part of `errata check` that asks Discord."""

from pathlib import Path

import pytest

from bot.cli import check_discord
from bot.cli.check_discord import discord_checks
from bot.cli.checking import Check, Outcome
from bot.settings import load_settings
from tests.discord_standin.fake_discord import FakeDiscord
from tests.discord_standin.payloads import Intent
from tests.discord_standin.permissions import Permission


async def checked(fake: FakeDiscord, data_dir: Path, *, token: str | None = None, **more: int) -> dict[str, Check]:
    """The checks by name."""
    settings = load_settings(data_dir=data_dir, api_base=fake.api_base, **more)
    return {check.name: check async for check in discord_checks(settings, token or fake.token)}


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_seconds: float) -> None:
        """Tests do not wait for a rate limit."""

    monkeypatch.setattr(check_discord, "_pause", at_once)


async def test_a_bot_that_is_set_up_well_passes(discord: FakeDiscord, tmp_path: Path) -> None:
    """Token, application, intent and the permissions in each server are all well."""
    discord.add_guild("support", bot_permissions=Permission.ADMINISTRATOR)

    checks = await checked(discord, tmp_path)

    assert {name: check.outcome for name, check in checks.items()} == dict.fromkeys(
        ("token", "application id", "intents", "server support"), Outcome.OK
    )
    assert checks["application id"].found == discord.world.app_id


async def test_a_wrong_token_is_told_with_what_to_do(discord: FakeDiscord, tmp_path: Path) -> None:
    """A refused token fails alone, says where the right one is, and is not repeated (F1)."""
    checks = await checked(discord, tmp_path, token="not.the.token")

    assert list(checks) == ["token"]
    assert checks["token"].outcome is Outcome.FAIL
    assert "Bot page" in checks["token"].to_do
    assert "not.the.token" not in str(checks)


async def test_a_missing_intent_is_told(discord: FakeDiscord, tmp_path: Path) -> None:
    """Without Message Content the check fails before the gateway does (E14)."""
    discord.gateway.privileged &= ~Intent.MESSAGE_CONTENT

    checks = await checked(discord, tmp_path)

    assert checks["intents"].outcome is Outcome.FAIL
    assert "Message Content Intent" in checks["intents"].to_do


async def test_another_application_is_told(discord: FakeDiscord, tmp_path: Path) -> None:
    """An id that is set and is not the token's is a mistake."""
    checks = await checked(discord, tmp_path, application_id=7)

    assert checks["application id"].outcome is Outcome.FAIL
    assert discord.world.app_id in checks["application id"].found


async def test_permissions_are_checked_in_each_server(discord: FakeDiscord, tmp_path: Path) -> None:
    """What is missing is named in words; in no server at all there is an address to invite the bot by."""
    alone = await checked(discord, tmp_path)
    guild = discord.add_guild("quiet", bot_permissions=Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY)
    discord.set_role(guild, guild["roles"][0], Permission.VIEW_CHANNEL)

    checks = await checked(discord, tmp_path)

    assert discord.world.app_id in alone["servers"].to_do
    assert checks["server quiet"].outcome is Outcome.WARN
    assert checks["server quiet"].found == "missing: send messages, send messages in threads, attach files"


async def test_a_rate_limit_is_waited_for(discord: FakeDiscord, tmp_path: Path) -> None:
    """A 429 and a 503 in between do not fail the check."""
    discord.faults.inject("GET", "/users/@me", status=429, body={}, headers={"Retry-After": "0.5"})
    discord.faults.inject("GET", "/applications/@me", status=503, body={})

    checks = await checked(discord, tmp_path)

    assert checks["token"].outcome is Outcome.OK
    assert checks["application id"].outcome is Outcome.OK


async def test_a_discord_out_of_reach_is_told(discord: FakeDiscord, tmp_path: Path) -> None:
    """Lasting failures and a refused connection are one line each."""
    discord.faults.inject("GET", "/users/@me", status=503, body={}, times=10)
    lasting = await checked(discord, tmp_path)
    nowhere = load_settings(data_dir=tmp_path, api_base="http://127.0.0.1:9")

    refused = [check async for check in discord_checks(nowhere, discord.token)]

    assert "503" in lasting["discord"].found
    assert [check.outcome for check in refused] == [Outcome.FAIL]
    assert "ERRATA_API_BASE" in refused[0].to_do
