"""Commands as Discord gets them, registered only when they have changed."""

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot.cogs.administration import administration_commands
from bot.cogs.catalogue import catalogue_commands
from bot.cogs.lookup import lookup_commands
from bot.cogs.privacy import privacy_commands
from bot.cogs.translation import Translator
from bot.store.meta import MetaStore

logger = logging.getLogger(__name__)

_HASH = "commands_hash"

Command = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu


def all_commands() -> tuple[Command, ...]:
    """Every command of the bot, made anew."""
    return (*lookup_commands(), *administration_commands(), *catalogue_commands(), *privacy_commands())


async def payloads_of(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What Discord would be sent for a tree's global commands, translations included."""
    commands = [
        *tree.get_commands(type=discord.AppCommandType.chat_input),
        *tree.get_commands(type=discord.AppCommandType.message),
        *tree.get_commands(type=discord.AppCommandType.user),
    ]
    translator = tree.translator
    if translator is None:
        return [dict(command.to_dict(tree)) for command in commands]
    return [dict(await command.get_translated_payload(tree, translator)) for command in commands]


async def command_payloads() -> list[dict[str, Any]]:
    """What Discord is sent to register the commands; needs no connection."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    for command in all_commands():
        tree.add_command(command)
    await tree.set_translator(Translator())
    return await payloads_of(tree)


async def sync(tree: app_commands.CommandTree[Any], meta: MetaStore, application_id: int) -> bool:
    """Register the commands if they are not what they were the last time; tell whether that was done."""
    payloads = await payloads_of(tree)
    text = json.dumps([application_id, payloads], sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if await meta.get(_HASH) == digest:
        return False
    await tree.sync()
    await meta.set(_HASH, digest)
    logger.info("commands registered", extra={"commands": len(payloads)})
    return True
