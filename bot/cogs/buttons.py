"""The buttons of cards. Each knows everything it needs from its custom_id, so it works after any restart.

"More" and "Show" answer everybody, for their eyes only. "Helpful" and "Not my error" are votes. "Not my error" by the
asker, a helper or a moderator also puts the next candidate on the card, or takes the card away; "Dismiss" takes it
away, for those three alone.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.answers.answer import Answer as Card
from bot.answers.answer import Candidate
from bot.answers.compose import compose_candidate, compose_lookup
from bot.answers.details import compose_details
from bot.cogs.card import card, others_view
from bot.cogs.card_details import details_view
from bot.cogs.card_ids import TEMPLATE, Action, CardId
from bot.cogs.helpers import is_helper
from bot.cogs.problems import NotAllowed, say, tell, words_for
from bot.locales.words import Words
from bot.records.entry import Entry
from bot.store.answers import Answer, Withdrawal
from bot.store.feedback import Vote

if TYPE_CHECKING:
    from bot.cogs.client import ErrataClient  # the client registers these buttons

    Click = discord.Interaction[ErrataClient]


class CardButton(ui.DynamicItem[ui.Button[Any]], template=TEMPLATE):
    """Any of a card's buttons."""

    def __init__(self, card_id: CardId, label: str, style: discord.ButtonStyle) -> None:
        super().__init__(ui.Button(custom_id=str(card_id), label=label, style=style))
        self.card_id = card_id

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],  # noqa: ARG003  # the signature is discord.py's
        item: ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        button = item if isinstance(item, ui.Button) else ui.Button[Any]()
        return cls(CardId.parse(match.string), button.label or "?", button.style)

    async def callback(self, interaction: "Click") -> None:  # type: ignore[override]  # our client, not any client
        """Do what the button says; what goes wrong is told here, since discord.py would only log it."""
        if interaction.client.bench.settings.is_silenced():
            await say(interaction, words_for(interaction)("notice-silenced"))
            return
        try:
            await _ACTS[self.card_id.action](interaction, self.card_id)
        except Exception as error:  # noqa: BLE001  # the edge: logged with its number, told in one line
            await tell(interaction, error, f"the button {self.card_id.action.value}")


def card_button(card_id: CardId, label: str, style: discord.ButtonStyle) -> ui.Item[Any]:
    """Return a button that works for as long as its message stands."""
    return CardButton(card_id, label, style)


async def _more(interaction: "Click", card_id: CardId) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    entry = await _entry(interaction, card_id.record_id)
    if entry is None:
        return
    words = words_for(interaction)
    article = await interaction.client.bench.parts.answering.article(entry)
    view, files = details_view(compose_details(entry, words, article=article), words)
    await interaction.followup.send(view=view, files=files, ephemeral=True)


