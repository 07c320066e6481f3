"""The connection to Discord: what it hears goes to the listener, commands and buttons to their files.

Intents: guilds and their channels, messages in servers and in direct messages, and their content, which is privileged.
Nothing is kept of members or messages in memory. Nothing it sends can ping anybody.
"""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.assembly import Parts
from bot.cogs.buttons import CardButton
from bot.cogs.downloads import Downloads
from bot.cogs.exit_codes import ExitCode
from bot.cogs.flow import Flow
from bot.cogs.helpers import Helpers
from bot.cogs.incoming import Reader
from bot.cogs.leaks import LeakWarnings
from bot.cogs.linked import LinkReader
from bot.cogs.listener import Listener
from bot.cogs.posting import DiscordPoster
from bot.cogs.problems import say, tell, words_for
from bot.cogs.supervisor import IdentifyBudget, supervise
from bot.cogs.sync import all_commands, sync
from bot.cogs.translation import Translator
from bot.cogs.workbench import Workbench
from bot.errors import BotError
from bot.logs import log_incident
from bot.settings import Settings
from bot.sources.link_host_files import LinkHostFile
from bot.sources.linked_pastes import LinkedPastes
from bot.store.retention import purge
from bot.triage.desk import Desk

logger = logging.getLogger(__name__)

FINISH_SECONDS = 4.0
MOST_UNREADY = 3
# How discord.py names the tasks it handles events, commands, forms and buttons in.
_HANDLERS = ("discord.py: ", "CommandTree-invoker", "discord-ui-")
PURGE_EVERY = timedelta(hours=1)


class FirstConnectionFailed(ConnectionError):
    """The gateway could not be reached, so there is nothing to resume."""

    def __init__(self, shard_id: int) -> None:
        super().__init__(f"shard {shard_id} could not connect")
        self.shard_id = shard_id


class NeverReady(ConnectionError):
    """The gateway hangs up on every IDENTIFY; what for is unknown."""

    def __init__(self, shard_id: int | None) -> None:
        super().__init__(f"shard {shard_id} was hung up on {MOST_UNREADY} times before it was ready")
        self.shard_id = shard_id


