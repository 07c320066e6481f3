"""The form behind `/errata reading`: what is read besides messages, and what is done with texts and secrets."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.cogs.host_names import MOST_HOSTS, BadHost, TooManyHosts, hosts_in
from bot.cogs.problems import say, tell, words_for
from bot.locales.words import Words
from bot.store.guild_edits import Edit, deletes_secrets, keeps_texts, link_hosts, reads_links, reads_pictures
from bot.store.guilds import GuildSettings

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient

    Use = discord.Interaction[ErrataClient]

_HOSTS_LENGTH = 1000
_LINKS, _PICTURES, _SECRETS, _TEXTS = "links", "pictures", "secrets", "texts"


class ReadingForm(ui.Modal):
    """Shows what is read and done; what is left as it is stays so.

    reads_pictures: whether this bot has what it takes to read screenshots; where it has not, the form says so.
    """

    def __init__(self, now_set: GuildSettings, words: Words, *, reads_pictures: bool) -> None:
        super().__init__(title=words("form-reading-title"), timeout=900)
        reads = {_LINKS: now_set.reads_links, _PICTURES: now_set.reads_pictures}
        does = {_SECRETS: now_set.deletes_secrets, _TEXTS: now_set.keeps_texts}
        lacking = frozenset() if reads_pictures else frozenset({_PICTURES})
        self._reads: ui.CheckboxGroup[Any] = _boxes(reads, words, lacking)
        self._does: ui.CheckboxGroup[Any] = _boxes(does, words)
        self._hosts: ui.TextInput[Any] = ui.TextInput(
            required=False,
            max_length=_HOSTS_LENGTH,
            default=" ".join(now_set.link_hosts) or None,
            placeholder="paste.example.org",
        )
        for key, component in (("reads", self._reads), ("hosts", self._hosts), ("does", self._does)):
            described = words(f"form-reading-{key}-help")
            self.add_item(ui.Label(text=words(f"form-reading-{key}"), description=described, component=component))

    def edits(self) -> list[Edit]:
        """What was filled in. Raises BadHost and TooManyHosts."""
        return [
            reads_links(reads=_LINKS in self._reads.values),
            link_hosts(hosts_in(self._hosts.value)),
            reads_pictures(reads=_PICTURES in self._reads.values),
            deletes_secrets(deletes=_SECRETS in self._does.values),
            keeps_texts(keeps=_TEXTS in self._does.values),
        ]

    async def on_submit(self, interaction: "Use") -> None:  # type: ignore[override]  # our client, not any client
        from bot.cogs.administration import change, guild_of  # noqa: PLC0415  # the command opens the form, see there

        await interaction.response.defer(ephemeral=True, thinking=True)
        guild_of(interaction)
        words = words_for(interaction)
        try:
            edits = self.edits()
        except BadHost as bad:
            await say(interaction, words("notice-bad-host", host=bad.host))
        except TooManyHosts:
            await say(interaction, words("notice-too-many-hosts", most=MOST_HOSTS))
        else:
            await change(interaction, edits)

    async def on_error(self, interaction: "Use", error: Exception) -> None:  # type: ignore[override]  # as above
        await tell(interaction, error, "the reading form")


def _boxes(chosen: Mapping[str, bool], words: Words, lacking: frozenset[str] = frozenset()) -> "ui.CheckboxGroup[Any]":
    return ui.CheckboxGroup(
        required=False,
        options=[
            discord.CheckboxGroupOption(
                label=words(f"form-reading-{key}-box"),
                value=key,
                description=words(f"form-reading-{key}-{'lacking' if key in lacking else 'box-help'}"),
                default=is_chosen,
            )
            for key, is_chosen in chosen.items()
        ],
    )