async def _show(interaction: "Click", card_id: CardId) -> None:
    """A further error's card; its own buttons vote on no message, so they carry no reference."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    entry = await _entry(interaction, card_id.record_id)
    if entry is None:
        return
    words = words_for(interaction)
    candidate = card_id.candidates[0] if card_id.candidates else None
    shown = compose_candidate(candidate, entry, words) if candidate else compose_lookup(entry, words)
    await interaction.followup.send(view=card(shown, words, 0, card_button), ephemeral=True)


async def _others(interaction: "Click", card_id: CardId) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    words = words_for(interaction)
    by_id = {candidate.record_id: candidate for candidate in card_id.candidates}
    entries = await interaction.client.bench.parts.answering.entries(list(by_id))
    answers = [compose_candidate(by_id[record_id], entry, words) for record_id, entry in entries.items()]
    if not answers:
        await say(interaction, words("notice-record-gone"))
        return
    await interaction.followup.send(view=others_view(answers, words, card_id.ref, card_button), ephemeral=True)


async def _helpful(interaction: "Click", card_id: CardId) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await _vote(interaction, card_id, Vote.HELPFUL)
    await say(interaction, words_for(interaction)("notice-thanks"))


async def _wrong(interaction: "Click", card_id: CardId) -> None:
    """Count the vote; who may also decide gets the next candidate, or the card is gone."""
    await interaction.response.defer()
    bench = interaction.client.bench
    await _vote(interaction, card_id, Vote.NOT_MINE)
    words = words_for(interaction)
    answer = await bench.parts.answers.of_question(card_id.ref) if card_id.ref else None
    if not await _may_decide(interaction, answer):
        await say(interaction, words("notice-vote-counted"))
        return
    shown = await _next(interaction, card_id.candidates, await _card_words(interaction, answer))
    if shown is None:
        await _take_away(interaction, answer, Withdrawal.DISMISSED)
        await say(interaction, words("notice-withdrawn"))
        return
    if answer is not None:
        ids = (shown.record_id, *(candidate.record_id for candidate in shown.candidates))
        await bench.parts.answers.revise(answer.question_id, answer.digest, ids)
    view = card(shown, await _card_words(interaction, answer), card_id.ref, card_button)
    await interaction.edit_original_response(view=view, allowed_mentions=discord.AllowedMentions.none())


async def _dismiss(interaction: "Click", card_id: CardId) -> None:
    await interaction.response.defer()
    answer = await interaction.client.bench.parts.answers.of_question(card_id.ref) if card_id.ref else None
    if not await _may_decide(interaction, answer):
        raise NotAllowed("notice-may-not-dismiss")
    await _vote(interaction, card_id, Vote.DISMISSED)
    await _take_away(interaction, answer, Withdrawal.DISMISSED)


async def _vote(interaction: "Click", card_id: CardId, vote: Vote) -> None:
    bench = interaction.client.bench
    await bench.parts.feedback.vote(card_id.ref, interaction.user.id, card_id.record_id, vote, bench.now())


async def _may_decide(interaction: "Click", answer: Answer | None) -> bool:
    """Whether somebody may change or remove a card: who alone sees it, the asker, a helper, or a moderator (D9)."""
    message = interaction.message
    if interaction.guild_id is None or (message is not None and message.flags.ephemeral):
        return True
    if answer is not None and answer.author_id == interaction.user.id:
        return True
    if interaction.permissions.manage_messages:
        return True
    guild = await interaction.client.bench.parts.guilds.settings(interaction.guild_id)
    return is_helper(interaction.user, guild.helper_role_ids)


async def _next(interaction: "Click", candidates: tuple[Candidate, ...], words: Words) -> Card | None:
    """The first candidate that is in the catalogue still, with those behind it for another click."""
    for number, candidate in enumerate(candidates):
        entry = await interaction.client.bench.parts.answering.entry(candidate.record_id)
        if entry is not None:
            return replace(compose_candidate(candidate, entry, words), candidates=candidates[number + 1 :])
    return None


async def _card_words(interaction: "Click", answer: Answer | None) -> Words:
    """A card everybody reads stays in the server's language; one's own is in one's own."""
    if answer is None or answer.guild_id is None:
        return words_for(interaction)
    bench = interaction.client.bench
    guild = await bench.parts.guilds.settings(answer.guild_id)
    return Words.for_language(guild.language or bench.settings.language)


async def _take_away(interaction: "Click", answer: Answer | None, why: Withdrawal) -> None:
    if answer is not None:
        bench = interaction.client.bench
        await bench.parts.answers.withdraw(answer.question_id, why, bench.now())
    # By the interaction's token, which works where the bot has lost its rights, and on ephemeral messages.
    await interaction.delete_original_response()


async def _entry(interaction: "Click", record_id: str) -> Entry | None:
    """The record, or None after saying that the catalogue does not have it any more."""
    entry = await interaction.client.bench.parts.answering.entry(record_id)
    if entry is None:
        await say(interaction, words_for(interaction)("notice-record-gone"))
    return entry


_ACTS = {
    Action.MORE: _more,
    Action.SHOW: _show,
    Action.OTHERS: _others,
    Action.HELPFUL: _helpful,
    Action.WRONG: _wrong,
    Action.DISMISS: _dismiss,
}