def intents() -> discord.Intents:
    """What the bot asks Discord to tell it; only the content of messages is privileged."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = wanted.message_content = True
    return wanted


class Commands(app_commands.CommandTree["ErrataClient"]):
    """The commands, with one place for what goes wrong in them, and an ear for the switch that silences the bot."""

    async def interaction_check(self, interaction: discord.Interaction["ErrataClient"], /) -> bool:
        if not interaction.client.bench.settings.is_silenced():
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await say(interaction, words_for(interaction)("notice-silenced"))
        return False

    async def on_error(
        self, interaction: discord.Interaction["ErrataClient"], error: app_commands.AppCommandError, /
    ) -> None:
        name = interaction.command.qualified_name if interaction.command else "unknown"
        await tell(interaction, error, f"the command {name}")


class ErrataClient(discord.AutoShardedClient):
    """One connection; the supervisor makes another when this one has ended."""

    def __init__(self, bench: Workbench, budget: IdentifyBudget, **options: Any) -> None:
        super().__init__(
            intents=intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **options,
        )
        self.bench, self._budget = bench, budget
        self.tree = Commands(self)
        self.helpers = Helpers()
        self.poster = DiscordPoster(self, bench.now)
        self._began = bench.now()
        self._caught_up = self._finishing = False
        self._launched: set[int] = set()
        self._unready: dict[int | None, int] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None
        self._opened = contextlib.AsyncExitStack()
        self.reader: Reader
        self.listener: Listener
        self.leaks: LeakWarnings

    async def setup_hook(self) -> None:
        """Register commands and buttons; called once, between login and connection."""
        parts, settings = self.bench.parts, self.bench.settings
        self._session = aiohttp.ClientSession()
        pictures = await self._opened.enter_async_context(self.bench.open_pictures())
        downloads = Downloads(self._session, settings.cdn_base, settings.max_attachment_bytes, pictures=pictures)
        fetcher = await self._opened.enter_async_context(self.bench.open_fetcher())
        pastes = LinkedPastes(fetcher, settings.max_attachment_bytes)
        self._opened.callback(pastes.forget)
        links = LinkReader(pastes, LinkHostFile(settings.data_dir), settings.max_links)
        self.reader = Reader(downloads, settings.max_attachments, links)
        flow = Flow(
            answering=parts.answering,
            answers=parts.answers,
            guilds=parts.guilds,
            desk=Desk(parts.questions),
            poster=self.poster,
            settings=settings,
            now=self.bench.now,
        )
        self.leaks = LeakWarnings(self.poster, parts.guilds, settings, flow.is_gone, self.bench.now)
        self.listener = Listener(self, self.bench, flow, self.reader, self.helpers, leaks=self.leaks)
        self.add_dynamic_items(CardButton)
        for command in all_commands():
            self.tree.add_command(command)
        await self.tree.set_translator(Translator())
        assert self.application_id is not None  # login has asked for it
        await sync(self.tree, parts.meta, settings.application_id or self.application_id)

    async def before_identify_hook(
        self,
        shard_id: int | None,
        *,
        initial: bool = False,  # noqa: ARG002  # the signature is discord.py's
    ) -> None:
        """Wait for this bot's turn instead of discord.py's five seconds: restarts of the process count, too.

        Raises NeverReady when a shard identifies again and again without getting READY: aiohttp may lose the code a
        gateway hangs up with, and discord.py would then go on every five seconds.
        """
        unready = self._unready[shard_id] = self._unready.get(shard_id, 0) + 1
        if unready > MOST_UNREADY:
            raise NeverReady(shard_id)
        await self._budget.spend()

    async def on_shard_connect(self, shard_id: int) -> None:
        self._unready.pop(shard_id, None)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard, once: discord.py would try again every five seconds for ever, without slowing down.

        Raises FirstConnectionFailed when it tries a second time; the supervisor knows how long to wait.
        """
        if shard_id in self._launched:
            raise FirstConnectionFailed(shard_id)
        self._launched.add(shard_id)
        address = self.bench.settings.gateway_url
        await super().launch_shard(yarl.URL(address) if address else gateway, shard_id, initial=initial)

    async def finish(self) -> None:
        """Take nothing new, and bring what is being answered to an end within a few seconds."""
        self._finishing = True
        if hasattr(self, "listener"):
            await self.listener.finish(FINISH_SECONDS)
        await self._handlers_ended()

    async def _handlers_ended(self) -> None:
        """discord.py runs every event, command and button in a task of its own and waits for none of them."""
        own = asyncio.current_task()
        handlers = [one for one in asyncio.all_tasks() if one is not own and one.get_name().startswith(_HANDLERS)]
        if handlers:
            _, late = await asyncio.wait(handlers, timeout=FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def close(self) -> None:
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await super().close()
        await self._handlers_ended()  # of what was heard since `finish`
        if self._session is not None:
            await self._session.close()
        await self._opened.aclose()

    async def on_ready(self) -> None:
        """Finish what the last process left, and follow what happened unheard; a new session may have missed as much.

        Once: forget servers the bot was removed from meanwhile, and load the model.
        """
        logger.info("ready", extra={"guilds": len(self.guilds), "shards": self.shard_count})
        if self._finishing:
            return
        if self._caught_up:
            await self.listener.catch_up()
            return
        self._caught_up = True
        # Not before: importing the model's libraries takes the processor for seconds.
        self._in_background(self._keep_house(), "keep house")
        await self.listener.take_over(self._began)
        here = {guild.id for guild in self.guilds}
        for guild_id in await self.bench.parts.guilds.known():
            # An empty list would sooner be a fault than a bot removed everywhere.
            if here and guild_id not in here:
                await self._forget_guild(guild_id)
        await self.listener.catch_up()

    async def on_message(self, message: discord.Message) -> None:
        if not self._finishing:
            await self.listener.heard(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        if not self._finishing:
            await self.listener.edited(payload.message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        await self.listener.deleted([payload.message_id])

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        await self.listener.deleted(sorted(payload.message_ids))

    async def on_guild_channel_update(self, _before: object, after: discord.abc.GuildChannel) -> None:
        self.poster.forgive(after.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self._forget_guild(guild.id)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """What an event's handler let through ends here, whole in the log."""
        error = sys.exc_info()[1]
        if error is not None:
            log_incident(logger, f"{event_method} failed", error)

    async def _forget_guild(self, guild_id: int) -> None:
        await self.bench.parts.guilds.forget(guild_id)
        logger.info("everything kept of a server was removed", extra={"guild_id": guild_id})

    def _in_background(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _keep_house(self) -> None:
        """Load what the first answers need, then remove what has reached its age, every hour."""
        try:
            await self.bench.parts.answering.warm()
        except Exception as error:  # noqa: BLE001  # exact answers need none of it, and `status` shows what is missing
            log_incident(logger, "warming up failed", error)
        settings = self.bench.settings
        while True:
            try:
                purged = await purge(
                    self.bench.parts.database,
                    self.bench.now(),
                    answer_days=settings.answer_retention_days,
                    question_days=settings.question_retention_days,
                )
            except BotError as error:
                log_incident(logger, "old answers and questions could not be removed", error)
            else:
                logger.debug("purged", extra={"answers": purged.answers, "questions": purged.questions})
            await asyncio.sleep(PURGE_EVERY.total_seconds())


def aim(settings: Settings) -> None:
    """Point discord.py at the addresses that are set; it keeps them in its classes."""
    # Every start would warn of libraries for voice, which this bot has no use for.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    discord.http.Route.BASE = settings.api_base
    discord.asset.Asset.BASE = settings.cdn_base
    if settings.gateway_url:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


async def run_bot(parts: Parts) -> ExitCode:
    """Be on Discord until SIGTERM or SIGINT; return why it ended. `parts.settings` has a token.

    Raises ValueError without one.
    """
    settings = parts.settings
    if settings.token is None:
        raise ValueError("a bot needs a token")
    aim(settings)
    bench, budget = Workbench(parts), IdentifyBudget(parts.meta)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt there
            loop.add_signal_handler(number, stop.set)
    try:
        return await supervise(lambda: ErrataClient(bench, budget), settings.token.get_secret_value(), stop)
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(number)
