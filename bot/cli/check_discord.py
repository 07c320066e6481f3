"""What Discord itself says: is the token accepted, which intents are on, what may the bot do in each server."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
import discord

from bot.cli.checking import Check, fail, ok, warn
from bot.cogs.permissions import missing, missing_comforts
from bot.settings import Settings

_PORTAL = "https://discord.com/developers/applications"
# Bits of an application's flags: the intent as verified applications have it, and in its form for small ones.
_MESSAGE_CONTENT = (1 << 18) | (1 << 19)
_TIMEOUT_SECONDS = 15.0
_LONGEST_RETRY_SECONDS = 10.0
_ATTEMPTS = 3
_GUILDS_A_PAGE = 200  # Discord's own limit


class _Refused(Exception):
    """Discord answered with something else than what was asked for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status} {message}".strip())
        self.status = status


async def discord_checks(settings: Settings, token: str) -> AsyncIterator[Check]:
    """Each check when it is done. After a refused token or an unreachable Discord nothing else is asked."""
    timeout = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
    # Discord wants to know who asks.
    headers = {"Authorization": f"Bot {token}", "User-Agent": "DiscordBot (https://github.com/errata-bot, 0.1)"}
    try:
        async with aiohttp.ClientSession(timeout=timeout, headers=headers) as session:
            async for check in _checks(session, settings):
                yield check
    except _Refused as refused:
        if refused.status == 401:
            yield fail(
                "token", "Discord does not accept it", f"copy it anew from the Bot page at {_PORTAL} into ERRATA_TOKEN"
            )
        else:
            yield fail("discord", f"it answered {refused}", "try again later")
    except (aiohttp.ClientError, TimeoutError) as error:
        why = str(error) or type(error).__name__
        yield fail(
            "discord", f"{settings.api_base} cannot be reached ({why})", "look at the network and ERRATA_API_BASE"
        )


async def _checks(session: aiohttp.ClientSession, settings: Settings) -> AsyncIterator[Check]:
    user = await _get(session, settings, "/users/@me")
    yield ok("token", f"accepted, the bot is {user['username']}")
    application = await _get(session, settings, "/applications/@me")
    yield _application(application, settings)
    yield _intents(application)
    found = False
    async for guild in _guilds(session, settings):
        found = True
        yield _permissions(guild)
    if not found:
        yield warn(
            "servers",
            "the bot is in none",
            f"invite it: https://discord.com/oauth2/authorize?client_id={application['id']}",
        )


def _application(application: Mapping[str, Any], settings: Settings) -> Check:
    asked = settings.application_id
    if asked is not None and str(asked) != application["id"]:
        return fail(
            "application id",
            f"ERRATA_APPLICATION_ID is {asked}, the token belongs to {application['id']}",
            "remove ERRATA_APPLICATION_ID; Discord is asked then",
        )
    return ok("application id", str(application["id"]))


def _intents(application: Mapping[str, Any]) -> Check:
    if int(application.get("flags", 0)) & _MESSAGE_CONTENT:
        return ok("intents", "Message Content is on")
    return fail(
        "intents",
        "Message Content is off, so Discord refuses the connection",
        f"switch on Message Content Intent on the Bot page at {_PORTAL}",
    )


def _permissions(guild: Mapping[str, Any]) -> Check:
    name = f"server {guild['name']}"
    granted = discord.Permissions(int(guild.get("permissions", 0)))
    if granted.administrator:
        return ok(name, "the bot is an administrator")
    lacking = dict.fromkeys((*missing(granted, in_thread=False), *missing(granted, in_thread=True)))
    lacking |= dict.fromkeys(missing_comforts(granted))
    if not lacking:
        return ok(name, "all permissions are there; channels may still take some away")
    named = ", ".join(permission.replace("_", " ") for permission in lacking)
    return warn(name, f"missing: {named}", "grant them to the bot's role in the server's settings")


async def _guilds(session: aiohttp.ClientSession, settings: Settings) -> AsyncIterator[Mapping[str, Any]]:
    after = "0"
    while True:
        page = await _get(session, settings, f"/users/@me/guilds?limit={_GUILDS_A_PAGE}&after={after}")
        for guild in page:
            yield guild
        if len(page) < _GUILDS_A_PAGE:
            return
        after = page[-1]["id"]


async def _get(session: aiohttp.ClientSession, settings: Settings, path: str) -> Any:
    """The JSON answer. A rate limit is waited for where it is short; raises _Refused for any other answer."""
    for attempt in range(1, _ATTEMPTS + 1):
        async with session.get(f"{settings.api_base}{path}") as response:
            if response.status == 200:
                return await response.json()
            wait = float(response.headers.get("Retry-After", 1))
            again = response.status == 429 or response.status >= 500
            if not again or attempt == _ATTEMPTS or wait > _LONGEST_RETRY_SECONDS:
                raise _Refused(response.status, response.reason or "")
        await _pause(wait if response.status == 429 else attempt)
    raise AssertionError("the loop returns or raises")


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)
