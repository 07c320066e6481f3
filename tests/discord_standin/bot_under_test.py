"""A small bot that touches everything the stand-in offers; `python bot_under_test.py` runs it as a process."""

import asyncio
import os
import re
import signal
from typing import Any, Self

import discord
import yarl
from discord import app_commands

Click = discord.Interaction["Bot"]


class Vote(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"vote:(?P<answer>\d+):(?P<way>up|down)"):
    """A button that needs no memory of its message."""

    def __init__(self, answer: int, way: str) -> None:
        super().__init__(discord.ui.Button(label=way, custom_id=f"vote:{answer}:{way}"))
        self.answer, self.way = answer, way

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str]
    ) -> Self:
        return cls(int(match["answer"]), match["way"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        interaction.client.votes.append((self.answer, self.way))
        again = Card("Thanks", self.way)
        await interaction.response.send_message(view=again, ephemeral=True)


class Card(discord.ui.LayoutView):
    """A title, a text and two vote buttons."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__(timeout=None)
        parts = discord.ui.TextDisplay[Self](f"### {title}"), discord.ui.TextDisplay[Self](text)
        self.add_item(discord.ui.Container(*parts))
        row: discord.ui.ActionRow[Self] = discord.ui.ActionRow()
        row.add_item(Vote(7, "up"))
        row.add_item(Vote(7, "down"))
        self.add_item(row)


class Chooser(discord.ui.View):
    """One select of each kind that a message may hold."""

    @discord.ui.select(
        custom_id="fruit", options=[discord.SelectOption(label="Apple"), discord.SelectOption(label="Pear")]
    )
    async def fruit(self, interaction: Click, select: discord.ui.Select[Self]) -> None:
        await interaction.response.edit_message(content=f"fruit {select.values[0]}")

    @discord.ui.select(custom_id="where", cls=discord.ui.ChannelSelect)
    async def where(self, interaction: Click, select: discord.ui.ChannelSelect[Self]) -> None:
        await interaction.response.edit_message(content=f"where {select.values[0].name}")

    @discord.ui.select(custom_id="who", cls=discord.ui.UserSelect)
    async def who(self, interaction: Click, select: discord.ui.UserSelect[Self]) -> None:
        await interaction.response.edit_message(content=f"who {select.values[0].name}")


class Form(discord.ui.Modal, title="Settings"):
    """One of every kind of component a label may hold."""

    name = discord.ui.Label[Self](text="Name", component=discord.ui.TextInput(default="Ann", max_length=20))
    system = discord.ui.Label[Self](
        text="System",
        component=discord.ui.Select(
            options=[discord.SelectOption(label="Linux", default=True), discord.SelectOption(label="Mac")]
        ),
    )
    channels = discord.ui.Label[Self](text="Channels", component=discord.ui.ChannelSelect(required=False, max_values=5))
    helper = discord.ui.Label[Self](text="Helpers", component=discord.ui.RoleSelect(required=False))
    log = discord.ui.Label[Self](text="Log", component=discord.ui.FileUpload(required=False))

    async def on_submit(self, interaction: Click) -> None:  # type: ignore[override]  # our client, not any client
        uploads = [(await upload.read()).decode() for upload in _values(self.log)]
        told = [
            f"name={self.name.component.value}",  # type: ignore[attr-defined]  # a label's type forgets its component
            f"system={_values(self.system)}",
            f"channels={[channel.name for channel in _values(self.channels)]}",
            f"helpers={[role.name for role in _values(self.helper)]}",
            f"log={uploads}",
        ]
        await interaction.response.send_message("; ".join(told), ephemeral=True)


class Switches(discord.ui.Modal, title="Switches"):
    """The choices that are no selects."""

    mode = discord.ui.Label[Self](
        text="Mode",
        component=discord.ui.RadioGroup(
            options=[discord.RadioGroupOption(label="off"), discord.RadioGroupOption(label="on")]
        ),
    )
    kinds = discord.ui.Label[Self](
        text="Kinds",
        component=discord.ui.CheckboxGroup(
            options=[discord.CheckboxGroupOption(label="a"), discord.CheckboxGroupOption(label="b")], required=False
        ),
    )
    loud = discord.ui.Label[Self](text="Loud", component=discord.ui.Checkbox())

    async def on_submit(self, interaction: Click) -> None:  # type: ignore[override]  # our client, not any client
        mode, kinds, loud = (label.component for label in (self.mode, self.kinds, self.loud))
        told = f"mode={mode.value} kinds={sorted(kinds.values)} loud={loud.value}"  # type: ignore[attr-defined]  # as above
        await interaction.response.send_message(told, ephemeral=True)


def _values(label: discord.ui.Label[Any]) -> list[Any]:
    return list(label.component.values)  # type: ignore[attr-defined]  # a label's type forgets its component


def _commands(tree: app_commands.CommandTree["Bot"]) -> None:
    everywhere = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    anyone = app_commands.AppInstallationType(guild=True, user=True)
    group = app_commands.Group(name="error", description="Errors", allowed_contexts=everywhere, allowed_installs=anyone)
    admin = app_commands.Group(
        name="admin", description="Admin", default_permissions=discord.Permissions(manage_guild=True)
    )
    settings = app_commands.Group(name="settings", description="Settings", parent=admin)

    @group.command(description="Explain an error")
    async def explain(interaction: Click, text: app_commands.Range[str, 1, 4000]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send(view=Card("Answer", text[:100]), ephemeral=True)

    @group.command(description="Read a file")
    async def read(interaction: Click, file: discord.Attachment, whose: discord.User | None = None) -> None:
        text = (await file.read()).decode()
        name = whose.name if whose else "nobody"
        await interaction.response.send_message(f"{file.filename} of {name}: {text}")

    @group.command(description="Say a number of things")
    async def count(interaction: Click, times: int) -> None:
        await interaction.response.defer(ephemeral=True)
        for number in range(times):
            await interaction.followup.send(str(number), ephemeral=True)

    @explain.autocomplete("text")
    async def suggest(interaction: Click, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current}{n}", value=f"{current}{n}") for n in range(25)]

    @settings.command(description="Fill in a form")
    async def form(interaction: Click) -> None:
        await interaction.response.send_modal(Form())

    @settings.command(description="Flip switches")
    async def switches(interaction: Click) -> None:
        await interaction.response.send_modal(Switches())

    @settings.command(description="Which language is this")
    async def language(interaction: Click) -> None:
        may = discord.Permissions(interaction.app_permissions.value)
        await interaction.response.send_message(f"{interaction.locale} embeds={may.embed_links}", ephemeral=True)

    @tree.context_menu(name="Explain this error")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    async def menu(interaction: Click, message: discord.Message) -> None:
        await interaction.response.send_message(f"About: {message.content[:50]}", ephemeral=True)

    tree.add_command(group)
    tree.add_command(admin)


class Bot(discord.Client):
    """Answers `SomeError: text` with a card, `plain` with ok, and follows edits and deletes."""

    def __init__(self, *, content: bool = True, **more: Any) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=content)
        options: dict[str, Any] = {
            "allowed_mentions": discord.AllowedMentions.none(),
            "chunk_guilds_at_startup": False,
            "max_messages": None,
            "guild_ready_timeout": 0.02,
        }
        super().__init__(intents=intents, **(options | more))
        self.tree: app_commands.CommandTree[Bot] = app_commands.CommandTree(self)
        self.votes: list[tuple[int, str]] = []
        self.answers: dict[int, int] = {}
        self.events: list[str] = []
        self.seen: list[str] = []
        self.errors: list[int] = []

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Vote)
        _commands(self.tree)
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot or message.is_system():
            return
        texts = [message.content, *(snapshot.content for snapshot in message.message_snapshots)]
        for attachment in message.attachments:
            if (attachment.content_type or "").startswith("text/") and attachment.size < 1_000_000:
                try:
                    texts.append((await attachment.read()).decode(errors="replace"))
                except (discord.HTTPException, discord.NotFound) as error:
                    self.errors.append(error.status)
        text = "\n".join(texts)
        self.seen.append(text)
        try:
            await self._answer(message, text)
        except discord.HTTPException as error:
            self.errors.append(error.code)

    async def _answer(self, message: discord.Message, text: str) -> None:
        if text.startswith("thread please"):
            thread = await message.create_thread(name="Help")
            await thread.send("In here")
        elif text.startswith("echo "):
            await message.channel.send(text[5:], allowed_mentions=discord.AllowedMentions.all())
        elif text.startswith("plain"):
            await message.reply("ok")
        elif text.startswith("choose"):
            await message.channel.send("choose", view=Chooser(timeout=None))
        elif text.startswith("embed"):
            await message.channel.send(embed=discord.Embed(title="T"))
        elif text.startswith("file"):
            log = discord.File(__file__, filename="code.py")
            view = discord.ui.LayoutView()
            view.add_item(discord.ui.File(log))
            await message.channel.send(view=view, file=log)
        elif hit := re.search(r"(\w+Error): (.*)", text):
            reply = await message.reply(view=Card(hit[1], hit[2][:200]))
            self.answers[message.id] = reply.id

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        reply_id = self.answers.get(payload.message_id)
        if reply_id is not None and (hit := re.search(r"(\w+Error): (.*)", payload.message.content)):
            channel = self.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
            await channel.get_partial_message(reply_id).edit(view=Card(hit[1], hit[2]))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        if (reply_id := self.answers.pop(payload.message_id, None)) is not None:
            channel = self.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
            await channel.get_partial_message(reply_id).delete()

    async def on_ready(self) -> None:
        self.events.append("ready")

    async def on_resumed(self) -> None:
        self.events.append("resumed")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.events.append(f"left {guild.name}")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.events.append(f"joined {guild.name}")


async def main() -> None:
    """Run until SIGTERM, with the addresses the project's own entry point reads."""
    discord.http.Route.BASE = os.environ["ERRATA_API_BASE"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["ERRATA_GATEWAY_URL"])
    discord.asset.Asset.BASE = os.environ["ERRATA_CDN_BASE"]
    print("starting in", os.environ["ERRATA_DATA_DIR"], flush=True)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with Bot() as bot:
        running = asyncio.create_task(bot.start(os.environ["ERRATA_TOKEN"]))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    print("stopped", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
