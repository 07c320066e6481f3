"""What a server has settled about an answer: whether there is one, and in which language."""

from bot.answering import Answering
from bot.answers.answer import Answer
from bot.answers.compose import compose
from bot.cogs.manners import match_to_show
from bot.cogs.replies import Question
from bot.locales.words import Words
from bot.matching.scope import EVERYTHING, Scope
from bot.matching.verdict import Verdict
from bot.modes import Mode
from bot.settings import Settings
from bot.store.guilds import GuildSettings, GuildStore


class Rulings:
    """Applies a server's settings, asked for anew with each question: a change holds from the next message on."""

    def __init__(self, answering: Answering, guilds: GuildStore, settings: Settings) -> None:
        self._answering, self._guilds, self._settings = answering, guilds, settings

    async def guild(self, guild_id: int | None) -> GuildSettings | None:
        """What the server has set; None in direct messages."""
        return None if guild_id is None else await self._guilds.settings(guild_id)

    async def scope(self, guild_id: int | None) -> Scope:
        """What of the catalogue is looked at for people of a server; in direct messages all of it."""
        return EVERYTHING if guild_id is None else (await self._guilds.settings(guild_id)).scope

    def mode(self, question: Question, guild: GuildSettings | None) -> Mode:
        """How far the bot may go; in direct messages as far as it can."""
        if guild is None:
            return Mode.EXACT_AND_NEAREST
        return guild.mode_of(question.parent_id, self._settings.default_mode)

    def language(self, guild: GuildSettings | None) -> str:
        """The language of what everybody reads."""
        return (guild.language if guild else None) or self._settings.language

    async def card(
        self,
        question: Question,
        verdict: Verdict | None,
        guild: GuildSettings | None,
        *,
        asked: bool,
        language: str,
    ) -> Answer | None:
        """The card, or None where nothing may be shown."""
        if verdict is None:
            return None
        muted = guild.muted_record_ids if guild else ()
        match = match_to_show(verdict, self.mode(question, guild), muted, asked=asked)
        entry = await self._answering.entry(match.record_id) if match else None
        if entry is None:
            return None
        skipped = question.paste.skipped if asked else ()
        return compose(verdict, entry, Words.for_language(language), skipped)
